"""Spectral projected gradient: spectral steps, brought back by the penalty."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import opened, whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.solvers.second_order._line_minimum import shifted
from infimum.study.solvers._non_monotone import PatientSearch
from infimum.study.solvers.spectral_gradient import spectral_step

__all__ = ["SpectralProjectedGradient"]

#: Iterations without a narrower gap after which rounding has the last word.
STALL_LIMIT = 2_000


@dataclass(frozen=True)
class SpectralProjectedGradient(Solver):
    r"""Project a spectral gradient step, then search the way there with patience.

    .. math:: d_t = \mathrm{prox}_{\alpha_t\Omega}(w_t - \alpha_t \nabla R(w_t)) - w_t,
              \qquad w_{t+1} = w_t + \lambda_t d_t

    For smooth losses under a set (simplex, balls, box, equalities), where the proximal
    step is a projection, and under every other proximable penalty. With an L-smooth,
    σ-strongly convex risk R the monotone version (`window` 1, c = `decrease`) promises

    .. math:: P(w_k) - P^* \le
              \Bigl(1 - c(1-c)\frac\sigma L\Bigr)^k (P(w_0) - P^*)

    and a wider window keeps a linear rate. It is among the quickest methods that see
    gradients only.

    References
    ----------
    Birgin, Martínez & Raydan (2000), SIAM J. Optimization 10. Wright, Nowak &
    Figueiredo (2009), IEEE Trans. Signal Processing 57 (penalties).
    """

    window: int = field(default=10, metadata={"domain": whole(1)})
    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    check_every: int = field(default=10, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if risk.loss.smooth:
            return None
        return f"{type(risk.loss).__name__} has a kink, where its gradient jumps"

    def _descend(self, here: Evaluation) -> Descent:
        risk, search = here.risk, PatientSearch(self.window, self.decrease)
        bounded = bool(np.isfinite(risk.loss.curvature))
        step = 1.0 / max(risk.smoothness, 1e-300) if bounded else 1.0
        here, patience = (
            risk.evaluate(risk.prox(here.point, 0.0)),
            Patience(STALL_LIMIT),
        )
        yield Iterate(here, 0)
        for iteration in count(1):
            target = risk.prox(here.point - step * here.risk_gradient, step)
            move = target - here.point
            promised = float(np.sum(here.risk_gradient * move))
            promised += risk.penalty.value(target[:-1])
            promised -= risk.penalty.value(here.point[:-1])
            found = search.accept(here, target, shifted(here, move), min(promised, 0.0))
            if found is None or np.array_equal(found.point, here.point):
                yield Iterate(here, iteration)
                return
            step = spectral_step(
                found.point - here.point, found.risk_gradient - here.risk_gradient
            )
            here = found
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                here = risk.evaluate(here.point)  # summed scores drift
                if patience.lost((yield Iterate(here, iteration)), iteration):
                    return
