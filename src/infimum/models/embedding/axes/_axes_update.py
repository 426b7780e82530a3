"""Principal axes of what was seen, brought up to date with a batch.

The batch, the axes so far (each as long as its singular value) and one row for the
shift of the mean together have the scatter of everything seen, up to what earlier
truncations dropped (Ross, Lim, Lin and Yang, IJCV 2008).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip
from sklearn.utils.sparsefuncs import mean_variance_axis

from infimum.features.columns import is_sparse
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.typing import Matrix, Vector

__all__ = ["Seen", "update"]

#: Below this share of all axes a sparse batch is met by products only.
FEW = 0.2


@dataclass(frozen=True)
class Seen:
    """Moments of the samples seen, and the leading axes of their scatter.

    `rest` is the squared length left to each axis that was dropped last, on average.
    """

    count: int
    mean: Vector
    variances: Vector
    axes: Matrix
    singular: Vector
    rest: float


def update(seen: Seen | None, X: Any, keep: int) -> Seen:
    """Return what is seen after one more batch, with `keep` axes."""
    n = X.shape[0]
    mean, variances = _moments(X)
    if seen is None:
        count, whole, spread = n, mean, variances
        above = np.empty((0, X.shape[1]))
    else:
        count = seen.count + n
        shift = mean - seen.mean
        share = seen.count * n / count
        whole = seen.mean + shift * (n / count)
        spread = (
            seen.count * seen.variances + n * variances + share * shift**2
        ) / count
        above = np.vstack((seen.singular[:, None] * seen.axes, np.sqrt(share) * shift))
    most = min(n + len(above), X.shape[1])
    if is_sparse(X) and keep < FEW * most:
        squares, axes = _by_products(X, mean, above, keep)
    else:
        squares, axes = _by_svd(X, mean, above)
    _, axes = svd_flip(None, axes[:keep], u_based_decision=False)
    total = float(n * variances.sum() + np.sum(above**2))
    left = max(total - float(squares[:keep].sum()), 0.0)
    rest = left / (most - keep) if most > keep else 0.0
    return Seen(count, whole, spread, axes, np.sqrt(squares[:keep]), rest)


def _moments(X: Any) -> tuple[Vector, Vector]:
    if is_sparse(X):
        mean, variances = mean_variance_axis(X, axis=0)
        return mean.astype(np.float64), variances.astype(np.float64)
    mean = X.mean(axis=0, dtype=np.float64)
    return mean, np.mean((X - mean) ** 2, axis=0)


def _by_svd(X: Any, mean: Vector, above: Matrix) -> tuple[Vector, Matrix]:
    dense = X.toarray() if is_sparse(X) else X
    stacked = np.vstack((above, dense - mean))
    _, singular, axes = linalg.svd(stacked, full_matrices=False, check_finite=False)
    return singular**2, axes


def _by_products(
    X: Any, mean: Vector, above: Matrix, keep: int
) -> tuple[Vector, Matrix]:
    """Leading axes from products with the batch, which is not centred in memory."""

    def scatter(V: Matrix) -> Matrix:
        scores = X @ V - mean @ V
        down = X.T @ scores - np.outer(mean, scores.sum(axis=0))
        return np.asarray(down + above.T @ (above @ V))

    found = leading_eigenpairs(scatter, X.shape[1], keep, tol=1e-12, random_state=0)
    return np.maximum(found.values, 0.0), found.vectors.T
