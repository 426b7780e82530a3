"""Local pictures of a manifold, and the matrix that adds up their misfits."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.typing import Indices, Matrix

__all__ = ["barycentric_weights", "hessian_misfit", "tangent_misfit", "weights_misfit"]

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
