"""All ways to part a small graph into k clusters, but for those that cannot win."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["enumerate_partitions"]


@inner_loop()
def _place(
    W: Matrix, size: float, label: Indices, v: int, cuts: Matrix, mass: Matrix
) -> None:
    """Write the cuts and sizes of all clusters after vertex v has joined its own."""
    cuts[v + 1], mass[v + 1] = cuts[v], mass[v]
    own = label[v]
    mass[v + 1, own] += size
    for j in range(v):
        if label[j] != own:
            cuts[v + 1, own] += W[v, j]
            cuts[v + 1, label[j]] += W[v, j]


@inner_loop()
def _least(cuts: Vector, mass: Vector, rest: float) -> float:
    """Return what the clusters cost at least, if one of them got all the rest.

    Cuts only grow as vertices join; sizes grow by no more than the rest.
    """
    total = 0.0
    for a in range(cuts.size):
        if cuts[a] > 0.0:
            size = mass[a] + rest
            total += cuts[a] / size if size > 0.0 else np.inf
    return total


@inner_loop()
def _cost(cuts: Vector, mass: Vector) -> float:
    for a in range(cuts.size):
        if mass[a] <= 0.0:
            return np.inf
    return _least(cuts, mass, 0.0)


@loop()
def enumerate_partitions(W: Matrix, sizes: Vector, k: int, best: Indices) -> float:
    """Write the clusters with the least sum of cut/size to `best`; return that sum.

    A vertex joins a cluster of those before it or opens the next one, so that each
    partition is met once. A beginning that costs too much is not gone on with.
    """
    n = W.shape[0]
    cuts, mass = np.zeros((n + 1, k)), np.zeros((n + 1, k))
    label, used = np.full(n, -1), np.zeros(n + 1, dtype=np.int64)
    rest = np.zeros(n + 1)
    for v in range(n - 1, -1, -1):
        rest[v] = rest[v + 1] + sizes[v]
    least, v = np.inf, 0
    while v >= 0:
        label[v] += 1
        if label[v] > min(used[v], k - 1):
            label[v] = -1
            v -= 1
            continue
        used[v + 1] = max(used[v], label[v] + 1)
        if k - used[v + 1] > n - v - 1:
            continue
        _place(W, sizes[v], label, v, cuts, mass)
        bar = least * (1.0 - 1e-12)
        if v < n - 1:
            if _least(cuts[v + 1], mass[v + 1], rest[v + 1]) < bar:
                v += 1
        elif _cost(cuts[n], mass[n]) < bar:
            least = _cost(cuts[n], mass[n])
            best[:] = label
    return least
