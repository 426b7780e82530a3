"""The steepest slope of a function: a size of functions that need no weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import check_domain, whole

__all__ = ["maximal_slope"]


def maximal_slope(
    function: Callable[[Any], Any],
    low: float,
    high: float,
    *,
    n_points: int = 4097,
) -> float:
    r"""Return the largest slope of a smooth function on [low, high].

    .. math:: Ω(f) = \sup_{low ≤ x ≤ high} |f'(x)|

    The slope is measured by second-order differences on an even grid, so the error
    shrinks with the square of the spacing.

    Parameters
    ----------
    function : callable
        Takes an array of points and returns the array of values.
    low, high : float
        Ends of the interval, ``low < high``.
    n_points : int, default=4097
        Size of the grid.

    Examples
    --------
    >>> round(maximal_slope(lambda x: x**2, -1.0, 3.0), 6)
    6.0
    """
    check_domain("maximal_slope: n_points", n_points, whole(3))
    if not low < high:
        raise InvalidParameterError(
            f"maximal_slope: low must be below high, got {low!r} and {high!r}."
        )
    points = np.linspace(low, high, int(n_points))
    values = np.asarray(function(points), dtype=np.float64)
    if values.shape != points.shape:
        raise DataError(
            "maximal_slope: the function must return one number per point, "
            f"got shape {values.shape} for {len(points)} points."
        )
    return float(np.abs(np.gradient(values, points, edge_order=2)).max())
