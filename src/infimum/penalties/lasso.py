"""Lasso: the sum of absolute values, which sets coefficients to zero."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.parameters import positive
from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Vector

__all__ = ["Lasso"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Pull z towards 0 by step·strength; with `positive`, cut at 0."""
    size = np.maximum(np.abs(z) - step * parameters[0], 0.0)
    return np.maximum(np.sign(z), -1.0 + parameters[1]) * size


@dataclass(frozen=True)
class Lasso(SeparablePenalty):
    r"""Lasso (ℓ₁) penalty; with `positive`, on non-negative coefficients only.

    .. math:: \Omega(w) = \text{strength}\,\|w\|_1

    The kink at 0 makes solutions sparse: a coefficient leaves 0 only when its column
    correlates with the residual by more than `strength`.

    Examples
    --------
    >>> import numpy as np
    >>> round(Lasso(0.1).value(np.array([1.0, -2.0])), 3)
    0.3
    >>> Lasso(0.1).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 0.95, -1.95])
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    positive: bool = False

    shrink: ClassVar[Formula] = staticmethod(shrink)

    @property
    def corner(self) -> float:
        return self.strength

    @property
    def elastic(self) -> tuple[float, float] | None:
        return self.strength, 0.0

    def value(self, w: Vector) -> float:
        if self.positive and np.any(w < 0):
            return np.inf
        return self.strength * float(np.abs(w).sum())

    def conjugate(self, v: Vector) -> float:
        return 0.0 if self._largest(v) <= self.strength * (1.0 + 1e-12) else np.inf

    def dual_scale(self, v: Vector) -> float:
        largest = self._largest(v)
        return min(1.0, self.strength / largest) if largest > 0 else 1.0

    def _largest(self, v: Vector) -> float:
        return float((v if self.positive else np.abs(v)).max(initial=0.0))
