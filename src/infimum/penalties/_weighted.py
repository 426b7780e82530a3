"""Base of the weighted penalties: a number of its own for each coefficient."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.parameters import check_domains, positive
from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Matrix, Vector

__all__ = ["Weighted"]

#: Correlations this far beyond the corner, relative to it, count as inside.
ROUNDING = 1e-12


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Pull z towards 0 by the l1 part, then scale it down by the l2 part."""
    size = np.maximum(np.abs(z) - step * parameters[0], 0.0)
    return np.sign(z) * size / (1.0 + step * parameters[1])


@dataclass(frozen=True)
class Weighted(SeparablePenalty):
    """Ω(w) = strength·Σⱼ weightⱼ·(ρ|wⱼ| + (1 - ρ)/2·wⱼ²), for some ρ.

    A coefficient of weight 0 is free of charge. Left empty, all weights are 1.
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    weights: tuple[float, ...] = ()

    shrink: ClassVar[Formula] = staticmethod(shrink)

    def __post_init__(self) -> None:
        check_domains(self)
        given = np.array(self.weights or (1.0,), dtype=np.float64)
        if given.ndim != 1 or not np.all(np.isfinite(given) & (given >= 0.0)):
            raise InvalidParameterError(
                f"{type(self).__name__}.weights must be finite and at least 0, got "
                f"{self.weights!r}; leave out the column of a coefficient to exclude."
            )

    @property
    @abstractmethod
    def mix(self) -> float:
        """The share ρ of the lasso."""

    @property
    def parameters(self) -> Vector:
        return np.array([self.strength * self.mix, self.strength * (1.0 - self.mix)])

    @property
    def settings(self) -> Matrix:
        given = np.array(self.weights or (1.0,), dtype=np.float64)
        return np.outer(given, self.parameters)

    @property
    def corner(self) -> float | Vector:
        return self._spread(0)

    @property
    def elastic(self) -> tuple[float | Vector, float | Vector] | None:
        return self._spread(0), self._spread(1)

    def value(self, w: Vector) -> float:
        l1, l2 = self._prices(w)
        return float((l1 * np.abs(w) + 0.5 * l2 * w * w).sum())

    def conjugate(self, v: Vector) -> float:
        l1, l2 = self._prices(v)
        excess = np.maximum(np.abs(v) - l1, 0.0)
        steep = l2 == 0.0
        if np.any((excess > ROUNDING * l1) & steep):
            return np.inf
        return float(
            (np.where(steep, 0.0, excess) ** 2 / np.maximum(2 * l2, 1e-300)).sum()
        )

    def prox(self, w: Vector, step: float) -> Vector:
        return np.asarray(shrink(w, step, self._prices(w)))

    def dual_scale(self, v: Vector) -> float:
        l1, l2 = self._prices(v)
        walled = (l2 == 0.0) & (np.abs(v) > l1)
        with np.errstate(divide="ignore"):
            ratios = np.broadcast_to(l1, v.shape)[walled] / np.abs(v[walled])
        return float(ratios.min(initial=1.0))

    def admit(self, v: Vector) -> Vector:
        l1, l2 = self._prices(v)
        free = np.broadcast_to((l1 == 0.0) & (l2 == 0.0), v.shape)
        inside = np.where(free, 0.0, v)
        return self.dual_scale(inside) * inside

    def _spread(self, part: int) -> float | Vector:
        numbers = self.settings[:, part]
        return float(numbers[0]) if not self.weights else numbers

    def _prices(self, w: Vector) -> tuple[Vector, Vector]:
        """Return the two prices of each coefficient, shaped to multiply w."""
        if self.weights and len(self.weights) != len(w):
            raise IncompatibleError(
                f"{type(self).__name__}.weights has {len(self.weights)} numbers for "
                f"{len(w)} coefficients; give one for each feature."
            )
        l1, l2 = self.settings.T
        return (l1, l2) if w.ndim == 1 else (l1[:, None], l2[:, None])
