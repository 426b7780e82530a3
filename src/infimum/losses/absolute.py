"""Absolute loss: the size of the residual, minimised by the median."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.typing import Formula, Vector

__all__ = ["Absolute"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return the sign of the residual; 0, a subgradient, at the kink."""
    return np.sign(f - y)


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move f towards y by at most `step`."""
    return f - np.minimum(np.maximum(f - y, -step), step)


@dataclass(frozen=True)
class Absolute(Loss):
    r"""Absolute loss, the negative log-likelihood of Laplace noise.

    .. math:: \ell(y, f) = |y - f|

    Its target function is the conditional median. Every residual pulls with the same
    force, so no outlier dominates.

    Examples
    --------
    >>> import numpy as np
    >>> Absolute().value(np.array([1.0, 1.0]), np.array([0.5, 3.0])).round(3)
    array([0.5, 2. ])
    """

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.abs(f - y)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        return np.where(np.abs(s) <= 1.0 + ROUNDING, y * s, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -1.0), np.full(len(y), 1.0)

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        return [(y, *self.slopes(y))]
