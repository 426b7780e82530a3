"""The gap statistic: how much better k-means does than without clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from infimum.data.doors import array
from infimum.models.clustering.centres.k_means import KMeans
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["GapStatistic", "gap_statistic"]


@dataclass(frozen=True)
class GapStatistic:
    """Gaps for k = 1, 2, …, their standard errors, and the choice."""

    gaps: Vector
    errors: Vector
    n_clusters: int


def gap_statistic(
    X: Any,
    max_clusters: int = 10,
    *,
    n_references: int = 10,
    n_init: int = 3,
    random_state: Any = None,
) -> GapStatistic:
    r"""Compare the log objective of k-means with that on uniform data of the same box.

    .. math:: \mathrm{Gap}(k) = \frac1B \sum_b \log W^{(b)}_k - \log W_k

    The box is laid along the principal axes. Chosen is the least k whose gap is within
    one standard error of the first maximum; it may be 1: no clusters.

    References
    ----------
    Tibshirani, Walther and Hastie (2001), Journal of the Royal Statistical Society B.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> gap_statistic(X, 5, random_state=0).n_clusters
    3
    """
    check_domain("gap_statistic max_clusters", max_clusters, whole(1))
    check_domain("gap_statistic n_references", n_references, whole(1))
    X = array(X)
    draw = check_random_state(random_state)
    most = min(max_clusters + 1, len(X))
    mean = X.mean(axis=0)
    axes = np.linalg.svd(X - mean, full_matrices=False)[2]
    turned = (X - mean) @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    references = np.array(
        [
            _logs(draw.uniform(low, high, turned.shape), most, n_init, draw)
            for _ in range(n_references)
        ]
    )
    gaps = references.mean(axis=0) - _logs(X, most, n_init, draw)
    errors = references.std(axis=0) * np.sqrt(1.0 + 1.0 / n_references)
    falls = np.flatnonzero(np.diff(gaps) <= 0.0)
    peak = int(falls[0]) if len(falls) else len(gaps) - 1
    chosen = int(np.argmax(gaps >= gaps[peak] - errors[peak])) + 1
    chosen = min(chosen, max_clusters)
    return GapStatistic(gaps[:max_clusters], errors[:max_clusters], chosen)


def _logs(X: Matrix, most: int, n_init: int, draw: Any) -> Vector:
    """Return the log objectives for k = 1, …, most."""
    costs = [
        KMeans(k, n_init=n_init, random_state=int(draw.randint(2**31 - 1)))
        .fit(X)
        .inertia_
        for k in range(1, most + 1)
    ]
    return np.log(np.maximum(costs, np.finfo(float).tiny))
