"""Steepest descent: against the gradient, by a fixed or by the best step."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import Choice, positive, whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.solvers.second_order._line_minimum import minimum_along, shifted

__all__ = ["SteepestDescent"]


@dataclass(frozen=True)
class SteepestDescent(Solver):
    r"""Step against the gradient until it vanishes: the method all others improve on.

    For smooth losses and quadratic penalties. On an L-smooth and σ-strongly convex
    risk both step rules promise

    .. math:: P(w_k) - P^* \le (1 - \sigma/L)^k\, (P(w_0) - P^*)

    so badly scaled features cost it dearly; hence the modest default tolerance.

    Parameters
    ----------
    step : {"exact", "fixed"}
        The minimum along the line, by bisection on scores, or 1/L.

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
    >>> SteepestDescent(tolerance=1e-2).solve(risk).certified
    True

    References
    ----------
    Cauchy (1847), Comptes Rendus 25. Nesterov (2004), Introductory Lectures on Convex
    Optimization, section 2.1.5.
    """

    tolerance: float = field(default=1e-4, metadata={"domain": positive})
    step: str = field(default="exact", metadata={"domain": Choice(("exact", "fixed"))})
    check_every: int = field(default=5, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        name = type(risk.loss).__name__
        if not risk.loss.smooth:
            return f"{name} has a kink, and its gradient jumps there"
        if risk.penalty.quadratic is None:
            return f"{type(risk.penalty).__name__} is not quadratic"
        if self.step == "fixed" and not np.isfinite(risk.loss.curvature):
            return f"{name} has no largest curvature that a fixed step could respect"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk = here.risk
        yield Iterate(here, 0)
        for iteration in count(1):
            direction = -here.gradient
            shift = shifted(here, direction)
            if self.step == "exact":
                step = minimum_along(here, direction, shift)
            else:
                step = 1.0 / (risk.smoothness + (risk.penalty.quadratic or 0.0))
            moved = here.point + step * direction
            if np.array_equal(moved, here.point):
                yield Iterate(here, iteration)
                return
            here = risk.evaluate(moved, here.scores + step * shift)
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                # Sums of many steps drift: a proof starts from fresh scores.
                here = risk.evaluate(here.point)
                yield Iterate(here, iteration)
