"""The loss of a risk as a function with second derivatives, its kinks rounded."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from infimum.losses import Loss
from infimum.objectives import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["RoundedLoss", "rounded_loss"]

#: Stands for minus infinity where differences are taken.
FAR_BELOW = -1e300
#: Kinks are rounded by no less than this share of what there is to gain.
SHARPEST = 1e-7


class RoundedLoss(Protocol):
    """What a Newton step asks of a loss; scores and slopes have one row per sample."""

    def finite(self, scores: Matrix) -> bool:
        """Tell whether the loss is finite at these scores."""

    def slopes(self, scores: Matrix) -> Matrix:
        """Return the gradient in the scores of each sample."""

    def bends(self, scores: Matrix) -> Matrix:
        """Return the Hessian in the scores of each sample."""

    def settle(self, scores: Matrix) -> Matrix:
        """Move the multipliers to where the scores pull them; return the slopes."""

    def sharpen(self, factor: float) -> None:
        """Round the kinks less, by a factor below 1, or more."""


def rounded_loss(risk: LinearRisk, scores: Matrix) -> RoundedLoss:
    """Return the loss itself if it is smooth, else its planes with rounded edges."""
    return _Smooth(risk) if risk.loss.smooth else _Planes(risk, scores)


class _Smooth:
    """A loss that needs no rounding."""

    def __init__(self, risk: LinearRisk) -> None:
        self.risk = risk

    def finite(self, scores: Matrix) -> bool:
        loss, risk = self.risk.loss, self.risk
        if np.isfinite(loss.curvature):
            return True
        losses = loss.value(risk.y, self._given(scores))
        return bool(np.isfinite(risk.weights @ losses))

    def slopes(self, scores: Matrix) -> Matrix:
        slopes = self.risk.loss.derivative(self.risk.y, self._given(scores))
        return slopes.reshape(scores.shape)

    def bends(self, scores: Matrix) -> Matrix:
        loss, y = self.risk.loss, self.risk.y
        if isinstance(loss, Loss):
            return loss.hessian(y, scores[:, 0])[:, None, None]
        units = np.eye(loss.outputs)
        columns = [loss.curve(y, scores, np.tile(u, (len(y), 1))) for u in units]
        return np.stack(columns, axis=-1)

    def settle(self, scores: Matrix) -> Matrix:
        return self.slopes(scores)

    def sharpen(self, factor: float) -> None:
        pass

    def _given(self, scores: Matrix) -> Vector:
        return scores[:, 0] if isinstance(self.risk.loss, Loss) else scores


class _Planes:
    r"""A sum of maxima of planes, each rounded around the current multipliers.

    .. math:: \max_{p \in \text{simplex}} \langle p, u \rangle
              - \tfrac t2 \|p - \bar p\|^2, \qquad u = \text{heights of the planes}

    The multipliers p share each term among its planes. The function lies below the
    maximum by t at most, and touches it where p is already right.
    """

    def __init__(self, risk: LinearRisk, scores: Matrix) -> None:
        planes = risk.loss.planes(risk.y)
        assert planes is not None
        self.risk, self.roundness = risk, risk.unit
        self.plane_slopes, heights = planes
        self.plane_heights = np.maximum(heights, FAR_BELOW)
        self.shares: Matrix = np.zeros(heights.shape)
        self.shares = self._mix(scores)

    def finite(self, scores: Matrix) -> bool:
        return True

    def slopes(self, scores: Matrix) -> Matrix:
        return self._slopes(self._mix(scores))

    def bends(self, scores: Matrix) -> Matrix:
        # The simplex projection moves the shares in use, less the mean of their moves.
        used = (self._mix(scores) > 0.0).astype(np.float64)
        chosen = self.plane_slopes * used[..., None]
        total = chosen.sum(axis=2)
        mean = total / used.sum(axis=2)[..., None]
        squares = np.einsum("itpk,itpl->ikl", chosen, self.plane_slopes)
        return np.asarray(
            (squares - np.einsum("itk,itl->ikl", mean, total)) / self.roundness
        )

    def settle(self, scores: Matrix) -> Matrix:
        self.shares = self._mix(scores)
        return self._slopes(self.shares)

    def sharpen(self, factor: float) -> None:
        self.roundness = max(factor * self.roundness, SHARPEST * self.risk.unit)

    def _heights(self, scores: Matrix) -> Matrix:
        along = np.einsum("itpk,ik->itp", self.plane_slopes, scores)
        return np.asarray(along + self.plane_heights)

    def _mix(self, scores: Matrix) -> Matrix:
        return _nearest_shares(self._heights(scores) / self.roundness + self.shares)

    def _slopes(self, shares: Matrix) -> Matrix:
        return np.asarray(np.einsum("itpk,itp->ik", self.plane_slopes, shares))


def _nearest_shares(x: Matrix) -> Matrix:
    """Project the rows of the last axis on the simplex."""
    x = x - x.max(axis=-1, keepdims=True)  # whole units of any size cancel exactly
    x = np.maximum(x, -2.0)  # 1 below the largest has no share; sums stay finite
    falling = -np.sort(-x, axis=-1)
    sums = np.cumsum(falling, axis=-1)
    ranks = np.arange(1, x.shape[-1] + 1)
    used = (falling - (sums - 1.0) / ranks > 0.0).sum(axis=-1, keepdims=True)
    level = (np.take_along_axis(sums, used - 1, axis=-1) - 1.0) / used
    return np.asarray(np.maximum(x - level, 0.0))
