"""Bundle method: collect cutting planes of the risk until they hold its minimum up."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import opened, whole
from infimum.solvers._cutting_planes import CuttingPlanes
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience

__all__ = ["Bundle"]

HALVINGS = 25
#: The error of the quadratic program, as a share of the gap asked for.
ACCURACY = 0.01
#: Rounds without a visible smaller gap after which rounding is to blame.
STALL_LIMIT = 300


@dataclass(frozen=True)
class Bundle(Solver):
    """Replace the risk by the highest of its tangent planes, minimise, add a plane.

    For every convex loss, kinks and vectors of scores included, and for every risk that
    gives a value and a subgradient (`PlaneRisk`: structures, whole samples), under a
    ridge penalty. The small quadratic program over the
    planes gives the next point and, as a mix of the slopes met so far, the proof. Each
    round searches the line from the best point to the new one and touches the risk
    between its minimum and the new point, a share `boldness` of the way. With
    subgradients of the mean loss no longer than G the gap after k rounds is at most
    8G²/(λ(k - log₂(λP(0)/G²))), however many samples there are.

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
    >>> Bundle(tolerance=1e-2).solve(risk).certified
    True

    References
    ----------
    Teo, Vishwanathan, Smola & Le (2010), JMLR 11. Franc & Sonnenburg (2009), JMLR 10
    (the line search).
    """

    max_iterations: int = field(default=5_000, metadata={"domain": whole(1)})
    check_every: int = field(default=5, metadata={"domain": whole(1)})
    boldness: float = field(default=0.1, metadata={"domain": opened(0, 1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if not risk.penalty.quadratic:
            return f"{type(risk.penalty).__name__} is not a ridge penalty"
        if risk.loss.smooth and not np.isfinite(risk.loss.curvature):
            return f"{type(risk.loss).__name__} grows too fast for tangent planes"
        return None

    def _objection_to_planes(self, risk: Any) -> str | None:
        if not risk.penalty.quadratic:
            return f"{type(risk.penalty).__name__} is not a ridge penalty"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        best, risk = here, here.risk
        reach = 10.0 * max(1.0, float(np.abs(here.point[-1]).max()))
        planes = CuttingPlanes(risk, reach, ACCURACY * self.tolerance * risk.unit)
        planes.add(best)
        patience = Patience(STALL_LIMIT)
        for iteration in count(1):
            lowest, slopes = planes.minimize(best.point)
            best, probe = self._search(best, risk.evaluate(lowest))
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                gap = yield Iterate(best, iteration, slopes)
                if patience.lost(gap, iteration):
                    return
            planes.add(probe)

    def _search(
        self, best: Evaluation, there: Evaluation
    ) -> tuple[Evaluation, Evaluation]:
        """Return the minimum between two points, and where to touch the risk next."""
        halvings = getattr(best.risk, "halvings", HALVINGS)
        if not halvings:  # every look costs a whole decoding: go there, and see
            return min((best, there), key=lambda here: here.value), there
        low, high = 0.0, 1.0
        if _slope(best, there, 1.0) <= 0.0:
            low = 1.0
        else:
            for _ in range(halvings):
                middle = 0.5 * (low + high)
                if _slope(best, there, middle) > 0.0:
                    high = middle
                else:
                    low = middle
        found = min(
            (best, best.between(there, low), best.between(there, high)),
            key=lambda here: here.value,
        )
        return found, found.between(there, self.boldness)


def _slope(here: Evaluation, there: Evaluation, share: float) -> float:
    """Return the derivative of the objective along the line, at a share of it."""
    between = here.between(there, share)
    move = (there.point - here.point)[:-1]
    strength = here.risk.penalty.quadratic or 0.0
    steep = between.slope_towards(here, there)
    return float(steep + strength * np.sum(between.point[:-1] * move))
