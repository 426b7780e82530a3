"""Many smallest entries of each row of a tile, kept in a pool from tile to tile.

A pool takes in whatever is below its bar, and when full it keeps the smaller part: for
many entries this is quicker than a heap, which orders what will be dropped.
"""

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.nearest import RUN, _least
from infimum.typing import Indices, Matrix, Vector

__all__ = ["pool_smallest", "shrink_pools"]


@inner_loop()
def _largest(values: Vector) -> float:
    """Return a maximum by hand: numba's own takes a second to compile."""
    largest = values[0]
    for t in range(1, values.size):
        largest = max(largest, values[t])
    return float(largest)


@inner_loop()
def _shrink(pool: Vector, names: Indices, size: int, keep: int) -> float:
    """Move the `keep` smallest of `size` values to the front; return their largest."""
    low, high = 0, size - 1
    while low < high:
        a, b, c = pool[low], pool[(low + high) // 2], pool[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while pool[i] < pivot:
                i += 1
            while pool[j] > pivot:
                j -= 1
            if i <= j:
                pool[i], pool[j] = pool[j], pool[i]
                names[i], names[j] = names[j], names[i]
                i += 1
                j -= 1
        if keep - 1 <= j:
            high = j
        elif keep - 1 >= i:
            low = i
        else:
            break
    return _largest(pool[:keep])


@loop()
def pool_smallest(
    tile: Matrix,
    shifts: Vector,
    first: int,
    keep: int,
    pools: Matrix,
    names: Indices,
    sizes: Indices,
    bars: Vector,
) -> None:
    """Offer row i of ``tile + shifts`` to pool i; columns are named from `first` on."""
    width, room = tile.shape[1], pools.shape[1]
    for i in range(tile.shape[0]):
        row, pool, kept = tile[i], pools[i], names[i]
        size, bar = sizes[i], bars[i]
        for start in range(0, width, RUN):
            stop = min(width, start + RUN)
            for t in range(start, stop):
                row[t] += shifts[t]
            if _least(row[start:stop]) >= bar:
                continue
            for t in range(start, stop):
                if row[t] < bar:
                    pool[size], kept[size] = row[t], first + t
                    size += 1
                    if size == room:
                        bar = _shrink(pool, kept, size, keep)
                        size = keep
        sizes[i], bars[i] = size, bar


@loop()
def shrink_pools(
    pools: Matrix, names: Indices, sizes: Indices, bars: Vector, keep: int
) -> None:
    """Leave the `keep` smallest values in front, and their largest as the bar."""
    for i in range(pools.shape[0]):
        bars[i] = _shrink(pools[i], names[i], sizes[i], keep)
