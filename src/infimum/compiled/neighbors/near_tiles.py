"""Who is near, read off a tile of products: counted, joined or asked for a label.

Row i of a tile, shifted, is ‖x‖² - 2⟨q, x⟩ in float32. Below the first of its two bars
a sample is near, above the second it is not; in between rounding might decide, and the
difference in float64 is asked.
"""

from infimum.compiled.clusters.tree_of_merges import find_root
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.near_unions import _join, _square
from infimum.compiled.neighbors.nearest import LONG_RUN, any_below
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "all_joined",
    "count_near_in_tile",
    "join_near_in_tile",
    "least_label_in_tile",
]


@inner_loop()
def _far(row: Vector, shifts: Vector, start: int, bar: float) -> bool:
    """Tell whether nothing in a run of a row is near; a shorter one is not asked."""
    whole = start + LONG_RUN <= row.size
    return whole and not any_below(row[start:], shifts[start:], bar)


@inner_loop()
def _near(
    value: float, bars: Matrix, Q: Matrix, i: int, X: Matrix, t: int, limit: float
) -> bool:
    """Tell whether a value below the second bar is that of a near sample.

    Most values are not, and are not brought here: a view of a row costs more than they.
    """
    return value < bars[i, 0] or _square(X[t], Q[i]) <= limit


@inner_loop()
def _remember(found: Vector, count: int, name: int, weight: float) -> int:
    """Write a name while there is room; return 1 if it has a weight."""
    if weight <= 0.0:
        return 0
    if count < found.size:
        found[count] = name
    return 1


@loop()
def count_near_in_tile(
    tile: Matrix,
    shifts: Vector,
    bars: Matrix,
    Q: Matrix,
    X: Matrix,
    limit: float,
    weights: Vector,
    enough: float,
    first: int,
    totals: Vector,
    found: Indices,
    counts: Indices,
) -> None:
    """Add the weights of what is near to the totals, until they are enough.

    The first of them are written into `found`, with columns named from `first` on;
    `counts` says how many there were.
    """
    for i in range(tile.shape[0]):
        row, total = tile[i], totals[i]
        for start in range(0, row.size, LONG_RUN):
            if total >= enough:
                break
            if _far(row, shifts, start, bars[i, 1]):
                continue
            for t in range(start, min(row.size, start + LONG_RUN)):
                value = row[t] + shifts[t]
                if value < bars[i, 1] and _near(value, bars, Q, i, X, t, limit):
                    total += weights[t]
                    counts[i] += _remember(found[i], counts[i], first + t, weights[t])
        totals[i] = total


@loop()
def join_near_in_tile(
    tile: Matrix,
    shifts: Vector,
    bars: Matrix,
    Q: Matrix,
    X: Matrix,
    limit: float,
    names: tuple[int, int],
    above: Indices,
) -> None:
    """Join what is near in a forest; rows and columns are named from `names` on."""
    for i in range(tile.shape[0]):
        row = tile[i]
        for start in range(0, row.size, LONG_RUN):
            if _far(row, shifts, start, bars[i, 1]):
                continue
            own = find_root(above, names[0] + i)
            for t in range(start, min(row.size, start + LONG_RUN)):
                other = names[1] + t
                # What is joined already need not be measured.
                value = row[t] + shifts[t]
                if value >= bars[i, 1] or above[other] == own:
                    continue
                if _near(value, bars, Q, i, X, t, limit):
                    _join(above, own, other)
                    own = find_root(above, own)


@loop()
def all_joined(above: Indices, rows: tuple[int, int], others: tuple[int, int]) -> bool:
    """Tell whether two runs of a forest are in one tree."""
    root = find_root(above, rows[0])
    return _one_tree(above, root, rows) and _one_tree(above, root, others)


@inner_loop()
def _one_tree(above: Indices, root: int, run: tuple[int, int]) -> bool:
    i, stop = run
    while i < stop and find_root(above, i) == root:
        i += 1
    return i == stop


@loop()
def least_label_in_tile(
    tile: Matrix,
    shifts: Vector,
    bars: Matrix,
    Q: Matrix,
    X: Matrix,
    limit: float,
    labels: Indices,
    least: Indices,
) -> None:
    """Lower each entry of `least` to the least label, not negative, that is near."""
    for i in range(tile.shape[0]):
        row = tile[i]
        for start in range(0, row.size, LONG_RUN):
            if _far(row, shifts, start, bars[i, 1]):
                continue
            for t in range(start, min(row.size, start + LONG_RUN)):
                value, better = row[t] + shifts[t], 0 <= labels[t] < least[i]
                if value >= bars[i, 1] or not better:
                    continue
                if _near(value, bars, Q, i, X, t, limit):
                    least[i] = labels[t]
