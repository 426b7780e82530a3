"""When distances are those of points, and of how many dimensions."""

from typing import Any

import numpy as np
from scipy import linalg

from infimum.models.embedding.scaling._distances import accept_distances
from infimum.parameters import Choice, check_domain, opened
from infimum.typing import Matrix

__all__ = ["ORIGINS", "estimate_dimension", "gram_from_distances", "is_euclidean"]

ORIGINS = Choice(("mean", "first"))


def gram_from_distances(D: Any, origin: str = "mean") -> Matrix:
    r"""Return the inner products of the points that have these distances.

    .. math:: s_{ij} = \tfrac12 (d_{1i}^2 + d_{1j}^2 - d_{ij}^2)

    with the first point as origin, or :math:`-\frac12 H D^2 H` with the mean of all as
    origin (double centring). They differ by a translation.

    Examples
    --------
    >>> gram_from_distances([[0, 3], [3, 0]], origin="first")
    array([[0., 0.],
           [0., 9.]])
    >>> gram_from_distances([[0, 3], [3, 0]])
    array([[ 2.25, -2.25],
           [-2.25,  2.25]])
    """
    check_domain("gram_from_distances: origin", origin, ORIGINS)
    squares = accept_distances("gram_from_distances", D) ** 2
    if origin == "first":
        return np.asarray((squares[0] + squares[0][:, None] - squares) / 2.0)
    means = squares.mean(axis=0)
    return np.asarray((means + means[:, None] - means.mean() - squares) / 2.0)


def is_euclidean(D: Any, *, tol: float = 1e-8) -> bool:
    """Tell whether points exist that have exactly these distances.

    They do if and only if their inner products form a positive semi-definite matrix.

    Examples
    --------
    >>> is_euclidean([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    True
    >>> is_euclidean([[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    False
    """
    values = linalg.eigvalsh(gram_from_distances(D))
    return bool(values[0] >= -tol * max(values[-1], 1e-300))


def estimate_dimension(D: Any, *, share: float = 0.95, tol: float = 1e-8) -> int:
    """Return how many dimensions distances ask for.

    If they are Euclidean in few dimensions, as many eigenvalues of the inner products
    are positive and all others 0. Otherwise as many are taken as carry `share` of what
    the positive ones carry together.

    Examples
    --------
    >>> estimate_dimension([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    1
    """
    check_domain("estimate_dimension: share", share, opened(0, 1))
    values = linalg.eigvalsh(gram_from_distances(D))[::-1]
    positive = np.maximum(values, 0.0)
    if not positive[0] > 0:
        return 1
    rank = int(np.sum(values > tol * values[0]))
    exact = np.abs(values[rank:]).max(initial=0.0) <= tol * values[0]
    shares = np.cumsum(positive) / positive.sum()
    enough = int(np.searchsorted(shares, share)) + 1
    return rank if exact and rank < len(values) - 1 else enough
