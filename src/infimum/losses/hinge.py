"""Hinge loss: what a margin lacks to 1."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.typing import Formula, Vector

__all__ = ["Hinge"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y inside the margin and 0 outside; 0, a subgradient, at the kink."""
    return -y * np.sign(np.maximum(1.0 - y * f, 0.0))


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move a point inside the margin towards its edge, by at most `step`."""
    return f + y * np.minimum(np.maximum(1.0 - y * f, 0.0), step)


@dataclass(frozen=True)
class Hinge(Loss):
    r"""Hinge loss for labels in {-1, +1}: the loss of the support vector machine.

    .. math:: \ell(y, f) = \max(0, 1 - y f)

    Its target function is the Bayes decision itself, ±1; points beyond the margin have
    no say, so solutions lean on a few support vectors.

    Examples
    --------
    >>> import numpy as np
    >>> Hinge().value(np.array([1.0, -1.0]), np.array([0.25, 0.25])).round(3)
    array([0.75, 1.25])
    """

    target: ClassVar[str] = "sign"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.maximum(1.0 - y * f, 0.0)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        inside = (y * s >= -1.0 - ROUNDING) & (y * s <= ROUNDING)
        return np.where(inside, y * s, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.minimum(-y, 0.0), np.maximum(-y, 0.0)

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        return [(y, *self.slopes(y))]

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the likelier label."""
        return np.asarray(np.sign(2.0 * np.asarray(chance) - 1.0))
