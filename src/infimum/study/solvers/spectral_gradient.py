"""Spectral gradient (Barzilai and Borwein): the last step tells the curvature."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import opened, whole
from infimum.solvers._solver import Solver, not_smooth
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.solvers.second_order._line_minimum import shifted
from infimum.study.solvers._non_monotone import PatientSearch
from infimum.typing import Vector

__all__ = ["SpectralGradient", "spectral_step"]

#: Checks without a narrower gap after which rounding has the last word.
STALL_LIMIT = 2_000
SHORTEST, LONGEST = 1e-10, 1e10


@dataclass(frozen=True)
class SpectralGradient(Solver):
    r"""Gradient steps whose length is an inverse curvature met on the last step.

    .. math:: w_{t+1} = w_t - \lambda_t \alpha_t \nabla P(w_t), \qquad
              \alpha_t = \frac{\|s\|^2}{\langle s, y\rangle},\quad
              s = w_t - w_{t-1},\; y = \nabla P(w_t) - \nabla P(w_{t-1})

    For smooth losses and quadratic penalties; as cheap as steepest descent and, by
    letting single values rise, nearly as quick as conjugate gradients. On an L-smooth,
    σ-strongly convex risk the monotone version (`window` 1, c = `decrease`) promises

    .. math:: P(w_k) - P^* \le
              \Bigl(1 - c(1-c)\frac{2\sigma}L\Bigr)^k (P(w_0) - P^*)

    and a wider window keeps a linear rate.

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
    >>> SpectralGradient().solve(risk).certified
    True

    References
    ----------
    Barzilai & Borwein (1988), IMA J. Numerical Analysis 8. Raydan (1997), SIAM J.
    Optimization 7. Dai (2002), J. Optimization Theory and Applications 112 (rate).
    """

    window: int = field(default=10, metadata={"domain": whole(1)})
    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    check_every: int = field(default=10, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        return not_smooth(risk)

    def _descend(self, here: Evaluation) -> Descent:
        risk, search = here.risk, PatientSearch(self.window, self.decrease)
        step, patience = _first_step(here), Patience(STALL_LIMIT)
        yield Iterate(here, 0)
        for iteration in count(1):
            move = -step * here.gradient
            promised = float(np.sum(here.gradient * move))
            found = search.accept(
                here, here.point + move, shifted(here, move), promised
            )
            if found is None or np.array_equal(found.point, here.point):
                yield Iterate(here, iteration)
                return
            step = spectral_step(
                found.point - here.point, found.gradient - here.gradient
            )
            here = found
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                here = risk.evaluate(here.point)  # summed scores drift
                if patience.lost((yield Iterate(here, iteration)), iteration):
                    return


def spectral_step(move: Vector, change: Vector) -> float:
    """Return ‖move‖²/⟨move, change⟩, the inverse of a curvature met on the way."""
    met = float(np.sum(move * change))
    length = float(np.sum(move * move))
    return float(np.clip(length / met, SHORTEST, LONGEST)) if met > 0.0 else LONGEST


def _first_step(here: Evaluation) -> float:
    risk = here.risk
    if np.isfinite(risk.loss.curvature):
        bend = risk.smoothness + (risk.penalty.quadratic or 0.0)
        return 1.0 / max(bend, SHORTEST)
    return 1.0 / max(1.0, float(np.linalg.norm(here.gradient)))
