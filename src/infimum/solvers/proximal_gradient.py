"""Accelerated proximal gradient (FISTA) with adaptive restart."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience

__all__ = ["ProximalGradient"]


#: Iterations without a lower risk or a narrower gap after which there is no more to do.
STALL_LIMIT = 1_000


@dataclass(frozen=True)
class ProximalGradient(Solver):
    """Step down the smooth loss, shrink by the penalty, repeat with momentum.

    Works for every smooth loss, every proximable penalty, and any design. The step
    comes from the largest curvature where there is one, and from backtracking where
    there is none. The gap is checked every `check_every` iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Logistic
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Logistic(), Ridge(0.1))
    >>> ProximalGradient().solve(risk).certified
    True

    References
    ----------
    Beck & Teboulle (2009), SIAM J. Imaging Sciences 2(1). Restart rule: O'Donoghue &
    Candès (2015), Foundations of Computational Mathematics 15.
    """

    check_every: int = field(default=10, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if risk.loss.smooth:
            return None
        return f"{type(risk.loss).__name__} has a kink, where its gradient jumps"

    def _descend(self, here: Evaluation) -> Descent:
        risk, point = here.risk, here.point
        bounded = bool(np.isfinite(risk.loss.curvature))
        step = 1.0 / max(risk.smoothness if bounded else 1.0, 1e-300)
        point = risk.prox(point, 0.0)
        lead, momentum, patience = risk.evaluate(point), 1.0, Patience(STALL_LIMIT)
        yield Iterate(lead, 0)
        for iteration in count(1):
            there, step = _step(lead, step, bounded)
            previous, point = point, there.point
            if np.sum((lead.point - point) * (point - previous)) > 0:
                momentum = 1.0  # the momentum points uphill
            grown = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
            ahead = point + (momentum - 1.0) / grown * (point - previous)
            lead, momentum = risk.evaluate(ahead), grown
            if not bounded and not np.isfinite(lead.empirical):
                lead, momentum = there, 1.0  # beyond the domain of the loss
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                gap = yield Iterate(there, iteration)
                if patience.lost(gap, iteration, there.value):
                    return


def _step(lead: Evaluation, step: float, bounded: bool) -> tuple[Evaluation, float]:  # noqa: FBT001
    """Take one proximal step; without a bound on the curvature, find one that fits.

    Where none does, because values are beyond what numbers hold, stay.
    """
    risk = lead.risk
    while step > np.finfo(float).tiny:
        there = risk.evaluate(risk.prox(lead.point - step * lead.risk_gradient, step))
        move = there.point - lead.point
        model = lead.empirical + float(
            np.sum(lead.risk_gradient * move) + np.sum(move * move) / (2.0 * step)
        )
        slack = 1e-12 * max(1.0, abs(lead.empirical))
        if bounded or there.empirical <= model + slack:
            return there, step if bounded else 1.1 * step
        step *= 0.5
    return lead, step
