"""Mirror descent: gradient steps in a geometry that fits the coefficients."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import Choice, Interval, check_domain, positive, whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.study.solvers._best_slopes import BestSlopes
from infimum.study.solvers._mirrors import Mirror, mirror_of

__all__ = ["MirrorDescent"]


@dataclass(frozen=True)
class MirrorDescent(Solver):
    r"""Trade the linearised risk against a divergence D from the present point.

    .. math:: w_{t+1} = \arg\min_w\; \eta_t \bigl(\langle \nabla R(w_t), w\rangle +
              \Omega(w)\bigr) + D(w, w_t)

    Over a simplex, under an entropy penalty or in an ℓ1 ball D is the relative entropy,
    and steps multiply (exponentiated gradient); with no penalty, a ridge or a p-norm
    penalty D belongs to half the squared p-norm (p-norm algorithms; order 2 is plain
    gradient descent). The dimension then enters through its logarithm only, where
    Euclidean steps pay its root. An L-smooth risk, L measured in the geometry's own
    norm, and fixed steps promise

    .. math:: P(w_k) - P^* \le \frac{L\, D(w^*, w_0)}k

    and any risk with subgradients no longer than G, by steps :math:`\propto 1/\sqrt t`,
    :math:`G\sqrt{D/2}\,(1 + \sum 1/t)/\sum t^{-1/2}` for the best point.

    Parameters
    ----------
    step : {"auto", "fixed", "inverse_root"}
        1/L, or rate/√t; auto takes the first where the loss has a largest curvature.
    rate : float or None
        The first decaying step; None makes it :math:`\sqrt{2D}/G` for a divergence D
        of log(number of coefficients) and the first subgradient met.
    order : float
        The p of the p-norm when there is no penalty, between 1 and 2.

    References
    ----------
    Nemirovski & Yudin (1983), Problem Complexity and Method Efficiency in Optimization.
    Beck & Teboulle (2003), Operations Research Letters 31. Kivinen & Warmuth (1997),
    Information and Computation 132 (exponentiated gradient).
    """

    tolerance: float = field(default=1e-2, metadata={"domain": positive})
    step: str = field(
        default="auto",
        metadata={"domain": Choice(("auto", "fixed", "inverse_root"))},
    )
    rate: float | None = None
    order: float = field(
        default=2.0, metadata={"domain": Interval(1.0, 2.0, open_low=True)}
    )
    check_every: int = field(default=10, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rate is not None:
            check_domain("MirrorDescent.rate", self.rate, positive)

    def _objection(self, risk: LinearRisk) -> str | None:
        loss = type(risk.loss).__name__
        if not isinstance(risk.loss, Loss):
            return f"{loss} couples the scores of a sample"
        if mirror_of(risk.penalty, self.order) is None:
            return f"{type(risk.penalty).__name__} has no geometry of its own here"
        runaway = risk.loss.smooth and not np.isfinite(risk.loss.curvature)
        if runaway or (self.step == "fixed" and not risk.loss.smooth):
            return f"{loss} has no largest curvature for the steps to respect"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk = here.risk
        mirror = mirror_of(risk.penalty, self.order)
        assert mirror is not None
        fixed = risk.loss.smooth and self.step != "inverse_root"
        inner, b = mirror.enter(here.point[:-1]), here.point[-1]
        here = risk.evaluate(np.append(mirror.point(inner), b))
        best, duals, total = here, BestSlopes(risk, here.slopes), 0.0
        pace = _fixed_steps(risk, mirror) if fixed else self._first_steps(here, mirror)
        yield Iterate(here, 0, None if fixed else duals.proof())
        for iteration in count(1):
            fade = 1.0 if fixed else float(iteration) ** -0.5
            total += fade
            duals.mix(here.slopes, fade / total)
            inner = mirror.step(inner, here.pulled_back, fade * pace[0])
            b = b - fade * pace[1] * float(here.risk_gradient[-1])
            here = risk.evaluate(np.append(mirror.point(inner), b))
            best = min(best, here, key=lambda one: one.value)
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                yield Iterate(best, iteration, None if fixed else duals.proof())

    def _first_steps(self, here: Evaluation, mirror: Mirror) -> tuple[float, float]:
        length = np.hypot(mirror.dual_norm(here.pulled_back), here.risk_gradient[-1])
        reach = np.sqrt(2.0 * np.log(1.0 + len(here.point)))
        rate = self.rate or float(reach / max(float(length), 1e-300))
        return rate, rate


def _fixed_steps(risk: LinearRisk, mirror: Mirror) -> tuple[float, float]:
    """Return 1/L for the coefficients and for the intercept.

    With both, (a + b)² ≤ 2a² + 2b² splits the curvature between them.
    """
    most, parts = float(risk.loss.curvature), 1.0 + float(risk.intercept)
    bend = max(parts * most * mirror.bend(risk), 1e-300)
    return 1.0 / bend, 1.0 / (parts * most)
