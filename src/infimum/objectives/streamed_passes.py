"""What a pass computes of a leaf of rows for a linear risk: sums, nothing longer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.losses import Loss, VectorLoss
from infimum.typing import Matrix, Vector

__all__ = [
    "ConjugatePass",
    "HessianPass",
    "NullPass",
    "Reading",
    "RiskPass",
    "curvature",
]


@dataclass(frozen=True, eq=False)
class Reading:
    """How the targets and weights of a leaf are meant: as numbers, signs or codes.

    `numbers` stand for the classes, in the order of these; `positive` is the class
    that is told from the others; `factors` multiply the weights of classes.
    """

    total: float
    numbers: Vector | None = None
    positive: int | None = None
    factors: Vector | None = None
    origin: float = 0.0
    #: The share of each class in the total; None where targets are numbers.
    shares: Vector | None = None

    def __call__(self, leaf: Any) -> tuple[Vector, Vector]:
        """Return the targets of a leaf, and the share of each row."""
        if self.numbers is None:
            y = leaf.y - self.origin if self.origin else leaf.y
            return y, leaf.w / self.total
        if self.positive is not None and self.factors is None:
            positive = leaf.y == self.numbers[self.positive]
            return np.where(positive, 1.0, -1.0), leaf.w / self.total
        order = np.argsort(self.numbers)
        codes = order[np.searchsorted(self.numbers[order], leaf.y)]
        q = leaf.w if self.factors is None else leaf.w * self.factors[codes]
        if self.positive is None:
            return codes.astype(np.float64), q / self.total
        return np.where(codes == self.positive, 1.0, -1.0), q / self.total

    def targets(self) -> Vector:
        """Return the target that stands for each class."""
        assert self.numbers is not None
        codes = np.arange(len(self.numbers), dtype=np.float64)
        if self.positive is None:
            return codes
        return np.where(codes == self.positive, 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class NullPass:
    """The mean loss of a constant score, and the least one; X is not looked at."""

    reading: Reading
    loss: Loss | VectorLoss
    score: Vector

    def __call__(self, leaf: Any) -> tuple[float, float]:
        y, q = self.reading(leaf)
        scores = np.broadcast_to(self.score, (len(y), *np.shape(self.score)))
        value = q @ self.loss.value(y, np.array(scores))
        return float(value), float(q @ self.loss.least(y))


@dataclass(frozen=True, eq=False)
class RiskPass:
    """Mean loss, its gradient, and what balances the slopes for a free intercept.

    For a scalar loss: value, Σ q·s·(x, 1) over positive slopes and over the others,
    a chord, Σ q·|s|. For a loss of several scores: value, gradient, Σ q·slack, Σ q·|s|.
    The chord is Σ q·ℓ*(y, s) at the slopes, and at slopes shorter by the share
    `shrink`, each over positive slopes and over the others.
    """

    reading: Reading
    loss: Loss | VectorLoss
    point: Vector
    #: By what share slopes may have to shrink for a free intercept; 0 if not asked.
    shrink: float = 0.0

    def __call__(self, leaf: Any) -> tuple[Any, ...]:
        y, q = self.reading(leaf)
        if isinstance(self.loss, VectorLoss):
            scores = leaf.X @ self.point[:-1] + self.point[-1]
            slopes = settled(self.loss, self.loss.derivative(y, scores))
            weighted = (slopes.T * q).T
            slack = float(q @ np.maximum(self.loss.slack(y, slopes), 0.0))
            size = float(np.abs(weighted).sum())
            value = float(q @ self.loss.value(y, scores))
            return value, _pulled(leaf.X, weighted), slack, size
        scores, slopes, value, pulled = self._judged(leaf.X, y, q)
        size = float(pulled[-1, 0] - pulled[-1, 1])
        chord = np.zeros((2, 2))
        if self.shrink:
            touch = slopes * scores - self.loss.value(y, scores)
            short = self.loss.conjugate(y, (1.0 - self.shrink) * slopes)
            for line, values in zip(chord, (touch, short), strict=True):
                line[:] = _by_sign(slopes > 0.0, q * values)
        return value, pulled, chord, size

    def _judged(self, X: Any, y: Vector, q: Vector) -> tuple[Any, ...]:
        """Return scores, slopes, value and the pull of positive and other slopes."""
        known = getattr(self.loss, "fused", None)
        scores: Any
        slopes: Any
        if known is not None and isinstance(X, np.ndarray):
            from infimum.compiled.products.fused_pass import judge_block  # numba

            scores, slopes = np.empty((2, len(y)))
            w, b = np.ascontiguousarray(self.point[:-1]), float(self.point[-1])
            value, sides = judge_block((X, y, q), w, b, known, (scores, slopes))
            return scores, slopes, value, sides.T
        scores = X @ self.point[:-1] + self.point[-1]
        slopes = self.loss.derivative(y, scores)
        weighted = q * slopes
        parts = np.stack([np.maximum(weighted, 0.0), np.minimum(weighted, 0.0)])
        value = float(q @ self.loss.value(y, scores))
        return scores, slopes, value, _pulled(X, parts.T)


@dataclass(frozen=True, eq=False)
class ConjugatePass:
    """Σ q·ℓ*(y, s) for slopes balanced by a few numbers, and their pull on (x, 1)."""

    reading: Reading
    loss: Loss | VectorLoss
    point: Vector
    #: Factors on positive and other slopes; or what a unit of slack takes off.
    balance: Vector

    def __call__(self, leaf: Any) -> tuple[Any, ...]:
        y, q = self.reading(leaf)
        scores = leaf.X @ self.point[:-1] + self.point[-1]
        slopes = self.loss.derivative(y, scores)
        if isinstance(self.loss, VectorLoss):
            slopes = settled(self.loss, slopes)
            slack = np.maximum(self.loss.slack(y, slopes), 0.0)
            slopes = slopes - np.outer(slack, self.balance)
            slopes = settled(self.loss, slopes)
            pulled = _pulled(leaf.X, (slopes.T * q).T)
            return float(q @ self.loss.conjugate(y, slopes)), pulled
        upper, lower = self.balance
        slopes = np.where(slopes > 0.0, upper * slopes, lower * slopes)
        return float(q @ self.loss.conjugate(y, slopes)), 0.0


@dataclass(frozen=True, eq=False)
class HessianPass:
    """The second derivatives of the mean loss at a point: a weighted Gram matrix."""

    reading: Reading
    loss: Loss | VectorLoss
    point: Vector

    def __call__(self, leaf: Any) -> tuple[Matrix]:
        y, q = self.reading(leaf)
        return (curvature(self.loss, leaf.X, (y, q), self.point),)


def _by_sign(positive: Any, values: Vector) -> tuple[float, float]:
    """Return the sums of the values that are marked, and of the others."""
    upper = np.where(positive, values, 0.0)
    return float(upper.sum()), float(np.where(positive, 0.0, values).sum())


def settled(loss: VectorLoss, slopes: Matrix) -> Matrix:
    """Make the slopes of each row sum to 0 where a loss demands it."""
    if not loss.shift_invariant:
        return slopes
    return np.asarray(slopes - slopes.mean(axis=1, keepdims=True))


def curvature(
    loss: Loss | VectorLoss, X: Any, given: tuple[Vector, Vector], point: Vector
) -> Matrix:
    """Return Σ q·(x, 1)(x, 1)ᵀ ⊗ ∂²ℓ; entries go by feature first, then by score."""
    y, q = given
    scores = X @ point[:-1] + point[-1]
    if not isinstance(loss, VectorLoss):
        return _gram(X, q * loss.hessian(y, scores))
    bend, count = loss.bending(y, scores), loss.outputs
    size = X.shape[1] + 1
    found = np.zeros((size, count, size, count))
    for k in range(count):
        unit = np.zeros((len(y), count))
        unit[:, k] = 1.0
        column = (bend(unit).T * q).T
        for m in range(k, count):
            found[:, k, :, m] = found[:, m, :, k] = _gram(X, column[:, m])
    return found.reshape(size * count, size * count)


def _gram(X: Any, weights: Vector) -> Matrix:
    d = X.shape[1]
    found = np.empty((d + 1, d + 1))
    if sparse.issparse(X):
        thin: Any = X
        scaled: Any = sparse.diags_array(weights) @ thin
        found[:d, :d] = (thin.T @ scaled).toarray()
    elif weights.min(initial=0.0) >= 0.0:
        scaled = X * np.sqrt(weights)[:, None]
        found[:d, :d] = scaled.T @ scaled
    else:
        found[:d, :d] = X.T @ (X * weights[:, None])
    found[:d, d] = found[d, :d] = X.T @ weights
    found[d, d] = weights.sum()
    return found


def _pulled(X: Any, weighted: Matrix) -> Matrix:
    """Return Σ s·(x, 1), a column for each column of slopes."""
    return np.concatenate([X.T @ weighted, weighted.sum(axis=0)[None, :]])
