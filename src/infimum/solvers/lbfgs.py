"""Limited-memory BFGS: curvature remembered from the last few steps."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._base import Solver
from infimum.solvers._line_search import backtrack
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Vector

__all__ = ["LBFGS"]


@dataclass(frozen=True)
class LBFGS(Solver):
    """Quasi-Newton steps from `memory` pairs of moves and gradient changes.

    For smooth losses and quadratic penalties when the Hessian is too large to form:
    each step costs two products with X and a few with the remembered pairs.

    References
    ----------
    Nocedal (1980), Mathematics of Computation 35.
    """

    max_iterations: int = field(default=2_000, metadata={"domain": whole(1)})
    memory: int = field(default=10, metadata={"domain": whole(1)})
    check_every: int = field(default=5, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if not risk.loss.smooth:
            return (
                f"{type(risk.loss).__name__} has a kink, and its gradient jumps there"
            )
        if risk.penalty.quadratic is None:
            return f"{type(risk.penalty).__name__} is not quadratic"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        pairs: deque[tuple[Vector, Vector, float]] = deque(maxlen=self.memory)
        yield Iterate(here, 0)
        for iteration in count(1):
            direction = -_inverse_hessian_product(pairs, here.gradient)
            promised = float(np.sum(here.gradient * direction))
            first = (
                1.0 if pairs else 1.0 / max(1.0, float(np.linalg.norm(here.gradient)))
            )
            found = backtrack(here, direction, promised, first)
            if found is None:
                if not pairs:
                    yield Iterate(here, iteration)
                    return
                pairs.clear()
                continue
            before, (here, step) = here, found
            change = here.gradient - before.gradient
            curved = float(np.sum(change * step * direction))
            if curved > 1e-12 * np.sum(change * change):
                pairs.append((step * direction, change, curved))
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                yield Iterate(here, iteration)


def _inverse_hessian_product(
    pairs: deque[tuple[Vector, Vector, float]], gradient: Vector
) -> Vector:
    """Apply the two-loop recursion to `gradient`."""
    result, shares = gradient.copy(), []
    for move, change, curved in reversed(pairs):
        share = float(np.sum(move * result)) / curved
        result -= share * change
        shares.append(share)
    if pairs:
        _, change, curved = pairs[-1]
        result *= curved / float(np.sum(change * change))
    for (move, change, curved), share in zip(pairs, reversed(shares), strict=True):
        result += (share - float(np.sum(change * result)) / curved) * move
    return result
