"""Normal scores of the ranks of draws, and of their distances from the median.

One sort of a parameter's draws serves both: below the median the distances fall along
it, above they rise, so that one merge orders them.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["normal_scores"]


@loop()
def normal_scores(
    values: Matrix, order: Indices, table: Vector, scores: Matrix, folded: Matrix
) -> None:
    """Write the scores of each row's values, and of their distances from its median.

    ``order`` sorts each row. The score of values of rank r, the mean of their places
    from 1 on where they are equal, is ``table[2 r - 2]``.
    """
    count, n = values.shape
    places, distances = np.empty(n, np.int64), np.empty(n)
    for row in range(count):
        own, line = order[row], values[row]
        for k in range(n):
            distances[k] = line[own[k]]
        middle = 0.5 * (distances[(n - 1) // 2] + distances[n // 2])
        _score(distances, own, table, scores[row])
        _merge(line, own, middle, places, distances)
        _score(distances, places, table, folded[row])


@inner_loop()
def _merge(
    line: Vector, own: Indices, middle: float, places: Indices, distances: Vector
) -> None:
    n = own.size
    right = 0
    while right < n and line[own[right]] < middle:
        right += 1
    left = right - 1
    for k in range(n):
        below = middle - line[own[left]] if left >= 0 else np.inf
        above = line[own[right]] - middle if right < n else np.inf
        if below < above:
            places[k], distances[k] = own[left], below
            left -= 1
        else:
            places[k], distances[k] = own[right], above
            right += 1


@inner_loop()
def _score(rising: Vector, places: Indices, table: Vector, out: Vector) -> None:
    n, first = rising.size, 0
    while first < n:
        last = first
        while last + 1 < n and rising[last + 1] == rising[first]:
            last += 1
        score = table[first + last]
        for k in range(first, last + 1):
            out[places[k]] = score
        first = last + 1
