"""k-means++: samples to begin with, drawn far from each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import array, weighed
from infimum.errors import DataError
from infimum.models.clustering.centres._lloyd import rows_of
from infimum.models.clustering.centres._seeding import spread_rows, trials_for
from infimum.parameters import check_domain, whole
from infimum.typing import Indices

__all__ = ["kmeans_plusplus"]


def kmeans_plusplus(
    X: Any,
    n_clusters: int,
    *,
    sample_weight: Any = None,
    x_squared_norms: Any = None,
    random_state: Any = None,
    n_local_trials: int | None = None,
) -> tuple[Any, Indices]:
    r"""Return samples to start k-means from, and their positions.

    The first is drawn by weight, each other one with odds
    :math:`w_i \min_{m ∈ M} \|x_i - m\|^2` by its distance to those before. With one
    trial the expected objective is at most :math:`8 (\ln k + 2)` times the least;
    with several, each time the candidate is taken that leaves the smallest objective.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
    n_clusters : int
    sample_weight : array-like of shape (n_samples,), default=None
    x_squared_norms : ignored
        Accepted for compatibility.
    random_state : int, RandomState or None, default=None
    n_local_trials : int or None, default=None
        Candidates for each centre; None stands for 2 + ln k.

    Returns
    -------
    centers : ndarray of shape (n_clusters, n_features)
    indices : ndarray of shape (n_clusters,)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [9.0], [9.1]])
    >>> centers, indices = kmeans_plusplus(X, 2, random_state=0)
    >>> bool(abs(centers[0, 0] - centers[1, 0]) > 8.0)
    True
    """
    check_domain("kmeans_plusplus n_clusters", n_clusters, whole(1))
    trials = trials_for(n_clusters) if n_local_trials is None else n_local_trials
    check_domain("kmeans_plusplus n_local_trials", trials, whole(1))
    X = array(X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C")
    if x_squared_norms is not None and len(x_squared_norms) != X.shape[0]:
        raise DataError(
            f"kmeans_plusplus needs one of x_squared_norms for each of {X.shape[0]} "
            f"samples, got {len(x_squared_norms)}."
        )
    weights = weighed(sample_weight, X)
    # A sample without weight is no sample.
    counted = np.arange(X.shape[0]) if weights is None else np.flatnonzero(weights)
    if len(counted) < n_clusters:
        raise DataError(
            f"kmeans_plusplus needs as many samples as clusters, got n_samples="
            f"{len(counted)} for n_clusters={n_clusters}."
        )
    if weights is None or len(counted) == X.shape[0]:
        rows = rows_of(X, weights)
    else:
        rows = rows_of(X[counted], weights[counted])
    with one_blas_thread():
        chosen = spread_rows(rows, n_clusters, check_random_state(random_state), trials)
    centres: Any = X[counted[chosen]]
    dense = centres.toarray() if hasattr(centres, "toarray") else centres
    return dense, counted[chosen]
