"""All that a solver or a certificate may ask about one point, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from infimum.objectives._once import cached_property
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from infimum.data.designs import Judged
    from infimum.objectives.linear_risk import LinearRisk

__all__ = ["Evaluation"]

#: Samples whose losses are added at a time: few enough for the caches.
BLOCK = 1 << 14


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A point of a linear risk with its scores; the rest follows on demand.

    Solvers pass evaluations on to certificates, so that no product with X is computed
    twice.
    """

    risk: LinearRisk
    point: Vector
    scores: Vector
    #: Σ q·s·(x, 1) over positive slopes s and over the others, once it is known.
    sides: ClassVar[Matrix | None] = None
    #: A dual value that a method has proved here without all correlations.
    proven: ClassVar[float | None] = None
    #: The dual point of the slopes here, once a certificate has asked for it.
    dual: ClassVar[Any] = None

    @classmethod
    def judged(cls, risk: LinearRisk, point: Vector, judged: Judged) -> Evaluation:
        """Return the evaluation that a single pass over X has found out."""
        here = cls(risk, point, judged.scores)
        total = judged.sides.sum(axis=0)
        here.__dict__.update(
            slopes=judged.slopes,
            empirical=judged.empirical,
            sides=judged.sides,
            pulled_back=total[:-1],
            risk_gradient=np.append(total[:-1], total[-1] * float(risk.intercept)),
        )
        return here

    def under(self, risk: LinearRisk) -> Evaluation:
        """Return the same point under a risk that differs in its penalty only."""
        other = Evaluation(risk, self.point, self.scores)
        self._hand_on(other)
        return other

    def told(self, **known: Any) -> Evaluation:
        """Take what the caller knows of this point in the place of what follows."""
        self.__dict__.update(known)
        return self

    def _hand_on(self, other: Evaluation) -> None:
        """Tell another evaluation of this point what does not depend on the penalty."""
        for name in ("empirical", "slopes", "weighted_slopes", "pulled_back", "sides"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]

    def write(self, blank: Vector) -> None:
        """Write the coefficients, without the intercept, where there are zeros."""
        blank[:] = self.point[:-1]

    def width(self, lengths: Vector) -> Vector:
        """Return Σ |wⱼ|·lengthⱼ, for each score."""
        return np.asarray(np.abs(self.point[:-1]).T @ lengths)

    @cached_property
    def empirical(self) -> float:
        """The weighted mean loss."""
        risk, count = self.risk, len(self.scores)
        if count <= BLOCK:
            return float(risk.weights @ risk.loss.value(risk.y, self.scores))
        blocks = range(0, count, BLOCK)
        return sum(
            float(risk.weights[rows] @ risk.loss.value(risk.y[rows], self.scores[rows]))
            for rows in (slice(start, start + BLOCK) for start in blocks)
        )

    @cached_property
    def value(self) -> float:
        """The regularised risk."""
        return self.empirical + self.risk.penalty.value(self.point[:-1])

    @cached_property
    def slopes(self) -> Vector:
        """∂ℓ/∂f for each sample."""
        return self.risk.loss.derivative(self.risk.y, self.scores)

    @cached_property
    def bends(self) -> Vector:
        """∂²ℓ/∂f² for each sample; only for a smooth scalar loss."""
        return self.risk.loss.hessian(self.risk.y, self.scores)  # type: ignore[union-attr]

    @cached_property
    def weighted_slopes(self) -> Vector:
        """The slopes times the share of each sample."""
        return (self.slopes.T * self.risk.weights).T

    @cached_property
    def pulled_back(self) -> Vector:
        """Xᵀ times the weighted slopes: the gradient of the risk in w."""
        pulled = self.risk.design.pull_back(self.weighted_slopes)
        return np.asarray(pulled, dtype=np.float64)

    @property
    def cheap_sides(self) -> Matrix | None:
        """`sides`, if one reading of X can tell them and the gradient; else None."""
        if self.sides is None and "pulled_back" not in self.__dict__:
            weighted = self.weighted_slopes
            parts = np.maximum(weighted, 0.0), np.minimum(weighted, 0.0)
            columns = np.column_stack(parts)
            pulled = np.asarray(self.risk.design.pull_back(columns), dtype=np.float64)
            sides = np.vstack([pulled, columns.sum(axis=0)]).T
            self.__dict__.update(sides=sides, pulled_back=sides[:, :-1].sum(axis=0))
        return self.sides

    @cached_property
    def height(self) -> float:
        """Where the plane of the mean loss that touches here meets the axis."""
        risk = self.risk
        conjugates = risk.loss.conjugate(risk.y, self.slopes)
        if risk.offset is not None:
            pulls = (self.slopes.T * risk.offset).T.reshape(len(risk.y), -1)
            conjugates = conjugates - pulls.sum(axis=1)
        return -float(risk.weights @ conjugates)

    def between(self, other: Evaluation, share: float) -> Evaluation:
        """Return the point a share of the way, without a product with the design."""
        point = (1.0 - share) * self.point + share * other.point
        scores = (1.0 - share) * self.scores + share * other.scores
        return self.risk.evaluate(point, scores)

    def slope_towards(self, start: Evaluation, end: Evaluation) -> float:
        """Return the derivative of the mean loss here, along a line through here."""
        return float(np.sum(self.weighted_slopes * (end.scores - start.scores)))

    @cached_property
    def risk_gradient(self) -> Vector:
        """The gradient of the empirical risk in (w, b)."""
        last = self.weighted_slopes.sum(axis=0, keepdims=True)
        return np.concatenate([self.pulled_back, last * float(self.risk.intercept)])

    @cached_property
    def gradient(self) -> Vector:
        """The gradient of the whole objective; only for a quadratic penalty."""
        gradient = self.risk_gradient.copy()
        gradient[:-1] += (self.risk.penalty.quadratic or 0.0) * self.point[:-1]
        return gradient
