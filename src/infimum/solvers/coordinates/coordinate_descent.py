"""Coordinate descent with working sets, gap-safe screening and remembered Gram."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.penalties import SeparablePenalty
from infimum.solvers._line_search import backtrack
from infimum.solvers._solver import Solver
from infimum.solvers.coordinates._bounded_rounds import bounded_rounds, may_be_bounded
from infimum.solvers.coordinates._column_selection import choose_columns, screen
from infimum.solvers.coordinates._quadratic_model import (
    forget_model,
    minimize_model,
    model_of,
)
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.solvers.second_order._wide_step import next_width, widened
from infimum.typing import Indices, Mask, Vector

__all__ = ["CoordinateDescent"]

#: Rounds without a narrower gap after which rounding has the last word.
STALL_LIMIT = 20
#: Steps that had to be shortened, after which curvatures are averaged.
MISFITS = 2


@dataclass(frozen=True)
class CoordinateDescent(Solver):
    """Improve one coefficient at a time, on the few columns that matter.

    Each round screens out features that are provably 0, picks a working set, models
    the loss by a quadratic there (exactly, for the squared loss), sweeps its Gram
    matrix coordinate by coordinate in machine code, and steps with a line search. For
    smooth losses and separable penalties, on any design.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Squared
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Squared(), Ridge(0.1))
    >>> CoordinateDescent().solve(risk).certified
    True

    References
    ----------
    Ndiaye, Fercoq, Gramfort & Salmon (2017), JMLR 18 (gap-safe rules). Lee, Sun &
    Saunders (2014), SIAM J. Optimization 24 (proximal Newton).
    """

    max_iterations: int = field(default=1_000, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if not isinstance(risk.loss, Loss):
            return f"{type(risk.loss).__name__} couples the scores of a sample"
        if not risk.loss.smooth:
            return (
                f"{type(risk.loss).__name__} has a kink, and its gradient jumps there"
            )
        if not isinstance(risk.penalty, SeparablePenalty):
            return f"{type(risk.penalty).__name__} couples the coefficients"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk = here.risk
        assert isinstance(risk.penalty, SeparablePenalty)
        if may_be_bounded(risk):
            from infimum.compiled.threads import one_blas_thread  # late: it loads numba

            with one_blas_thread():
                last = yield from bounded_rounds(here, self.tolerance, risk.lengths)
            here = risk.evaluate(last.point, last.scores)
        elif not np.isfinite(
            here.value
        ):  # outside: start from the nearest point inside
            here = risk.evaluate(risk.prox(here.point, 0.0))
        yield from self._read_everything(here)

    def _read_everything(self, here: Evaluation) -> Descent:
        """Go on with the correlations of all columns computed in every round."""
        risk = here.risk
        alive, norms = np.ones(risk.design.shape[1], dtype=bool), risk.lengths
        patience, way = Patience(STALL_LIMIT), _Way(risk)
        yield Iterate(here, 0)
        for iteration in count(1):
            screen(here, alive, norms)
            chosen = choose_columns(here, alive)
            found = self._step(here, chosen, alive, way.bends(here))
            if found is None and not _exact(risk) and forget_model(risk):
                found = self._step(here, chosen, alive, way.bends(here))
            if found is None and not _exact(risk):
                # Where the loss is flat only the bound on its curvature leads down.
                most = widened(here, np.inf).bends
                found = self._step(here, chosen, alive, most)
            if found is None:
                yield Iterate(here, iteration)
                return
            way.note(here, *found)
            here = found[0]
            if patience.lost((yield Iterate(here, iteration)), iteration):
                return

    def _step(
        self, here: Evaluation, chosen: Indices, alive: Mask, bends: Vector
    ) -> tuple[Evaluation, float] | None:
        penalty = here.risk.penalty
        assert isinstance(penalty, SeparablePenalty)
        model = model_of(here, chosen, bends)
        worst = _worst(here, penalty, alive)
        floor = 0.1 * self.tolerance * max(float(np.max(penalty.corner)), 1e-3 * worst)
        moved = minimize_model(model, penalty, max(1e-2 * worst, floor))
        change = moved - model.start
        used = np.flatnonzero(here.point[:-1])
        struck = used[~alive[used]]
        direction = np.zeros_like(here.point)
        direction[struck] = -here.point[struck]
        direction[model.chosen] = change[:-1]
        direction[-1] = change[-1]
        shift = None if struck.size else model.columns.scores(change[:-1]) + change[-1]
        promised = float(here.risk_gradient @ direction)
        promised += penalty.value((here.point + direction)[:-1])
        promised -= penalty.value(here.point[:-1])
        if not change.any() and not struck.size:
            return None
        return backtrack(here, direction, promised, shift=shift)


class _Way:
    """Which curvatures a model is made of: those of a point, or means around it."""

    def __init__(self, risk: LinearRisk) -> None:
        self.exact, self.misfits, self.width = _exact(risk), 0, np.inf

    def bends(self, here: Evaluation) -> Vector:
        """Return the curvatures of the next model."""
        if self.misfits < MISFITS:
            return here.bends
        return widened(here, self.width).bends

    def note(self, here: Evaluation, there: Evaluation, step: float) -> None:
        """Take in how far a step was right, and how far it went."""
        if not self.exact:
            self.misfits += step < 1.0
            self.width = next_width(here, there)


def _worst(here: Evaluation, penalty: SeparablePenalty, alive: Mask) -> float:
    """Return how far a proximal gradient step of length 1 would move a coefficient."""
    w, pulled = here.point[:-1], here.pulled_back
    if len(penalty.settings) == 1:  # one price for all: the others need no look
        w, pulled, alive = w[alive], pulled[alive], np.ones(alive.sum(), dtype=bool)
    residual = w - penalty.prox(w - pulled, 1.0)
    return float(np.abs(residual[alive]).max(initial=0.0))


def _exact(risk: LinearRisk) -> bool:
    """Tell whether quadratic models are no approximation."""
    return isinstance(risk.loss, Loss) and risk.loss.constant_curvature
