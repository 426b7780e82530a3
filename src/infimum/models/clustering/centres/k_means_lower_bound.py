"""A lower bound on the k-means objective, from the spectrum of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from infimum.data.doors import array, weighed
from infimum.models.clustering.centres._dense_assignment import (
    DenseRows,
    on_cores,
    parts_for,
)
from infimum.models.clustering.centres._lloyd import Rows, rows_of
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix

__all__ = ["k_means_lower_bound", "spectral_bound"]

#: Beyond this many features the bound costs more than the clustering.
WIDEST = 512


def k_means_lower_bound(X: Any, n_clusters: int, sample_weight: Any = None) -> float:
    r"""Return a number below the k-means objective of every choice of k centres.

    .. math:: \min_{m_1, …, m_k} \sum_i w_i \min_j \| x_i - m_j \|^2 \;\ge\;
              \sum_{i ≥ k} λ_i\Bigl(\sum_i w_i (x_i - \bar x)(x_i - \bar x)^\top\Bigr)

    The means of k clusters lie, with their weighted mean, in a space of k - 1
    dimensions, and no such space is nearer to the data than the one of the first k - 1
    principal axes (eigenvalues are sorted downwards and counted from 1).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
    n_clusters : int
    sample_weight : array-like of shape (n_samples,), default=None

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    >>> round(k_means_lower_bound(X, 2), 9)
    1.0
    """
    check_domain("k_means_lower_bound n_clusters", n_clusters, whole(1))
    X = array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
    return spectral_bound(rows_of(X, weighed(sample_weight, X)), n_clusters, X.shape[1])


def spectral_bound(rows: Rows, k: int, widest: int = WIDEST) -> float:
    """Return the bound for rows of at most `widest` features; 0 for wider ones."""
    if rows.d > widest or k > rows.d:
        return 0.0
    scatter = _scatter(rows)
    values = linalg.eigvalsh(scatter)  # upwards
    # The sum of the trailing ones, less what rounding may have added to each.
    slip = 4.0 * rows.d * np.finfo(float).eps * float(np.trace(scatter))
    left = float(values[: rows.d - (k - 1)].sum()) - slip
    return float(max(0.0, left) * rows.unit**2)


def _scatter(rows: Rows) -> Matrix:
    if isinstance(rows, DenseRows):
        return _dense_scatter(rows)
    weights = rows.weights if rows.weights.size else np.ones(rows.n)
    scaled = rows.X.multiply(weights[:, None]).tocsr()
    mean = np.asarray(scaled.sum(axis=0)).ravel() / weights.sum()
    gram = np.asarray((rows.X.T @ scaled).toarray(), dtype=np.float64)
    return np.asarray(gram - weights.sum() * np.outer(mean, mean))


def _dense_scatter(rows: DenseRows) -> Matrix:
    def work(some: slice) -> Matrix:
        block = (rows.X[some] - rows.mean) / rows.unit
        if rows.weights.size:
            block *= np.sqrt(rows.weights[some])[:, None]
        return np.asarray(block.T @ block)

    parts = max(parts_for(rows.n, 1), rows.n // 8192)
    return np.asarray(np.sum(on_cores(rows.n, work, parts), axis=0))
