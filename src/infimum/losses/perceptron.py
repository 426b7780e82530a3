"""Perceptron loss: the distance of a score on the wrong side of 0."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.typing import Formula, Vector

__all__ = ["Perceptron"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y on the wrong side and 0 on the right; 0, a subgradient, between."""
    return -y * np.sign(np.maximum(-y * f, 0.0))


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move a point on the wrong side towards the border, by at most `step`."""
    return f + y * np.minimum(np.maximum(-y * f, 0.0), step)


@dataclass(frozen=True)
class Perceptron(Loss):
    r"""Perceptron loss for labels in {-1, +1}: a hinge without a margin.

    .. math:: \ell(y, f) = \max(0, -y f)

    One stochastic subgradient step on it is the perceptron's rule. The score 0 costs
    nothing, so under any penalty the null model is a minimiser: this loss is for
    algorithms that stop at the first separating rule, not for regularised risks.

    Examples
    --------
    >>> import numpy as np
    >>> Perceptron().value(np.array([1.0, -1.0]), np.array([0.25, 0.25])).round(3)
    array([0.  , 0.25])
    """

    target: ClassVar[str] = "sign"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.maximum(-y * f, 0.0)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        inside = (y * s >= -1.0 - ROUNDING) & (y * s <= ROUNDING)
        return np.where(inside, 0.0, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.minimum(-y, 0.0), np.maximum(-y, 0.0)

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        return [(np.zeros(len(y)), *self.slopes(y))]

    def bayes_target(self, chance: Vector) -> Vector:
        """Return 0: without a margin the loss asks for no function at all."""
        return np.zeros(np.shape(chance))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        return 0.0
