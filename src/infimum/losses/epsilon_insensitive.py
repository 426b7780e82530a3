"""ε-insensitive loss: errors within a tube are free."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.parameters import nonnegative
from infimum.typing import Formula, Vector

__all__ = ["EpsilonInsensitive"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return the sign of the residual outside the tube, 0 inside and on its wall."""
    residual = f - y
    outside = np.maximum(np.abs(residual) - parameters[0], 0.0)
    return np.sign(residual) * np.sign(outside)


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move a score outside the tube towards its wall, by at most `step`."""
    residual = f - y
    outside = np.maximum(np.abs(residual) - parameters[0], 0.0)
    return f - np.sign(residual) * np.minimum(outside, step)


@dataclass(frozen=True)
class EpsilonInsensitive(Loss):
    r"""Absolute loss with a free tube of half-width `epsilon`.

    .. math:: \ell(y, f) = \max(0, |y - f| - \epsilon)

    The samples inside the tube have no say: only those outside, the support vectors,
    shape the fit.

    Examples
    --------
    >>> import numpy as np
    >>> y, f = np.array([1.0, 1.0]), np.array([1.05, 3.0])
    >>> EpsilonInsensitive(0.1).value(y, f).round(3)
    array([0. , 1.9])
    """

    epsilon: float = field(default=0.1, metadata={"domain": nonnegative})

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.maximum(np.abs(f - y) - self.epsilon, 0.0)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        inside = np.abs(s) <= 1.0 + ROUNDING
        return np.where(inside, y * s + self.epsilon * np.abs(s), np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -1.0), np.full(len(y), 1.0)

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        zeros, ones = np.zeros(len(y)), np.ones(len(y))
        return [(y + self.epsilon, zeros, ones), (y - self.epsilon, -ones, zeros)]
