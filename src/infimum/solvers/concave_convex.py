"""Concave-convex procedure: minimise a convex model from above, again and again."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar

import numpy as np

from infimum.errors import IncompatibleError
from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Vector

__all__ = ["ConcaveConvex"]

#: The precision of the convex problems, as a share of the tolerance.
SHARPER = 0.1


@dataclass(frozen=True)
class ConcaveConvex(Solver):
    """Replace concave parts by their tangents, solve the convex problem, repeat.

    For the ramp loss, MCP and SCAD: the tangents make a hinge loss and a weighted
    lasso, which other solvers minimise. The objective never rises. The run ends at a
    stationary point: one where the convex model, which touches the objective there and
    lies above it elsewhere, provably cannot fall by more than the tolerance. That is no
    proof of a global minimum, so the certificate stays open: its lower bound is that of
    the convex envelope, which is often far below. Each round lowers the objective by at
    least what its model falls, so the least fall of k rounds is at most (P(0) - P*)/k.

    References
    ----------
    Yuille & Rangarajan (2003), Neural Computation 15. Zou & Li (2008), Annals of
    Statistics 36 (local linear approximation).
    """

    max_iterations: int = field(default=100, metadata={"domain": whole(1)})

    needs_convexity: ClassVar[bool] = False

    def _objection(self, risk: LinearRisk) -> str | None:
        from infimum.solvers.choose import choose  # late: it lists this solver

        loss, penalty = type(risk.loss).__name__, type(risk.penalty).__name__
        if risk.loss.convex and risk.penalty.convex:
            return f"{loss} and {penalty} are convex: there is nothing to linearise"
        if not isinstance(risk.loss, Loss):
            return f"{penalty} has one price per feature, {loss} reads several scores"
        try:
            choose(_model(risk.evaluate(risk.null)))
        except IncompatibleError:
            return f"no solver fits the convex model of {loss} with {penalty}"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        from infimum.solvers.choose import choose

        # The flat plane is the only one below a bounded loss.
        flat = None if here.risk.loss.convex else np.zeros_like(here.slopes)
        unit = here.risk.unit
        if not np.isfinite(here.value):
            here = here.risk.evaluate(here.risk.prox(here.point, 0.0))
        here = self._hopeful(here)
        yield Iterate(here, 0, flat)
        for iteration in count(1):
            model = _model(here)
            solver = choose(model)(SHARPER * self.tolerance)
            found = solver.solve(model, start=here.point)
            left = model.value(here.point) - found.certificate.dual
            there = here.risk.evaluate(found.point)
            better = there if there.value < here.value else here
            if left <= self.tolerance * unit:
                share = max(left, 0.0) / unit
                end = f"stationary: its convex model can fall by {share:.0e} at most"
                yield Iterate(better, iteration, flat, end=end)
            if better is here:
                return
            here = better
            yield Iterate(here, iteration, flat)

    def _hopeful(self, here: Evaluation) -> Evaluation:
        """Return a better start, where one is found that gives up on no sample.

        A constant score gives up on a whole class, and no tangent leads back.
        """
        from infimum.solvers.choose import choose

        if here.risk.loss.convex:
            return here
        model = _model(here, np.zeros_like(here.scores))
        found = choose(model)(SHARPER * self.tolerance).solve(model)
        there = here.risk.evaluate(found.point)
        return there if there.value < here.value else here


def _model(here: Evaluation, scores: Vector | None = None) -> LinearRisk:
    """Return the convex risk above the objective that touches it at `here`.

    With `scores`, the loss touches at these instead.
    """
    risk = here.risk
    penalty = risk.penalty.majorant(here.point[:-1])
    if risk.loss.convex:
        return risk.with_penalty(penalty)
    assert isinstance(risk.loss, Loss)
    scores = here.scores if scores is None else scores
    loss, y, shift = risk.loss.majorant(risk.y, scores)
    offset = shift if risk.offset is None else risk.offset + shift
    return risk.afresh(loss=loss, y=y, penalty=penalty, offset=offset)
