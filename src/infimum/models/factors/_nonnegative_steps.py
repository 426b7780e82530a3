"""Steps of nonnegative factorisation by multiplications, and what they lower."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.features.columns import is_sparse
from infimum.typing import Matrix, Vector

__all__ = [
    "beta_divergence",
    "multiply_step",
    "pointwise",
    "step_parts",
    "step_power",
    "to_power",
]

EPSILON = float(np.finfo(np.float32).eps)


def pointwise(X: Any, W: Matrix, H: Matrix) -> tuple[Any, Any, Any]:
    """Return data, estimates and positions: all of them, or those that are not 0."""
    if not is_sparse(X):
        return X, W @ H, None
    found = X.tocoo()
    rows, columns = found.row, found.col
    told = np.einsum("ij,ij->i", W[rows], H.T[columns])
    return found.data, told, (rows, columns)


def beta_divergence(X: Any, W: Matrix, H: Matrix, beta: float) -> float:
    """Return the divergence of W H from X; half the squared error for beta 2."""
    if beta == 2.0:
        return 0.5 * max(_squared_error(X, W, H), 0.0)
    data: Any
    told: Any
    data, told, _ = pointwise(X, W, H)
    there = np.asarray(data) > EPSILON
    data, told = np.asarray(data)[there], np.maximum(np.asarray(told)[there], EPSILON)
    total = float(W.sum(axis=0) @ H.sum(axis=1))
    if beta == 1.0:
        return float(np.sum(data * np.log(data / told)) + total - data.sum())
    if beta == 0.0:
        odds = data / told
        return float(np.sum(odds - np.log(odds)) - np.prod(X.shape))
    powers = np.sum(np.maximum(W @ H, EPSILON) ** beta)
    value = np.sum(data**beta) + (beta - 1.0) * powers
    value -= beta * np.sum(data * told ** (beta - 1.0))
    return float(value / (beta * (beta - 1.0)))


def _squared_error(X: Any, W: Matrix, H: Matrix) -> float:
    if not is_sparse(X):
        residual = W @ H
        residual -= X
        return float(np.vdot(residual, residual))
    cross = float(np.sum(np.asarray(X @ H.T) * W))
    own = float(np.sum((W.T @ W) * (H @ H.T)))
    return float(X.multiply(X).sum()) - 2.0 * cross + own


def multiply_step(
    X: Any, W: Matrix, H: Matrix, beta: float, l1: float, l2: float
) -> Matrix:
    """Return W after one multiplicative step towards X ≈ W H."""
    above, below = step_parts(X, W, H, beta, l1, l2)
    above /= below
    return np.asarray(W * to_power(above, step_power(beta)))


def step_parts(
    X: Any, W: Matrix, H: Matrix, beta: float, l1: float, l2: float
) -> tuple[Matrix, Matrix]:
    """Return what a multiplicative step of W multiplies by, and divides by."""
    above: Matrix
    below: Matrix
    if beta == 2.0:
        above, below = np.asarray(X @ H.T), W @ (H @ H.T)
    else:
        above, below = _ratios(X, W, H, beta)
    if l1 or l2:
        below = below + l1 + l2 * W
    below[below == 0.0] = EPSILON
    return above, below


def step_power(beta: float) -> float:
    """Return the power of the ratio under which a step never goes up."""
    if beta < 1.0:
        return 1.0 / (2.0 - beta)
    return 1.0 / (beta - 1.0) if beta > 2.0 else 1.0


def to_power(values: Matrix, power: float) -> Matrix:
    """Return a power of values, themselves for 1."""
    return values if power == 1.0 else np.asarray(values**power)


def _ratios(X: Any, W: Matrix, H: Matrix, beta: float) -> tuple[Matrix, Matrix]:
    data, told, places = pointwise(X, W, H)
    told = np.maximum(told, EPSILON)
    scaled = data * told ** (beta - 2.0)
    if places is None:
        above = scaled @ H.T
    else:
        from scipy import sparse

        above = np.asarray(sparse.csr_matrix((scaled, places), X.shape) @ H.T)
    if beta == 1.0:
        sums: Vector = H.sum(axis=1)
        return above, np.tile(sums, (len(W), 1))
    everything = np.maximum(W @ H, EPSILON)
    return above, np.asarray(everything ** (beta - 1.0) @ H.T)
