"""From the rows of a spectral embedding to clusters."""

from typing import Any

import numpy as np
from numpy.random import RandomState
from scipy import linalg

from infimum.typing import Indices, Matrix

__all__ = ["assign"]

#: Rotations tried before the discretisation is taken as it is.
ROUNDS = 30
#: Rows among which starts of k-means compete if there are many: in all, per cluster.
FEW, EACH = 4000, 200


def assign(rule: str, rows: Matrix, model: Any, draw: RandomState) -> Indices:
    """Return the cluster of each row, by the rule a spectral clustering names."""
    count = int(model.n_clusters)
    if rule == "cluster_qr":
        return _by_pivots(rows, count)
    if rule == "discretize":
        return _by_rotation(rows, count, draw)
    from infimum.models.clustering.centres.k_means import KMeans

    start: Any = "k-means++"
    few = max(FEW, EACH * count)
    if len(rows) > 2 * few and int(model.n_init) > 1:
        some = rows[draw.permutation(len(rows))[:few]]
        rivals = KMeans(count, n_init=model.n_init, random_state=draw).fit(some)
        start = rivals.cluster_centers_
    starts = 1 if not isinstance(start, str) else model.n_init
    means = KMeans(count, init=start, n_init=starts, random_state=draw).fit(rows)
    return np.asarray(means.labels_)


def _by_pivots(rows: Matrix, count: int) -> Indices:
    """Rotate so that `count` rows far from each other become the axes (Damle, 2019)."""
    pivots = linalg.qr(rows.T, mode="economic", pivoting=True)[2][:count]
    left, _, right = linalg.svd(rows[pivots].T, full_matrices=False)
    return np.asarray(np.abs(rows @ (left @ right)).argmax(axis=1))


def _by_rotation(rows: Matrix, count: int, draw: RandomState) -> Indices:
    """Alternate between labels and the rotation that fits them (Yu and Shi, 2003)."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    rotation = _far_rows(unit, min(count, rows.shape[1]), draw).T
    labels: Indices = np.full(len(rows), -1)
    for _ in range(ROUNDS):
        before, labels = labels, (unit @ rotation).argmax(axis=1)
        if np.array_equal(before, labels):
            break
        members = np.eye(rotation.shape[1])[labels]
        left, _, right = linalg.svd(members.T @ unit, full_matrices=False)
        rotation = (left @ right).T
    return np.asarray(labels)


def _far_rows(unit: Matrix, count: int, draw: RandomState) -> Matrix:
    """Return rows each of which is as far from parallel to those before as can be."""
    chosen = [int(draw.randint(len(unit)))]
    met = np.zeros(len(unit))
    while len(chosen) < count:
        met += np.abs(unit @ unit[chosen[-1]])
        chosen.append(int(met.argmin()))
    return unit[chosen]
