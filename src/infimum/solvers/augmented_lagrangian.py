"""Augmented Lagrangian with Newton steps: any convex pair, in any units."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._rounded_risk import RoundedRisk
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.typing import Vector

__all__ = ["AugmentedLagrangian"]

LARGEST_SYSTEM = 2_000
#: How many numbers the planes of a loss may take.
MOST_NUMBERS = 50_000_000
#: The precision of each Newton solve, as a share of what there is to gain.
PRECISION = 1e-14
#: That of the solves which only find a start.
ROUGHLY = 1e-4
#: A solve of few Newton steps was easy: the next may be much harder. After a hard one
#: multipliers move on under the same rounding, and after one that failed under a wider.
EASY, BOLD, CAREFUL = 4, 0.1, 0.3
HARD, FAILED, BACK = 30, 100, 3.0
#: So many failures in a row, and another method should try.
ENOUGH = 10
#: After so many solves without a narrower gap rounding has the last word.
STALL_LIMIT = 12
#: A first point this much worse than the null model needs no proof.
ABSURD = 1e12


@dataclass(frozen=True)
class AugmentedLagrangian(Solver):
    """Round the kinks of loss and penalty, minimise by Newton, move the roundings.

    For every loss that is smooth or a maximum of planes, of one score or of several,
    and every penalty with a proximal step. Each iteration minimises a convex function
    with second derivatives; what that minimum says about the slopes becomes the centre
    of the next, sharper rounding. Newton steps do not see the units of the features.
    For up to two thousand coefficients, since each step factorises their Hessian.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Hinge
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Hinge(), Ridge(0.1))
    >>> AugmentedLagrangian().solve(risk).certified
    True

    References
    ----------
    Rockafellar (1976), Mathematics of Operations Research 1. Li, Sun & Toh (2018), SIAM
    J. Optimization 28 (Newton steps for the lasso's subproblems).
    """

    max_iterations: int = field(default=100, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        name, n = type(risk.loss).__name__, len(risk.y)
        if risk.origin().size > LARGEST_SYSTEM:
            return (
                f"{name} has {risk.origin().size} coefficients here, more than "
                f"{LARGEST_SYSTEM}"
            )
        if risk.loss.smooth:
            return None
        if (planes := risk.loss.planes(risk.y[:1])) is None:
            return f"{name} is neither smooth nor a maximum of planes"
        if n * planes[0].size > MOST_NUMBERS:
            return f"{name} has {n * planes[0].size} numbers in its planes, too many"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk = here.risk
        point = here.point.reshape(len(here.point), -1)
        yield Iterate(here, 0)
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = RoundedRisk(risk, point)
            point = rounded.approach(point, ROUGHLY * risk.unit)
        patience, precision, failures = Patience(STALL_LIMIT), PRECISION * risk.unit, 0
        for iteration in count(1):
            with np.errstate(over="ignore", invalid="ignore"):
                point, scores, steps = rounded.minimize(point, precision)
                feasible, slopes = rounded.settle(point, scores)
                there = np.concatenate([feasible, point[-1:]])
                found = [_evaluated(risk, there), _evaluated(risk, point)]
                best = min(found, key=lambda here: here.value)
            if best.value <= ABSURD * risk.unit or iteration >= self.max_iterations:
                gap = yield Iterate(best, iteration, _shaped(risk, slopes))
                if np.isfinite(gap) and patience.lost(gap, iteration):
                    return
            failures = failures + 1 if steps >= FAILED else 0
            if failures == ENOUGH:
                return
            rounded.sharpen(_sharper(steps))


def _sharper(steps: int) -> float:
    """Return how wide the next rounding is, beside one that took so many steps."""
    if steps <= EASY:
        return BOLD
    if steps < HARD:
        return CAREFUL
    return BACK if steps >= FAILED else 1.0


def _evaluated(risk: LinearRisk, point: Vector) -> Evaluation:
    return risk.evaluate(point.reshape(risk.origin().shape).copy())


def _shaped(risk: LinearRisk, slopes: Vector) -> Vector:
    return slopes[:, 0] if isinstance(risk.loss, Loss) else slopes
