"""Which cluster a new sample joins, by the distance that made the clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.models.clustering.hierarchy._merging import SQUARED
from infimum.models.neighbors._metric import choose_metric
from infimum.typing import Indices, Matrix

__all__ = ["nearest_cluster"]

#: Distances held at a time: 32 MiB.
BLOCK = 2**22


def nearest_cluster(
    queries: Matrix, known: Matrix, labels: Indices, rule: tuple[str, Any]
) -> Indices:
    """Return the closest cluster of each query, which is a cluster of its own."""
    method, metric = rule
    sizes = np.bincount(labels)
    order = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    if method in SQUARED:
        centres = np.add.reduceat(known[order], starts, axis=0) / sizes[:, None]
        far = cdist(queries, centres, "sqeuclidean")
        if method == "ward":
            far *= sizes / (sizes + 1.0)
        return np.asarray(far.argmin(axis=1))
    measure = choose_metric("AgglomerativeClustering", metric, 2.0, None, known)
    if measure.map is not None:
        queries, known = queries @ measure.map, known @ measure.map
    join = {"single": np.minimum, "complete": np.maximum}.get(method, np.add)
    out = np.empty(len(queries), dtype=np.intp)
    step = max(1, BLOCK // len(known))
    for start in range(0, len(queries), step):
        rows = slice(start, start + step)
        gaps = measure.between(queries[rows], known)[:, order]
        joined = join.reduceat(gaps, starts, axis=1)
        if join is np.add:
            joined = joined / sizes
        out[rows] = joined.argmin(axis=1)
    return out
