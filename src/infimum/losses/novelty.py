"""Novelty loss: pay for every sample whose score falls below a threshold."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.parameters import Interval
from infimum.typing import Formula, Vector

__all__ = ["Novelty"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -1 below the threshold and 0 above; 0, a subgradient, at the kink."""
    return -np.sign(np.maximum(parameters[0] - f, 0.0))


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Raise a score below the threshold towards it, by at most `step`."""
    return f + np.minimum(np.maximum(parameters[0] - f, 0.0), step)


@dataclass(frozen=True)
class Novelty(Loss):
    r"""Novelty loss: how far a sample stays below the score that makes it ordinary.

    .. math:: \ell(y, f) = \max(0, \rho - f)

    The target is never read: samples have no labels, and every one of them should
    score at least `rho`. With a ridge penalty and no intercept this is the one-class
    support vector machine for a fixed threshold; with a free intercept every sample is
    ordinary for nothing. At ``rho=1`` it is the hinge loss of an all-positive sample.

    Examples
    --------
    >>> import numpy as np
    >>> Novelty(rho=2.0).value(np.zeros(3), np.array([-1.0, 2.0, 5.0]))
    array([3., 0., 0.])

    References
    ----------
    Schölkopf, Platt, Shawe-Taylor, Smola & Williamson (2001), Neural Computation 13.
    """

    rho: float = field(default=1.0, metadata={"domain": Interval(-math.inf, math.inf)})

    target: ClassVar[str] = "real"
    distance_based: ClassVar[bool] = False
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.asarray(np.maximum(self.rho - f, 0.0))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        inside = (s >= -1.0 - ROUNDING) & (s <= ROUNDING)
        return np.asarray(np.where(inside, self.rho * s, np.inf))

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -1.0), np.zeros(len(y))

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        return [(np.full(len(y), self.rho), *self.slopes(y))]

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        return self.rho
