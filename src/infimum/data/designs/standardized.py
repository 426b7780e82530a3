"""Standardised design: shifted and scaled on the fly, never densified."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infimum.data.designs._design import Design, Judged
from infimum.data.designs.dense import DenseDesign
from infimum.typing import Indices, Matrix, Vector

__all__ = ["StandardizedDesign"]

#: Twice, and a little for the rounding of lengths that nearly cancelled.
DOUBLED = 2.0001
#: Squares of which no more than this share is left have mostly cancelled.
CANCELLED = 1e-8


@dataclass(frozen=True, eq=False)
class StandardizedDesign(Design):
    """(X - 1·shiftᵀ)·diag(1/scale), computed from products with X alone.

    `weights` are those under which the shift is the mean, where it is one.
    """

    original: Design
    shift: Vector
    scale: Vector
    weights: Vector | None = None

    def __post_init__(self) -> None:
        facts = ("shape", "dtype", "pooled")
        vars(self).update({name: getattr(self.original, name) for name in facts})

    def scores(self, w: Vector) -> Vector:
        rescaled = (w.T / self.scale).T
        return np.asarray(self.original.scores(rescaled) - self.shift @ rescaled)

    def pull_back(self, s: Vector) -> Vector:
        raw = self.original.pull_back(s)
        return np.asarray(
            (raw - np.multiply.outer(self.shift, s.sum(axis=0))).T / self.scale
        ).T

    def gram(self, s: Vector | None = None) -> Matrix:
        ones = np.ones(self.shape[0]) if s is None else s
        means = np.outer(self.original.pull_back(ones), self.shift)
        square = np.outer(self.shift, self.shift) * ones.sum()
        centred = self.original.gram(s) - means - means.T + square
        return np.asarray(centred / np.outer(self.scale, self.scale))

    def columns(self, chosen: Indices) -> Design:
        kept = self.original.columns(chosen)
        shift, scale = self.shift[chosen], self.scale[chosen]
        if isinstance(kept, DenseDesign):
            X = (kept.X - shift.astype(kept.dtype)) / scale.astype(kept.dtype)
            return DenseDesign(np.asfortranarray(X))
        return StandardizedDesign(kept, shift, scale, self.weights)

    def rows(self, chosen: Indices) -> StandardizedDesign:
        return StandardizedDesign(self.original.rows(chosen), self.shift, self.scale)

    def squared_norms(self, s: Vector | None = None) -> Vector:
        ones = np.ones(self.shape[0]) if s is None else s
        if self.weights is not None and np.array_equal(self.weights, ones):
            cross = self.shift**2 * ones.sum()  # what it is about the mean
        else:
            cross = self.shift * self.original.pull_back(ones)
        before = self.original.squared_norms(s)
        raw = before - 2 * cross + self.shift**2 * ones.sum()
        far = np.flatnonzero(raw <= CANCELLED * before)
        if len(far) and isinstance(self.original, DenseDesign):
            # Next to nothing is left of these columns: subtract first, then square.
            near = self.original.X[:, far] - self.shift[far]
            raw[far] = np.einsum("ij,ij,i->j", near, near, ones)
        return np.asarray(np.maximum(raw, 0.0) / self.scale**2)

    def reach(self, s: Vector, lengths: Vector | None = None) -> Vector:
        own = super().reach(s, lengths)
        # A column is no longer than what is left of it, and what was taken off.
        taken = np.abs(self.shift) * float(np.sqrt(s.sum()))
        return np.asarray(own + DOUBLED * taken / self.scale)

    @property
    def depth(self) -> int:
        return self.original.depth + 2

    def in_double(self) -> Design:
        original = self.original.in_double()
        return StandardizedDesign(original, self.shift, self.scale, self.weights)

    def as_given(self) -> Design:
        return self.original.as_given()

    def single(self) -> Design:
        if not isinstance(self.original, DenseDesign):
            return self
        X = np.empty(self.shape, dtype=np.float32)
        np.subtract(self.original.X, self.shift, out=X, casting="same_kind")
        return DenseDesign(np.divide(X, self.scale, out=X, casting="same_kind"))

    def judge(
        self, point: Vector, y: Vector, shares: Vector, loss: tuple[str, float]
    ) -> Judged | None:
        rescaled = point[:-1] / self.scale
        raw = np.append(rescaled, point[-1] - self.shift @ rescaled)
        judged = self.original.judge(raw, y, shares, loss)
        if judged is None:
            return None
        sides = judged.sides.copy()
        sides[:, :-1] -= np.outer(sides[:, -1], self.shift)
        sides[:, :-1] /= self.scale
        return judged._replace(sides=sides)

    def toarray(self) -> Matrix:
        moved = np.asarray(self.original.toarray() - self.shift)
        if np.result_type(moved, self.scale) != moved.dtype:
            return np.asarray(moved / self.scale)
        moved /= self.scale  # in place: a table may be large
        return moved
