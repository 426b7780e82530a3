"""Local pictures of a manifold, and the matrix that adds up their misfits."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "barycentric_weights",
    "hessian_misfit",
    "modified_misfit",
    "tangent_misfit",
    "weights_misfit",
]

#: Neighbourhoods whose inner products are held at a time.
BLOCK = 4096


def barycentric_weights(X: Matrix, known: Matrix, names: Indices, reg: float) -> Matrix:
    """Return weights of sum 1 with which neighbours add up to each sample.

    As near as they can, with a ridge of `reg` times the trace, since more neighbours
    than dimensions leave the weights open.
    """
    n, k = names.shape
    weights = np.empty((n, k))
    for start in range(0, n, BLOCK):
        some = slice(start, min(n, start + BLOCK))
        apart = known[names[some]] - X[some][:, None]
        gram = apart @ apart.transpose(0, 2, 1)
        trace = np.trace(gram, axis1=1, axis2=2)
        ridge = np.where(trace > 0, reg * trace, max(reg, 1e-12))
        gram[:, np.arange(k), np.arange(k)] += ridge[:, None]
        weights[some] = np.linalg.solve(gram, np.ones((len(gram), k, 1)))[..., 0]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def weights_misfit(weights: Matrix, names: Indices) -> Any:
    """Return (I - W)ᵀ(I - W): how badly points obey the weights."""
    n, k = names.shape
    starts = np.arange(0, n * k + 1, k)
    W = sparse.csr_array((weights.ravel(), names.ravel(), starts), shape=(n, n))
    off: Any = sparse.eye_array(n, format="csr") - W
    return sparse.csr_array(off.T @ off)


def tangent_misfit(X: Matrix, names: Indices, count: int) -> Any:
    """Return how badly points fit an affine map of each tangent plane (LTSA)."""
    k = names.shape[1]
    blocks: list[Matrix] = []
    for near in names:
        plane = _tangent(X[near], count)
        frame = np.column_stack((np.full(k, 1.0 / np.sqrt(k)), plane))
        blocks.append(np.eye(k) - frame @ frame.T)
    return _add_up(blocks, names)


def hessian_misfit(X: Matrix, names: Indices, count: int, tol: float) -> Any:
    """Return how far points are from linear functions of each tangent plane."""
    k = names.shape[1]
    one, other = np.triu_indices(count)
    blocks: list[Matrix] = []
    for near in names:
        plane = _tangent(X[near], count)
        frame = np.column_stack((np.ones(k), plane, plane[:, one] * plane[:, other]))
        second = np.linalg.qr(frame)[0][:, count + 1 :]
        sums = second.sum(axis=0)
        second = second / np.where(np.abs(sums) < tol, 1.0, sums)
        blocks.append(second @ second.T)
    return _add_up(blocks, names)


def modified_misfit(
    X: Matrix, names: Indices, count: int, reg: float, tol: float
) -> Any:
    """Return how badly points obey several weights for each sample (MLLE).

    All weights that mix the neighbours about as well as the best ones do: those are
    turned so that each sums to 1. How many there are is told by the share of variance
    off the tangent plane, as half of the samples have it.
    """
    n, k = names.shape
    spectra, axes = np.zeros((n, k)), np.empty((n, k, k))
    for i, near in enumerate(names):
        axes[i], found, _ = np.linalg.svd(X[near] - X[i])
        spectra[i, : len(found)] = found**2
    kept = np.cumsum(spectra, axis=1)
    off = _ratio(kept[:, -1:] - kept, kept)
    eta = float(np.median(off[:, count - 1]))
    # At least one weight remains where the last axis carries all the variance.
    known = np.minimum((off[:, count - 1 : k - 1] >= eta).sum(axis=1) + count, k - 1)
    ones = axes.sum(axis=1)
    ridge = np.where(kept[:, -1] > 0, reg * kept[:, -1], max(reg, 1e-12))[:, None]
    best = np.einsum("ikj,ij->ik", axes, ones / (spectra + ridge))
    best /= best.sum(axis=1, keepdims=True)
    blocks: list[Matrix] = []
    for i in range(n):
        weights = _summing_to_one(axes[i][:, known[i] :], best[i], tol)
        frame = np.vstack((np.ones((1, weights.shape[1])), -weights))
        blocks.append(frame @ frame.T)
    return _add_up(blocks, np.column_stack((np.arange(n), names)))


def _ratio(above: Matrix, below: Matrix) -> Matrix:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _summing_to_one(flat: Matrix, best: Vector, tol: float) -> Matrix:
    """Return weights, a column each, that sum to 1 and span the flat directions.

    A reflection gives all columns the same sum; a part of the best weights the rest.
    """
    sums, size = flat.sum(axis=0), flat.shape[1]
    alike = float(np.linalg.norm(sums)) / np.sqrt(size)
    mirror = alike - sums
    length = float(np.linalg.norm(mirror))
    mirror = mirror / length if length > tol else np.zeros(size)
    turned = flat - 2.0 * np.outer(flat @ mirror, mirror)
    return np.asarray(turned + (1.0 - alike) * best[:, None])


def _tangent(near: Matrix, count: int) -> Matrix:
    """Return orthonormal coordinates of some neighbours along their widest axes."""
    left = np.linalg.svd(near - near.mean(axis=0), full_matrices=False)[0]
    return np.asarray(left[:, :count])


def _add_up(blocks: list[Matrix], names: Indices) -> Any:
    n, k = names.shape
    rows = np.repeat(names, k, axis=1).ravel()
    columns = np.tile(names, (1, k)).ravel()
    total = sparse.coo_array((np.array(blocks).ravel(), (rows, columns)), shape=(n, n))
    return sparse.csr_array(total)
