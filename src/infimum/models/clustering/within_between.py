"""Criteria of a clustering that need nothing but distances between its samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.data.doors import array, same_length
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["pairwise_cost", "within_between_ratio"]


def within_between_ratio(X: Any, labels: Any) -> float:
    """Return the mean distance within clusters over that between clusters.

    The naive criterion of clustering: the smaller the better. To minimise it over all
    partitions is hard (NP-hard, as k-means is), and a few far samples rule it.

    Examples
    --------
    >>> within_between_ratio([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1])
    0.1
    """
    X, labels = _accept(X, labels)
    apart = cdist(X, X)
    upper = np.triu(np.ones(apart.shape, dtype=bool), 1)
    same = labels[:, None] == labels
    if not (upper & same).any() or not (upper & ~same).any():
        raise DataError("A ratio needs pairs within clusters and pairs between them.")
    return float(apart[upper & same].mean() / apart[upper & ~same].mean())


def pairwise_cost(X: Any, labels: Any) -> float:
    r"""Return the k-means objective from distances between samples alone.

    .. math:: \sum_k \frac{1}{2 |C_k|} \sum_{i, j ∈ C_k} \| x_i - x_j \|^2
              = \sum_k \sum_{i ∈ C_k} \| x_i - m_k \|^2

    Examples
    --------
    >>> pairwise_cost([[0.0], [1.0], [4.0], [8.0]], [0, 0, 1, 1])
    8.5
    """
    X, labels = _accept(X, labels)
    total = 0.0
    for label in np.unique(labels):
        mine = X[labels == label]
        total += float(cdist(mine, mine, "sqeuclidean").sum()) / (2 * len(mine))
    return total


def _accept(X: Any, labels: Any) -> tuple[Any, Vector]:
    X, labels = array(X), np.asarray(labels)
    same_length(X, labels)
    return X, labels
