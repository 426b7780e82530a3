"""Deviances under a link, convex or not, and their minimisation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy import linalg

from infimum.certificates import certify
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers import Record, Solution
from infimum.typing import Formula, Vector

__all__ = ["LinkedDeviance", "score_by_score"]

MOST_STEPS = 200
#: A step that does not lower the objective after so many halvings is rounding.
MOST_HALVINGS = 40
#: The least share of the promised descent that a step must bring.
ARMIJO = 1e-4


def _unused(y: Any, f: Any, parameters: Any) -> Any:
    """Return nothing of use: no compiled loop reads these losses."""
    return 0.0 * y * f


@dataclass(frozen=True)
class LinkedDeviance(Loss):
    r"""Half the deviance of a variance μᵖ, under the logarithm or no link at all.

    .. math:: \ell = \int_y^{\mu(f)} \frac{m - y}{m^p}\, dm + \text{const}(y)

    For most powers and links this is not convex in f, and infinite where μ ≤ 0. Its
    infimum over f is known, which is the lower bound that a certificate states.
    """

    power: float
    log: bool

    target: ClassVar[str] = "real"
    convex: ClassVar[bool] = False
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(_unused)

    def mean(self, f: Vector) -> Vector:
        """Return the mean that a score stands for."""
        return np.exp(np.minimum(f, 700.0)) if self.log else f

    def value(self, y: Vector, f: Vector) -> Vector:
        means = self.mean(f)
        within = means > 0.0 if self.power != 0.0 else np.isfinite(means)
        found = self._at(np.asarray(y), np.where(within, means, 1.0))
        return np.where(within, found, np.inf)

    def derivative(self, y: Vector, f: Vector) -> Vector:
        means = self.mean(f)
        slopes = (means - y) * means**-self.power
        return np.asarray(slopes * means if self.log else slopes)

    def expected_bend(self, f: Vector) -> Vector:
        """Return ∂²ℓ/∂f² averaged over targets with that mean: it is never negative."""
        means = self.mean(f)
        return np.asarray(means ** ((2.0 if self.log else 0.0) - self.power))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        y = np.asarray(y, dtype=np.float64)
        if self.power == 0.0 or self.power >= 2.0:
            least = self._at(y, y)
        else:  # where y is not positive, the loss falls towards the mean 0
            least = np.where(y > 0.0, self._at(y, np.where(y > 0.0, y, 1.0)), 0.0)
        if self.log and self.power == 0.0:
            least = np.where(y > 0.0, least, 0.0)
        return np.where(s == 0.0, -least, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.zeros(len(y)), np.zeros(len(y))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        mean = float(np.average(y, weights=weights))
        if not self.log:
            return mean
        return float(np.log(mean)) if mean > 0 else -30.0

    def _at(self, y: Vector, means: Vector) -> Vector:
        p = self.power
        if p == 1.0:
            return np.asarray(means - y * np.log(means))
        if p == 2.0:
            return np.asarray(np.log(means) + y / means)
        rising = means ** (2.0 - p) / (2.0 - p)
        return np.asarray(rising - y * means ** (1.0 - p) / (1.0 - p))


def score_by_score(
    risk: LinearRisk, start: Vector | None, tolerance: float, limit: int | None
) -> Solution:
    """Descend by Fisher's scores to a point where the objective is stationary.

    Each step solves a least-squares problem in which every sample weighs what its
    curvature is on average, so the direction always leads down, and is halved until
    the objective falls. The certificate knows the least conceivable loss only: it
    stays open, and its reason says that the point is stationary.
    """
    started = time.perf_counter()
    here = risk.evaluate(risk.null.copy() if start is None else start)
    if not np.isfinite(here.value):
        raise DataError(
            "TweedieRegressor with link='identity' finds no start at which every mean "
            "is above 0: use link='log', or learn an intercept on positive targets."
        )
    flat = np.zeros_like(here.slopes)
    floor = certify(risk, here, flat).dual
    history, reason = [Record(0, 0.0, here.value, floor)], "iteration limit"
    most = MOST_STEPS if limit is None else limit
    for iteration, (there, left) in enumerate(_steps(here, most), 1):
        here = there
        now = time.perf_counter() - started
        history.append(Record(iteration, now, here.value, floor))
        if left <= tolerance * risk.scale:
            reason = f"stationary: its quadratic model can fall by {left:.0e} at most"
            break
    proof = replace(
        certify(risk, here, flat), tolerance=tolerance, reason=reason
    ).as_fine_as_rounding_allows()
    return Solution(here, proof, tuple(history), flat)


def _steps(here: Evaluation, most: int) -> Iterator[tuple[Evaluation, float]]:
    """Yield points ever lower, and by how much the model at the last could fall."""
    for _ in in_time(range(most)):
        loss = here.risk.loss
        assert isinstance(loss, LinkedDeviance)
        hessian = here.risk.hessian(loss.expected_bend(here.scores))
        direction = -linalg.lstsq(hessian, here.gradient, cond=1e-13)[0]
        promised = -float(here.gradient @ direction)
        there = _lower(here, direction, promised)
        yield (here if there is None else there), (0.0 if there is None else promised)
        if there is None:
            return
        here = there


def _lower(here: Evaluation, direction: Vector, promised: float) -> Evaluation | None:
    step = 1.0
    for _ in range(MOST_HALVINGS):
        there = here.risk.evaluate(here.point + step * direction)
        if there.value <= here.value - ARMIJO * step * promised and promised > 0.0:
            return there
        step /= 2.0
    return None
