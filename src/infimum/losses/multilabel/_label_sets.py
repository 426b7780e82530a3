"""Base of the multilabel losses: a set of labels per sample, each 0 or 1."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from infimum.errors import IncompatibleError
from infimum.losses._loss import ROUNDING, VectorLoss
from infimum.parameters import whole
from infimum.typing import Matrix, Vector

__all__ = ["LabelRanking", "LabelSets"]


@dataclass(frozen=True)
class LabelSets(VectorLoss):
    """A piecewise linear loss of one score per label; y has a row of zeros and ones."""

    labels: int = field(default=3, metadata={"domain": whole(2)})

    target: ClassVar[str] = "labels"
    shift_invariant: ClassVar[bool] = True
    #: Slopes this far beyond the domain of ℓ* count as inside; proofs pay for it.
    wall: ClassVar[float] = 1e3 * ROUNDING
    curvature: ClassVar[float] = np.inf

    @property
    def outputs(self) -> int:
        return self.labels

    def curve(self, y: Matrix, f: Matrix, u: Matrix) -> Matrix:
        raise IncompatibleError(f"{type(self).__name__} has a kink: no curvature.")


@dataclass(frozen=True)
class LabelRanking(LabelSets):
    """A loss of pairs: each label of the set against each label outside.

    A slope takes from the labels of the set what it gives to those outside, so its
    entries sum to 0; the conjugate is minus what is given, where that is feasible.
    """

    def conjugate(self, y: Matrix, s: Matrix) -> Vector:
        given = np.where(y > 0, 0.0, s).sum(axis=1)
        sums = np.abs(s.sum(axis=1)) <= self.wall * (1.0 + np.abs(given))
        inside = sums & (self.slack(y, s) >= -self.wall)
        return np.asarray(np.where(inside, -given, np.inf))

    def centre(self, y: Matrix, weights: Vector) -> Matrix:
        # A pair gives in proportion to how often the opposite pair occurs: what flows
        # from a to b then equals what flows from b to a.
        inside, outside = y > 0, y <= 0
        opposite = self._pairs(y, weights).T
        taken = inside * (outside @ opposite.T)
        given = outside * (inside @ opposite)
        top = max(float(given.sum(axis=1).max()), 1e-300)
        return np.asarray(0.5 * (given - taken) / top)

    @staticmethod
    def _pairs(y: Matrix, weights: Vector | None) -> Matrix:
        """Return how often (row) is in the set while (column) is not."""
        weights = np.ones(len(y)) if weights is None else weights
        return np.asarray(((y > 0).T * weights) @ (y <= 0).astype(np.float64))

    @staticmethod
    def _leads(y: Matrix) -> tuple[Matrix, Matrix]:
        """Return the slope e_b - e_a of each pair, and 1 where it counts, else -inf."""
        units, n = np.eye(y.shape[1]), len(y)
        slopes = (units[None, :, :] - units[:, None, :]).reshape(-1, y.shape[1])
        pairs = (y > 0)[:, :, None] & (y <= 0)[:, None, :]
        return slopes, np.where(pairs.reshape(n, -1), 1.0, -np.inf)
