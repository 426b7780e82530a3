"""The smallest entries of each row of a tile, kept in a heap from tile to tile."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.heap import sink
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "LONG_RUN",
    "any_below",
    "keep_smallest",
    "measure_candidates",
    "rank_candidates",
]

#: Entries whose minimum is taken at once: most runs hold nothing small enough.
RUN, LONG_RUN = 32, 64


@inner_loop(fastmath={"reassoc", "nnan", "ninf", "nsz"})
def _least(values: Vector) -> float:
    least = values[0]
    for t in range(1, values.size):
        least = min(least, values[t])
    return float(least)


@inner_loop()
def any_below(row: Vector, shifts: Vector, bar: float) -> bool:
    """Tell whether a run of known length, shifted, has an entry below a bar.

    Comparisons are vectorised by the compiler where a minimum is not.
    """
    found = np.int32(0)
    for t in range(LONG_RUN):
        found |= np.int32(row[t] + shifts[t] < bar)
    return bool(found > 0)


@loop()
def keep_smallest(
    tile: Matrix, shifts: Vector, first: int, heaps: Matrix, names: Indices
) -> None:
    """Offer row i of ``tile + shifts`` to heap i; columns are named from `first` on.

    Each heap has its largest value at 0; rows come in turn, so what is equal to the
    largest kept and comes later stays out.
    """
    width = tile.shape[1]
    for i in range(tile.shape[0]):
        row, heap, kept = tile[i], heaps[i], names[i]
        for start in range(0, width, LONG_RUN):
            stop = start + LONG_RUN
            if stop <= width and not any_below(row[start:], shifts[start:], heap[0]):
                continue
            for t in range(start, min(stop, width)):
                value = row[t] + shifts[t]
                if value < heap[0]:
                    sink(heap, kept, value, first + t)


@loop(fastmath={"reassoc", "contract"})
def measure_candidates(Q: Matrix, X: Matrix, names: Indices, out: Matrix) -> None:
    """Write ‖q - x‖² of each query and its candidates, from differences."""
    for i in range(names.shape[0]):
        for j in range(names.shape[1]):
            total = 0.0
            x, q = X[names[i, j]], Q[i]
            for t in range(q.size):
                apart = q[t] - x[t]
                total += apart * apart
            out[i, j] = total


@loop(fastmath={"reassoc", "contract"})
def rank_candidates(
    Q: Matrix, X: Matrix, found: Indices, distances: Matrix, names: Indices
) -> None:
    """Write ‖q - x‖² and the names of the nearest candidates of each query, in order.

    Of equally near ones that of the lower name comes first.
    """
    count = distances.shape[1]
    for i in range(found.shape[0]):
        q, near, own = Q[i], distances[i], names[i]
        for j in range(found.shape[1]):
            total, name = 0.0, found[i, j]
            x = X[name]
            for t in range(q.size):
                apart = q[t] - x[t]
                total += apart * apart
            at = min(j, count)
            if at == count:
                last = count - 1
                if total > near[last] or (total == near[last] and name > own[last]):
                    continue
                at = last
            while at > 0 and (
                near[at - 1] > total or (near[at - 1] == total and own[at - 1] > name)
            ):
                near[at], own[at] = near[at - 1], own[at - 1]
                at -= 1
            near[at], own[at] = total, name
