"""Ball: coefficients are free up to a length and forbidden beyond it."""

import math
from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import Choice, positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["Ball"]

#: Lengths this much above the radius, relative to it, count as inside.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Ball(Penalty):
    r"""Indicator of a ball: 0 inside, infinite outside.

    .. math:: \Omega(w) = 0 \text{ if } \|w\|_p \le \text{radius}, \text{ else } \infty

    The constrained (Ivanov) form of regularisation: of the ridge with `order` 2, of the
    lasso with `order` 1; `order` infinity bounds each coefficient. Where the constraint
    binds, some strength of the penalised (Tikhonov) form has the same minimiser, and
    every minimiser of that form solves this one with its own length as the radius.

    Examples
    --------
    >>> import numpy as np
    >>> Ball(2.5).prox(np.array([3.0, 4.0]), 1.0)
    array([1.5, 2. ])
    >>> Ball(1.0, order=1).prox(np.array([2.0, -0.5]), 1.0)
    array([ 1., -0.])
    """

    radius: float = field(default=1.0, metadata={"domain": positive})
    order: float = field(default=2, metadata={"domain": Choice((1, 2, math.inf))})

    def value(self, w: Vector) -> float:
        return 0.0 if self._length(w) <= self.radius * (1.0 + ROUNDING) else np.inf

    def conjugate(self, v: Vector) -> float:
        if self.order == 1:
            return self.radius * float(np.abs(v).max(initial=0.0))
        if self.order == math.inf:
            return self.radius * float(np.abs(v).sum())
        return self.radius * self._length(v)

    def prox(self, w: Vector, step: float) -> Vector:
        length = self._length(w)
        if length <= self.radius:
            return np.array(w)
        if self.order == 1:
            return np.asarray(np.sign(w) * np.maximum(np.abs(w) - self._cut(w), 0.0))
        if self.order == math.inf:
            return np.clip(w, -self.radius, self.radius)
        return np.asarray(w * (self.radius / length))

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        length, flat = self._length(w), np.ravel(w)
        if length <= self.radius:
            return np.zeros((w.size, w.size))
        if self.order == 1:
            sign = np.sign(self.prox(w, 1.0)).ravel()
            return (
                np.diag(1.0 - sign**2) + np.outer(sign, sign / (sign @ sign))
            ) / step
        if self.order == math.inf:
            return np.diag(np.abs(flat) > self.radius) / step
        share, unit = self.radius / length, flat / length
        return ((1.0 - share) * np.eye(w.size) + share * np.outer(unit, unit)) / step

    def dual_scale(self, v: Vector) -> float:
        return 1.0

    def _length(self, w: Vector) -> float:
        if self.order == 1:
            return float(np.abs(w).sum())
        if self.order == math.inf:
            return float(np.abs(w).max(initial=0.0))
        return float(np.sqrt((w * w).sum()))

    def _cut(self, w: Vector) -> float:
        """Return what to take off every size so that the sizes sum to the radius."""
        sizes = np.sort(np.abs(w), axis=None)[::-1]
        cuts = (np.cumsum(sizes) - self.radius) / np.arange(1, sizes.size + 1)
        return float(cuts[np.flatnonzero(sizes > cuts)[-1]])
