"""The decision boundary of a classifier in the plane, as points."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.parameters import check_domain, whole
from infimum.typing import Mask, Matrix

__all__ = ["boundary_points"]

_HALVINGS = 50


def boundary_points(
    score: Callable[[Matrix], Any],
    low: ArrayLike,
    high: ArrayLike,
    *,
    n_lines: int = 50,
) -> Matrix:
    r"""Return points of the level set :math:`\{x : f(x) = 0\}` within a rectangle.

    The rectangle is covered by a grid; wherever f changes sign between two
    neighbouring crossings of grid lines, bisection finds a zero between them.
    A boundary that passes a whole cell without separating its corners is not seen.

    Parameters
    ----------
    score : callable
        Takes an array of shape (n, 2) and returns n numbers, such as the
        ``decision_function`` of a binary classifier.
    low, high : array-like of shape (2,)
        Opposite corners of the rectangle.
    n_lines : int, default=50
        Number of grid lines in each direction.

    Examples
    --------
    >>> import numpy as np
    >>> found = boundary_points(lambda x: x[:, 0] - 0.5, [0, 0], [1, 1], n_lines=4)
    >>> found.round(6)
    array([[0.5     , 0.      ],
           [0.5     , 0.333333],
           [0.5     , 0.666667],
           [0.5     , 1.      ]])
    """
    check_domain("boundary_points: n_lines", n_lines, whole(2))
    (left, bottom), (right, top) = np.asarray(low, float), np.asarray(high, float)
    across = np.linspace(left, right, int(n_lines))
    upwards = np.linspace(bottom, top, int(n_lines))
    grid = np.stack(np.meshgrid(across, upwards, indexing="ij"), axis=-1)
    signs = _positive(score, grid.reshape(-1, 2)).reshape(grid.shape[:2])
    over, up = signs[:-1] != signs[1:], signs[:, :-1] != signs[:, 1:]
    start = np.concatenate([grid[:-1][over], grid[:, :-1][up]])
    end = np.concatenate([grid[1:][over], grid[:, 1:][up]])
    return _bisect(score, start, end)


def _positive(score: Callable[[Matrix], Any], points: Matrix) -> Mask:
    return np.asarray(np.asarray(score(points)) > 0)


def _bisect(score: Callable[[Matrix], Any], start: Matrix, end: Matrix) -> Matrix:
    """Halve all segments at once; f keeps different signs at their two ends."""
    if len(start) == 0:
        return start
    before = _positive(score, start)
    for _ in range(_HALVINGS):
        middle = 0.5 * (start + end)
        same = (_positive(score, middle) == before)[:, None]
        start, end = np.where(same, middle, start), np.where(same, end, middle)
    return 0.5 * (start + end)
