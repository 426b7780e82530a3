"""Silhouettes: how much nearer each sample is to its own cluster than to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.compiled.threads import in_parts
from infimum.data.doors import array, same_length
from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["silhouette_samples", "silhouette_score"]

#: Distances held at a time by each part of the work: 8 MiB.
HELD = 2**20


def silhouette_samples(X: Any, labels: Any) -> Vector:
    r"""Return how well each sample fits its cluster, between -1 and 1.

    .. math:: s_i = \frac{b_i - a_i}{\max(a_i, b_i)}

    where :math:`a_i` is the mean distance to the other samples of its cluster and
    :math:`b_i` the least mean distance to those of another one; 0 for a sample alone.
    Distances are taken a block at a time: memory stays bounded, whatever the size.

    Examples
    --------
    >>> silhouette_samples([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]).round(3)
    array([0.905, 0.895, 0.895, 0.905])
    """
    X = array(X)
    labels = np.asarray(labels)
    same_length(X, labels)
    names, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if not 2 <= len(names) < len(X):  # noqa: PLR2004
        raise DataError(
            f"Silhouettes need from 2 to n_samples - 1 clusters, got {len(names)} for "
            f"{len(X)} samples."
        )
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    out, sorted_rows = np.empty(len(X)), X[order]
    size = max(1, HELD // len(X))

    def work(rows: slice) -> None:
        for start in range(rows.start, rows.stop, size):
            some = slice(start, min(rows.stop, start + size))
            sums = np.add.reduceat(cdist(X[some], sorted_rows), starts, axis=1)
            out[some] = _compare(sums, codes[some], sizes)

    in_parts(len(X), work, max(1, min(16, len(X) // size)))
    return out


def silhouette_score(X: Any, labels: Any) -> float:
    """Return the mean of `silhouette_samples`: near 1 for clusters far apart.

    Examples
    --------
    >>> round(silhouette_score([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]), 3)
    0.9
    """
    return float(silhouette_samples(X, labels).mean())


def _compare(sums: Matrix, codes: Indices, sizes: Indices) -> Vector:
    here = np.arange(len(codes))
    own = sums[here, codes] / np.maximum(sizes[codes] - 1, 1)
    means = sums / sizes
    means[here, codes] = np.inf
    other = means.min(axis=1)
    larger = np.maximum(own, other)
    fits = np.divide(other - own, larger, out=np.zeros_like(own), where=larger > 0.0)
    return np.where(sizes[codes] > 1, fits, 0.0)
