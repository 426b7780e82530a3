"""Limited-memory BFGS: curvature remembered from the last few steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._cutting_planes import RecentPlanes
from infimum.solvers._line_search import backtrack
from infimum.solvers._solver import Solver, not_smooth
from infimum.solvers.progress import Descent, Iterate
from infimum.solvers.second_order._secant_pairs import SecantPairs

__all__ = ["LBFGS"]


@dataclass(frozen=True)
class LBFGS(Solver):
    """Quasi-Newton steps from `memory` pairs of moves and gradient changes.

    For smooth losses and quadratic penalties when the Hessian is too large to form:
    each step costs two products with X and a few with the remembered pairs. Linear on
    strongly convex risks (Liu & Nocedal 1989).

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
    >>> LBFGS().solve(risk).certified
    True

    References
    ----------
    Nocedal (1980), Mathematics of Computation 35.
    """

    max_iterations: int = field(default=2_000, metadata={"domain": whole(1)})
    memory: int = field(default=10, metadata={"domain": whole(1)})
    check_every: int = field(default=5, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        return not_smooth(risk)

    def _objection_to_planes(self, risk: Any) -> str | None:
        if not risk.smooth:
            return f"{type(risk).__name__} has kinks, and its gradient jumps there"
        if risk.penalty.quadratic is None:
            return f"{type(risk.penalty).__name__} is not quadratic"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk: Any = here.risk
        recent = RecentPlanes(risk) if risk.by_planes else None
        scales = risk.curvatures if risk.by_planes else None
        pairs = SecantPairs(self.memory, curvatures=scales)
        yield Iterate(here, 0)
        for iteration in count(1):
            direction = pairs.direction(here.gradient)
            promised = float(np.sum(here.gradient * direction))
            known = pairs or scales is not None
            length = 1.0 if known else max(1.0, float(np.linalg.norm(here.gradient)))
            found = backtrack(here, direction, promised, 1.0 / length)
            if found is None:
                if not pairs:
                    yield Iterate(here, iteration)
                    return
                pairs.forget()
                continue
            before, (here, step) = here, found
            pairs.learn(step * direction, here.gradient - before.gradient)
            if recent is not None:
                recent.add(here)
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                mix: Any = None if recent is None else recent.mix()
                yield Iterate(here, iteration, mix)
