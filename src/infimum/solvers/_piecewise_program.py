"""A piecewise linear risk written as one program: terms, walls, and a linear map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from infimum.losses import Loss
from infimum.objectives import LinearRisk
from infimum.penalties import SeparablePenalty
from infimum.typing import Matrix, Vector

__all__ = ["PiecewiseProgram"]


@dataclass(frozen=True, eq=False)
class PiecewiseProgram:
    """Minimise Σₖ max(low·r, high·r) + l2/2·‖w‖² where r = A(w, b) - kink.

    The rows of A are the samples (once per term of the loss), then, when there is a
    lasso part, the coefficients themselves: |wⱼ| is one more two-sided hinge.
    """

    risk: LinearRisk
    copies: int
    kink: Vector
    low: Vector
    high: Vector
    l1: Vector
    l2: Vector

    @classmethod
    def of(cls, risk: LinearRisk) -> PiecewiseProgram:
        """Write `risk` in this form; samples of weight 0 keep a hair of width."""
        assert isinstance(risk.loss, Loss)
        assert isinstance(risk.penalty, SeparablePenalty)
        pieces = risk.loss.pieces(risk.y)
        assert pieces is not None
        assert risk.penalty.elastic is not None
        d = risk.design.shape[1]
        l1, l2 = (np.broadcast_to(price, d) for price in risk.penalty.elastic)
        offset = 0.0 if risk.offset is None else risk.offset
        weights = np.maximum(risk.weights, 1e-14 / len(risk.y))
        kinks = [np.asarray(kink, np.float64) - offset for kink, _, _ in pieces]
        lows = [weights * low for _, low, _ in pieces]
        highs = [weights * high for _, _, high in pieces]
        if l1.any():
            width = np.maximum(l1, 1e-14 * l1.max())  # free ones keep a hair, too
            kinks.append(np.zeros(d))
            lows.append(-width)
            highs.append(width)
        return cls(
            risk,
            len(pieces),
            np.concatenate(kinks),
            np.concatenate(lows),
            np.concatenate(highs),
            l1,
            l2,
        )

    @cached_property
    def lasso(self) -> bool:
        """Whether the coefficients are terms themselves."""
        return bool(self.l1.any())

    @cached_property
    def curved(self) -> bool:
        """Whether the program is quadratic rather than linear."""
        return bool(self.l2.any())

    def forward(self, direction: Vector) -> Vector:
        """Return A(w, b)."""
        moved = np.asarray(self.risk.design.scores(direction[:-1]), np.float64)
        if self.risk.intercept:
            moved = moved + direction[-1]
        if self.copies == 1 and not self.lasso:
            return moved
        parts = [moved] * self.copies
        return np.concatenate([*parts, direction[:-1]] if self.lasso else parts)

    def residual(self, point: Vector) -> Vector:
        """Return A(w, b) - kink."""
        return self.forward(point) - self.kink

    def pull_back(self, pull: Vector) -> Vector:
        """Return Aᵀ pull."""
        samples, d = self._by_sample(pull), len(self.l1)
        found = np.empty(d + 1)
        found[:d] = self.risk.design.pull_back(samples)
        if self.lasso:
            found[:d] += pull[self.copies * len(samples) :]
        found[d] = samples.sum() if self.risk.intercept else 0.0
        return found

    def _by_sample(self, pull: Vector) -> Vector:
        """Return the pulls of all terms of each sample."""
        n = len(self.risk.y)
        if self.copies == 1:
            return pull[:n]
        return np.asarray(pull[: self.copies * n].reshape(self.copies, n).sum(axis=0))

    def stationarity(self, point: Vector, pull: Vector) -> Vector:
        """Return Aᵀ pull + l2·w, which vanishes at the optimum."""
        total = self.pull_back(pull)
        total[:-1] += self.l2 * point[:-1]
        return total

    def hessian(self, tilt: Vector) -> Matrix:
        """Return Aᵀ diag(tilt) A + l2·I."""
        n, d = self.risk.design.shape
        samples = self._by_sample(tilt)
        matrix = np.zeros((d + 1, d + 1))
        matrix[:d, :d] = self.risk.design.gram(samples)
        extra = tilt[self.copies * n :] if self.lasso else 0.0
        matrix.flat[: d * (d + 1) : d + 2] += self.l2 + extra
        matrix[d, d] = 1.0
        if self.risk.intercept:
            matrix[:d, d] = matrix[d, :d] = self.risk.design.pull_back(samples)
            matrix[d, d] = samples.sum()
        return matrix

    def slopes(self, pull: Vector) -> Vector:
        """Return the slope of the loss that each sample's pull amounts to."""
        samples, weights = self._by_sample(pull), self.risk.weights
        zeros = np.zeros(len(samples))
        return np.asarray(np.divide(samples, weights, out=zeros, where=weights > 0))
