"""Margins: how far, and on which side of a linear boundary, the samples lie."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["Margins", "margins"]


class Margins(NamedTuple):
    """The margin of each sample, in two units, and its foot on the boundary.

    Attributes
    ----------
    functional : ndarray of shape (n,)
        y·(⟨w, x⟩ + b): positive where the sample is on its own side.
    geometric : ndarray of shape (n,)
        The same over ‖w‖: the signed distance to the boundary.
    feet : ndarray of shape (n, d)
        The nearest point of the boundary to each sample.
    """

    functional: Vector
    geometric: Vector
    feet: Matrix

    @property
    def smallest(self) -> float:
        """The margin of the whole sample: the least geometric margin."""
        return float(self.geometric.min())


def margins(
    w: ArrayLike, X: ArrayLike, y: ArrayLike, intercept: float = 0.0
) -> Margins:
    r"""Measure the margins of labelled samples with respect to a linear function.

    .. math:: α_i = y_i(⟨w, x_i⟩ + b), \qquad β_i = α_i / \|w\|

    The functional margin α grows with w; the geometric margin β does not change when
    w and b are scaled, and is the distance from the boundary of a sample that is
    classified correctly.

    Parameters
    ----------
    w : array-like of shape (d,)
        Weights, not all 0.
    X : array-like of shape (n, d)
        Samples.
    y : array-like of shape (n,)
        Labels -1 and +1.
    intercept : float, default=0.0

    Examples
    --------
    >>> found = margins([3.0, 4.0], [[3.0, 4.0], [3.0, -4.0]], [1, 1])
    >>> found.functional, found.geometric, found.smallest
    (array([25., -7.]), array([ 5. , -1.4]), -1.4)
    """
    weights, samples = np.asarray(w, float), np.asarray(X, float)
    length = float(np.linalg.norm(weights))
    if length == 0.0:
        raise DataError("margins needs weights that are not all 0: no boundary exists.")
    scores = samples @ weights + intercept
    functional = np.asarray(y, float) * scores
    feet = samples - np.multiply.outer(scores / length**2, weights)
    return Margins(functional, functional / length, feet)
