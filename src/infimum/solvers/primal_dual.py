"""Primal-dual splitting: a step for coefficients, a step for slopes, in turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._best_intercept import best_intercept
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.typing import Vector

__all__ = ["PrimalDual"]

#: The first change of the ratio of step lengths, and how much each shrinks the next.
FIRST_RATE, HESITATE = 0.5, 0.95


#: Iterations without a lower risk or a narrower gap after which there is no more to do.
STALL_LIMIT = 1_000


@dataclass(frozen=True)
class PrimalDual(Solver):
    """The method of last resort: any proximable loss with any proximable penalty.

    Two proximal steps per iteration and two products with the design, no smoothness,
    no factorisation. The ratio of the two step lengths follows their progress.

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
    >>> PrimalDual(tolerance=1e-2).solve(risk).certified
    True

    References
    ----------
    Chambolle & Pock (2011), J. Mathematical Imaging and Vision 40. Goldstein, Li &
    Yuan (2015), NeurIPS (adaptive steps).
    """

    max_iterations: int = field(default=50_000, metadata={"domain": whole(1)})
    check_every: int = field(default=50, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if not isinstance(risk.loss, Loss) or type(risk.loss).prox_formula is None:
            return f"{type(risk.loss).__name__} has no proximal step in closed form"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, point = here.risk, here.point
        assert isinstance(risk.loss, Loss)
        largest = max(risk.largest_eigenvalue, 1e-300)
        point = risk.prox(point, 0.0)
        here = risk.evaluate(point)
        slopes, lead = here.slopes, here.scores
        pace, rate = max(1.0, float(np.abs(risk.y).mean())), FIRST_RATE
        scores, patience = lead, Patience(STALL_LIMIT)
        for iteration in count(1):
            ahead = lead + pace * slopes
            fresh = (ahead - risk.loss.prox(risk.y, ahead, pace)) / pace
            weighted = risk.weights * fresh
            gradient = np.append(
                risk.design.pull_back(weighted),
                float(risk.intercept) * weighted.sum(),
            )
            step = pace / largest
            moved = risk.prox(point - step * gradient, step)
            previous, scores = scores, risk.scores(moved)
            lead = 2.0 * scores - previous
            primal = float(np.linalg.norm(moved - point)) * np.sqrt(largest)
            dual = float(np.sqrt(risk.weights @ (fresh - slopes) ** 2)) * pace
            point, slopes = moved, fresh
            pace, rate = _balanced(pace, rate, primal, dual)
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                there = self._checkpoint(risk, point, scores, slopes, iteration)
                if patience.lost((yield there), iteration, there.here.value):
                    return

    @staticmethod
    def _checkpoint(
        risk: LinearRisk, point: Vector, scores: Vector, slopes: Vector, iteration: int
    ) -> Iterate:
        """Hand over a copy whose intercept is the best for its coefficients."""
        correction = best_intercept(risk, scores)
        better = point.copy()
        better[-1] += correction
        here = risk.evaluate(better, scores + correction)
        return Iterate(here, iteration, slopes)


def _balanced(
    pace: float, rate: float, primal: float, dual: float
) -> tuple[float, float]:
    """Lengthen the step that lags behind, more hesitantly after each change.

    The rates form a geometric series, so all changes together are bounded: without a
    bound the pace runs away while the slopes of a kinked loss rest on their limits.
    """
    if primal > 1.5 * dual:
        return pace * (1.0 + rate), HESITATE * rate
    if dual > 1.5 * primal:
        return pace / (1.0 + rate), HESITATE * rate
    return pace, rate
