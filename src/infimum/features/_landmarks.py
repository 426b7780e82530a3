"""Landmarks: the few samples that stand for all."""

from typing import Any

import numpy as np
from numpy.random import RandomState
from scipy.spatial.distance import cdist

from infimum.kernels import Kernel
from infimum.typing import Indices, Matrix

__all__ = ["choose_by_leverage", "choose_by_means"]

ROUNDS = 20


def choose_by_leverage(kernel: Kernel, X: Any, count: int, draw: RandomState) -> Any:
    r"""Draw samples in proportion to their ridge leverage.

    .. math:: l_i = \frac1λ\big(k_{ii} - k_{iS} (K_{SS} + λI)^{-1} k_{Si}\big)

    What the sketch S of uniformly drawn samples leaves unexplained of a sample is what
    that sample can add. λ is the mean of what is left beyond `count` dimensions.
    """
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    sketch = draw.permutation(n)[: min(n, 2 * count)]
    chosen = X[sketch] if hasattr(X, "shape") else [X[i] for i in sketch]
    values, vectors = np.linalg.eigh(np.asarray(kernel(chosen), dtype=np.float64))
    rest = np.maximum(values[: max(0, len(values) - count)], 0.0).sum() / count
    strength = max(rest, 1e-10 * max(float(values.max(initial=0.0)), 1e-300))
    root = vectors / np.sqrt(np.maximum(values, 0.0) + strength)
    explained = np.asarray(kernel(X, chosen), dtype=np.float64) @ root
    left = kernel.diagonal(X) - np.einsum("ij,ij->i", explained, explained)
    scores = np.maximum(left, 1e-12 * np.abs(left).max(initial=0.0))
    total = scores.sum()
    shares = scores / total if total > 0 else np.full(n, 1.0 / n)
    return draw.choice(n, size=count, replace=False, p=shares)


def choose_by_means(X: Matrix, count: int, draw: RandomState) -> Matrix:
    """Return the centres of `count` clusters of samples, by Lloyd's iteration."""
    data = np.asarray(X, dtype=np.float64)
    centres = _spread(data, count, draw)
    for _ in range(ROUNDS):
        nearest = cdist(data, centres, "sqeuclidean").argmin(axis=1)
        moved = _means(data, nearest, centres)
        if np.allclose(moved, centres):
            break
        centres = moved
    return centres.astype(X.dtype)


def _spread(data: Matrix, count: int, draw: RandomState) -> Matrix:
    """Draw first centres far from each other, by squared distance to the nearest."""
    first = int(draw.randint(len(data)))
    chosen, apart = [first], cdist(data, data[[first]], "sqeuclidean")[:, 0]
    while len(chosen) < count:
        total = apart.sum()
        # Where only copies are left, any of them will do.
        shares = apart / total if total > 0 else None
        chosen.append(int(draw.choice(len(data), p=shares)))
        new = cdist(data, data[[chosen[-1]]], "sqeuclidean")[:, 0]
        apart = np.minimum(apart, new)
    return np.asarray(data[chosen])


def _means(data: Matrix, nearest: Indices, centres: Matrix) -> Matrix:
    sizes = np.bincount(nearest, minlength=len(centres))
    sums = np.zeros_like(centres)
    np.add.at(sums, nearest, data)
    # A centre that lost its cluster stays where it is.
    empty = sizes[:, None] == 0
    return np.where(empty, centres, sums / np.maximum(sizes, 1)[:, None])
