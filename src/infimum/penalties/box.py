"""Box: coefficients are free between two bounds and forbidden outside."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domains
from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Vector

__all__ = ["Box"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Clip z to the box."""
    return np.minimum(np.maximum(z, parameters[0]), parameters[1])


@dataclass(frozen=True)
class Box(SeparablePenalty):
    r"""Indicator of a box: 0 inside, infinite outside.

    .. math:: \Omega(w) = 0 \text{ if } \text{low} \le w_j \le \text{high}
              \text{ for all } j, \text{ else } \infty

    ``Box(0, inf)`` is non-negative regression; a bounded box is the constrained
    (Ivanov) form of regularisation in the maximum norm.

    Examples
    --------
    >>> import numpy as np
    >>> Box(-1.0, 1.0).value(np.array([1.0, -2.0]))
    inf
    >>> Box(-1.0, 1.0).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 1., -1.])
    """

    low: float = field(default=-1.0)
    high: float = field(default=1.0)

    shrink: ClassVar[Formula] = staticmethod(shrink)

    def __post_init__(self) -> None:
        check_domains(self)
        if not self.low <= 0.0 <= self.high or self.low == self.high:
            raise InvalidParameterError(
                f"Box must have low <= 0 <= high and some width, got low={self.low!r} "
                f"and high={self.high!r}."
            )

    def value(self, w: Vector) -> float:
        return 0.0 if np.all((w >= self.low) & (w <= self.high)) else np.inf

    def conjugate(self, v: Vector) -> float:
        if not np.array_equal(self.admit(v), v):
            return np.inf
        with np.errstate(invalid="ignore"):
            return float(np.nansum(np.maximum(self.low * v, self.high * v)))

    def support(self, sizes: Vector, level: float) -> float:
        ends = np.abs([self.low, self.high])
        return float(ends[np.isfinite(ends)].max(initial=0.0) * np.sum(sizes))

    def dual_scale(self, v: Vector) -> float:
        return 1.0 if np.array_equal(self.admit(v), v) else 0.0

    def admit(self, v: Vector) -> Vector:
        above = np.inf if np.isfinite(self.high) else 0.0
        below = -np.inf if np.isfinite(self.low) else 0.0
        return np.clip(v, below, above)
