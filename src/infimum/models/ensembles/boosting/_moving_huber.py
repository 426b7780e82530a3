"""Huber's loss whose width follows the residuals, round by round."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.losses import Absolute, Huber, Quantile
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._leaf_minimum import leaf_minimum
from infimum.typing import Vector

__all__ = ["MovingHuber"]


class MovingHuber(BoostingLoss):
    """Huber's loss: quadratic for a share `level` of the residuals, linear beyond.

    The boundary is set before every round (Friedman 2001, algorithm 4); the first
    scores are the median.
    """

    def __init__(self, owner: str, level: float) -> None:
        super().__init__(owner, Huber())
        self.level = level

    def start(self, y: Vector, weights: Vector) -> Vector:
        """Return the median, and set the width around it."""
        middle = leaf_minimum(Absolute(), y, np.zeros(len(y)), weights, 0.0)
        self._widen(np.abs(y - middle), weights)
        return np.array([middle])

    def slopes(
        self, y: Vector, scores: Vector, weights: Vector | None, out: Any = None
    ) -> tuple[Vector, Vector]:
        """Set the width by the residuals of now; return the derivatives."""
        mass = np.ones(len(y)) if weights is None else weights
        self._widen(np.abs(y - scores[0])[mass > 0], mass[mass > 0])
        return super().slopes(y, scores, weights, out)

    def _widen(self, sizes: Vector, weights: Vector) -> None:
        flat = np.zeros(len(sizes))
        width = leaf_minimum(Quantile(self.level), sizes, flat, weights, 0.0)
        self.loss = Huber(max(width, np.finfo(np.float64).tiny))
