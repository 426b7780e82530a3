"""Elastic net: the lasso and ridge regression, and everything between."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.parameters import closed, positive
from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Vector

__all__ = ["ElasticNet"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Pull z towards 0 by the l1 part, then scale it down by the l2 part."""
    l1 = step * parameters[0] * parameters[1]
    l2 = step * parameters[0] * (1.0 - parameters[1])
    size = np.maximum(np.abs(z) - l1, 0.0) / (1.0 + l2)
    return np.maximum(np.sign(z), -1.0 + parameters[2]) * size


@dataclass(frozen=True)
class ElasticNet(SeparablePenalty):
    r"""Elastic-net penalty; `l1_ratio=1` is the lasso, `l1_ratio=0` is ridge.

    .. math:: \Omega(w) = \text{strength}\,\bigl(
              \rho \|w\|_1 + \tfrac{1 - \rho}{2} \|w\|_2^2 \bigr)

    Sparse like the lasso, stable like ridge: correlated columns share their weight.
    With `positive`, coefficients below 0 are forbidden.

    Examples
    --------
    >>> import numpy as np
    >>> ElasticNet(0.1, 0.5).value(np.array([1.0, -2.0]))
    0.275
    >>> ElasticNet(0.1, 0.5).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 0.951, -1.927])
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    l1_ratio: float = field(default=0.5, metadata={"domain": closed(0, 1)})
    positive: bool = False

    shrink: ClassVar[Formula] = staticmethod(shrink)

    @property
    def quadratic(self) -> float | None:
        return self.strength if self.l1_ratio == 0.0 and not self.positive else None

    @property
    def corner(self) -> float:
        return self.strength * self.l1_ratio

    @property
    def elastic(self) -> tuple[float, float] | None:
        return self.corner, self.strength * (1.0 - self.l1_ratio)

    def value(self, w: Vector) -> float:
        if self.positive and np.any(w < 0):
            return np.inf
        l1, l2 = np.abs(w).sum(), 0.5 * (w * w).sum()
        return float(self.strength * (self.l1_ratio * l1 + (1 - self.l1_ratio) * l2))

    def conjugate(self, v: Vector) -> float:
        excess = np.maximum(self._size(v) - self.corner, 0.0)
        if self.l1_ratio == 1.0:  # the lasso: Ω* is the wall of a box
            return 0.0 if excess.max(initial=0.0) <= 1e-12 * self.strength else np.inf
        return float((excess**2).sum() / (2 * self.strength * (1 - self.l1_ratio)))

    def dual_scale(self, v: Vector) -> float:
        if self.l1_ratio < 1.0:
            return 1.0
        largest = float(self._size(v).max(initial=0.0))
        return min(1.0, self.strength / largest) if largest > 0 else 1.0

    def _size(self, v: Vector) -> Vector:
        return v if self.positive else np.abs(v)
