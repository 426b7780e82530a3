"""Ramp loss: a hinge with a ceiling, so that outliers cost a bounded amount."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.losses.hinge import Hinge
from infimum.parameters import Interval
from infimum.typing import Formula, Vector

__all__ = ["Ramp"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y on the ramp and 0 on both flats, ends included."""
    margin = y * f
    return (
        -y
        * np.maximum(np.sign(margin - parameters[0]), 0.0)
        * np.maximum(np.sign(1.0 - margin), 0.0)
    )


@dataclass(frozen=True)
class Ramp(Loss):
    r"""Ramp loss for labels in {-1, +1}; not convex.

    .. math:: \ell(y, f) = \min\bigl(1 - s,\; \max(0, 1 - y f)\bigr)
              = \max(0, 1 - y f) - \max(0, s - y f)

    s is `knee`, at most 0: below that margin a point costs no more, however wrong it
    is, so mislabelled points lose their pull. A bounded function has only flat planes
    below it: the bound of a certificate is 0, and solvers report stationary points.

    Examples
    --------
    >>> import numpy as np
    >>> Ramp(-0.3).value(np.ones(4), np.array([-9.0, -0.3, 0.5, 2.0]))
    array([1.3, 1.3, 0.5, 0. ])

    References
    ----------
    Collobert, Sinz, Weston & Bottou (2006), ICML.
    """

    knee: float = field(default=-0.3, metadata={"domain": Interval(-math.inf, 0.0)})

    target: ClassVar[str] = "sign"
    convex: ClassVar[bool] = False
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.clip(1.0 - y * f, 0.0, 1.0 - self.knee)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        return np.where(np.abs(s) <= ROUNDING, 0.0, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.zeros(len(y)), np.zeros(len(y))

    def majorant(self, y: Vector, f: Vector) -> tuple[Loss, Vector, Vector]:
        """Return the hinge, turned round for the points that are given up on.

        Where the margin is below the knee the concave part is replaced by its tangent,
        which leaves max(0, 1 - m) + m = 1 + max(0, m - 1): a hinge for the other label,
        with the score moved by twice the label.
        """
        given_up = y * f < self.knee
        labels = np.where(given_up, -y, y)
        return Hinge(), labels, np.where(given_up, -2.0 * y, 0.0)

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the likelier label."""
        return np.asarray(np.sign(2.0 * np.asarray(chance) - 1.0))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        # Piecewise linear: some breakpoint is best.
        weights = np.ones(len(y)) if weights is None else weights
        totals = {
            score: float(weights @ self.value(y, np.full(len(y), score)))
            for score in (-1.0, self.knee, -self.knee, 1.0)
        }
        return min(totals, key=lambda score: totals[score])
