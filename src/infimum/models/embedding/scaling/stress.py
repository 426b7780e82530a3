"""Stress: how far the distances of points are from those wanted."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models.embedding.scaling._distances import accept_distances
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix

__all__ = ["descend_stress", "stress", "stress_gradient"]

_KINDS = Choice(("relative", "raw", "kruskal"))
#: Halvings of a step before a descent gives up.
HALVINGS = 40


def stress(D: Any, X: Any, kind: str = "relative") -> float:
    r"""Return the stress of points X for distances D, over ordered pairs.

    - 'relative':
      :math:`\sum_{ij} (\|x_i - x_j\| - d_{ij})^2 / \sum_{ij} \|x_i - x_j\|`,
      which has the unit of the distances;
    - 'raw': half its numerator, over unordered pairs, as SMACOF minimises it;
    - 'kruskal': :math:`\sqrt{\sum (\|x_i - x_j\| - d_{ij})^2 / \sum \|x_i - x_j\|^2}`,
      which has none. 0.025 is excellent, 0.2 poor.

    Examples
    --------
    >>> stress([[0, 3], [3, 0]], [[0.0], [3.0]])
    0.0
    >>> stress([[0, 3], [3, 0]], [[0.0], [2.0]])
    0.5
    """
    check_domain("stress: kind", kind, _KINDS)
    wanted, actual = _both("stress", D, X)
    off = float(np.sum((actual - wanted) ** 2))
    if kind == "raw":
        return off / 2.0
    below = float(actual.sum() if kind == "relative" else np.sum(actual**2))
    if off == 0.0:
        return 0.0
    share = off / below if below > 0 else np.inf
    return float(share if kind == "relative" else np.sqrt(share))


def stress_gradient(D: Any, X: Any) -> Matrix:
    """Return the gradient of the relative stress with respect to the points.

    Examples
    --------
    >>> stress_gradient([[0, 3], [3, 0]], [[0.0], [2.0]])
    array([[ 1.25],
           [-1.25]])
    """
    points = np.asarray(X, dtype=np.float64)
    wanted, actual = _both("stress_gradient", D, points)
    off, total = float(np.sum((actual - wanted) ** 2)), float(actual.sum())
    if total == 0.0:  # points on one heap have nowhere to go
        return np.zeros_like(points)
    # Each pair is met twice, as (i, j) and (j, i).
    slopes = 4.0 * (actual - wanted) / total - 2.0 * off / total**2
    pull = np.divide(slopes, actual, out=np.zeros_like(actual), where=actual > 0)
    return np.asarray(pull.sum(axis=1)[:, None] * points - pull @ points)


def descend_stress(
    D: Any, start: Any, *, max_iter: int = 300, tol: float = 1e-6
) -> tuple[Matrix, list[float]]:
    """Walk down the gradient of the relative stress, and never up.

    The problem is not convex: where one starts decides where one arrives.

    Parameters
    ----------
    D : array-like of shape (n, n)
    start : array-like of shape (n, d)
    max_iter : int, default=300
    tol : float, default=1e-6
        Stop when a step gains less than this share of the stress.

    Returns
    -------
    points : ndarray of shape (n, d)
    history : list of float
        The stress at the start and after each step.

    Examples
    --------
    >>> points, history = descend_stress([[0, 3], [3, 0]], [[0.0], [2.0]])
    >>> history[-1] < 1e-6
    True
    """
    points = np.array(start, dtype=np.float64)
    history = [stress(D, points)]
    step = 1.0
    for _ in in_time(range(max_iter)):
        slope = stress_gradient(D, points)
        steep = float(np.sum(slope**2))
        for _ in range(HALVINGS):
            trial = points - step * slope
            value = stress(D, trial)
            if value <= history[-1] - 0.1 * step * steep:
                break
            step /= 2.0
        else:
            break
        points, gain = trial, history[-1] - value
        history.append(value)
        step *= 2.0
        if gain <= tol * history[-1] or not value:
            break
    return points, history


def _both(owner: str, D: Any, X: Any) -> tuple[Matrix, Matrix]:
    points = np.asarray(X, dtype=np.float64)
    wanted = accept_distances(owner, D)
    if points.ndim != 2 or len(points) != len(wanted):  # noqa: PLR2004
        raise DataError(
            f"{owner}: {len(wanted)} points are needed, got shape {points.shape}."
        )
    return wanted, np.asarray(cdist(points, points))
