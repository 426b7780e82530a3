"""Newton's method (iteratively reweighted least squares) with line search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import numpy as np

from infimum.losses import Loss, Squared
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._line_search import backtrack
from infimum.solvers._solver import Solver, not_smooth
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.solvers.second_order._block_preconditioner import block_preconditioner
from infimum.solvers.second_order._newton_direction import (
    LARGE,
    conjugate_gradient,
    inverse_of,
)
from infimum.solvers.second_order._sampled_curvature import (
    TALL,
    curvature_at,
    part_of,
    rehearse,
    some_rows,
)
from infimum.solvers.second_order._secant_pairs import SecantPairs
from infimum.solvers.second_order._wide_step import fits, wide_search, widened
from infimum.typing import Vector

__all__ = ["Newton"]

#: From a point, a direction and the slope along it to the next point, and what of it.
Search: TypeAlias = Callable[
    [Evaluation, Vector, float], tuple[Evaluation, float] | None
]

#: Systems up to this size are factorised; larger ones go to conjugate gradients.
LARGEST_FACTORIZED = 2_000
#: A sampled Hessian is given up when a step keeps more than this share of the gradient.
SLOW = 0.5
#: Steps without a narrower gap after which rounding has the last word.
STALL_LIMIT = 10
#: Squares are minimised in one step: a Hessian of so few products is made of all rows.
CHEAP_SQUARES = 2e8
#: A step on a table with so few entries takes less time than its proof.
SMALL = 100_000
#: Several scores rehearse on every `SHARE`-th row, if these are at least `FEWEST`, in a
#: few steps, until one gains little.
SHARE, FEWEST, MOST_STEPS, ROUGHLY = 16, 2_000, 8, 1e-3
#: Plain steps in a row whose model was wrong, after which the curvature is averaged.
MISFITS = 2
#: A promised decrease this small, relative to the objective, is rounding.
RESOLUTION = 1e-26


@dataclass(frozen=True)
class Newton(Solver):
    """Minimise the local quadratic model, step there, repeat.

    For smooth losses and quadratic penalties. Affine changes of the features do not
    change its path, so badly scaled columns cost nothing. On tall data the model's
    curvature comes from a sample of the rows, corrected by what the steps find out,
    while gradients, values and proofs stay exact: every step costs one reading of X and
    nothing is approximated in the answer.

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
    >>> Newton().solve(risk).certified
    True

    References
    ----------
    Roosta-Khorasani & Mahoney (2019), Mathematical Programming 174 (sampled Hessians).
    Nocedal & Wright (2006), Numerical Optimization, chapter 7 (secant corrections).
    Dembo, Eisenstat & Steihaug (1982), SIAM J. Numerical Analysis 19 (inexact steps).
    """

    max_iterations: int = field(default=100, metadata={"domain": whole(1)})
    random_state: int = 0

    def _objection(self, risk: LinearRisk) -> str | None:
        return not_smooth(risk)

    def _descend(self, here: Evaluation) -> Descent:
        sampled = self._sampled(here.risk) if len(here.scores) >= TALL else None
        wide = not isinstance(here.risk.loss, Loss)
        if (wide or sampled is not None) and not here.point[:-1].any():
            here = _rehearsed(here, sampled)
        model = None if sampled is None else curvature_at(sampled, here.point)
        n, d = here.risk.design.shape
        tiny = sampled is None and not wide and n * d <= SMALL
        if sampled is None:
            straight = isinstance(here.risk.loss, Squared)
            worth = not (tiny or straight) or self._worth_proving(here, 0)
            yield Iterate(here, 0, worth=worth)
        patience, way = Patience(STALL_LIMIT), _Way()
        for iteration in count(1):
            before, found = here, way.step(here, model)
            if found is None:
                yield Iterate(here, iteration)
                return
            here = found
            exact = sampled is None and not tiny
            worth = exact or self._worth_proving(here, iteration)
            if worth or tiny:
                gap = yield Iterate(here, iteration, worth=worth)
                if patience.lost(gap, iteration, here.value):
                    return
            if model is not None:
                model = _learnt(model, before, here)

    def _worth_proving(self, here: Evaluation, iteration: int) -> bool:
        """Tell whether a proof, which costs as much as a step, may succeed here."""
        wanted = 2.0 * self.tolerance * here.risk.unit
        return _expected_gap(here) <= wanted or iteration >= self.max_iterations

    def _sampled(self, risk: LinearRisk) -> LinearRisk | None:
        """Return the risk on the rows that stand for all; None means all."""
        n, d = risk.design.shape
        straight = isinstance(risk.loss, Squared) and n * (d + 1) ** 2 <= CHEAP_SQUARES
        if straight or d > LARGEST_FACTORIZED:
            return None
        return some_rows(risk, self.random_state)


def _rehearsed(here: Evaluation, sampled: LinearRisk | None) -> Evaluation:
    """Return a start found on some of the rows, which saves steps on all of them."""
    risk = here.risk
    if sampled is not None:
        return risk.judge(rehearse(sampled, here.point))
    counted = np.flatnonzero(risk.weights)
    n, d = len(counted), risk.design.shape[1]
    if n * d <= LARGE or n < FEWEST * SHARE:
        return here
    there = part_of(risk, counted[::SHARE]).evaluate(here.point)
    for _ in range(MOST_STEPS):
        found = _Way().step(there, None)
        if found is None:
            break
        gained, there = there.value - found.value, found
        if gained <= ROUGHLY * risk.unit:
            break
    start = risk.evaluate(there.point)
    return start if start.value < here.value else here


def _learnt(
    model: SecantPairs, before: Evaluation, here: Evaluation
) -> SecantPairs | None:
    """Tell a sampled Hessian what a step has found out; None if it is of no use."""
    model.learn(here.point - before.point, here.gradient - before.gradient)
    slow = _size(here.gradient) > SLOW * _size(before.gradient)
    return None if slow else model


def _size(gradient: Vector) -> float:
    return float(np.linalg.norm(gradient))


def _expected_gap(here: Evaluation) -> float:
    """Return the duality gap up to the balancing of slopes: ‖∇P‖²/(2λ) under ridge.

    The slopes of the loss close Fenchel's inequality for every sample, so what is left
    open is the penalty's share.
    """
    strength = here.risk.penalty.quadratic
    if not strength:
        return 0.0
    pulls = here.gradient[:-1]
    return float(np.vdot(pulls, pulls)) / (2.0 * strength)


@dataclass
class _Way:
    """How steps are found: by the curvature at a point, or by its mean around it."""

    misfits: int = 0
    width: float = np.inf

    def step(self, here: Evaluation, model: SecantPairs | None) -> Evaluation | None:
        """Step along the best direction that decreases the objective; None at the end.

        Where the loss is flat in places the curvature at a point may say nothing.
        """
        single = isinstance(here.risk.loss, Loss)
        if single and self.misfits >= MISFITS:
            return self._wide_step(here)
        if model is not None:
            found = _descended(here, model.direction(here.gradient))
            if found is not None:
                return found[0]
        direction = _direction(here)
        found = _descended(here, direction)
        if found is None:
            return self._wide_step(here) if single else None
        if single:
            good = found[1] == 1.0 and fits(here, found[0], direction)
            self.misfits = 0 if good else self.misfits + 1
        return found[0]

    def _wide_step(self, here: Evaluation) -> Evaluation | None:
        """Step by the mean curvature over a window, by the largest one if need be."""
        for width in (self.width, np.inf) if np.isfinite(self.width) else (np.inf,):
            direction = _direction(widened(here, width))
            found = _descended(here, direction, wide_search)
            if found is not None:
                self.width = found[1]
                return found[0]
        return None


def _descended(
    here: Evaluation, direction: Vector, search: Search = backtrack
) -> tuple[Evaluation, float] | None:
    """Search along a direction, unless it promises nothing but rounding."""
    promised = float(np.vdot(here.gradient, direction))
    least = RESOLUTION * max(abs(here.value), here.risk.unit)
    return search(here, direction, promised) if -promised > least else None


def _direction(here: Evaluation) -> Vector:
    """Return the step to the minimum of the quadratic model."""
    risk = here.risk
    if not isinstance(risk.loss, Loss) or risk.design.shape[1] > LARGEST_FACTORIZED:
        return conjugate_gradient(here, block_preconditioner(here))
    return -inverse_of(risk.hessian(here.bends))(here.gradient)
