"""Stability: whether other samples give the same clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import check_random_state

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.models.clustering.centres.k_means import KMeans
from infimum.parameters import check_domain, whole

__all__ = ["clustering_stability"]


def clustering_stability(
    X: Any,
    n_clusters: int,
    *,
    n_pairs: int = 10,
    n_init: int = 3,
    random_state: Any = None,
) -> float:
    """Return how much two clusterings of halves of the data agree, on average.

    Each half is clustered, both models label all samples, and the labels are compared
    by the Rand index adjusted for chance: 1 for equal, about 0 for unrelated ones.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> clustering_stability(X, 3, random_state=0)
    1.0
    """
    check_domain("clustering_stability n_clusters", n_clusters, whole(1))
    check_domain("clustering_stability n_pairs", n_pairs, whole(1))
    X = array(X)
    half = len(X) // 2
    if half < n_clusters:
        raise DataError(
            f"Stability needs n_clusters samples in each half, got {half} for "
            f"n_clusters={n_clusters}."
        )
    draw = check_random_state(random_state)
    agreements = []
    for _ in range(n_pairs):
        order = draw.permutation(len(X))
        labels = [
            KMeans(n_clusters, n_init=n_init, random_state=int(draw.randint(2**31 - 1)))
            .fit(X[part])
            .predict(X)
            for part in (order[:half], order[half : 2 * half])
        ]
        agreements.append(adjusted_rand_score(*labels))
    return float(np.mean(agreements))
