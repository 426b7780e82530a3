"""Huber regression: robust to outliers, with the noise scale learnt alongside."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.callback import with_callbacks

from infimum.certificates import Certificate, DualPoint, rounding_slack
from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import streams
from infimum.limits import time_is_up
from infimum.losses import Absolute, Huber
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Number
from infimum.models.linear.estimator import concluded, learn
from infimum.models.linear.fit import Recipe, Start, limit_of
from infimum.models.linear.robust._joint_newton import descend_jointly
from infimum.objectives import (
    ConcomitantRisk,
    DualSide,
    Evaluation,
    LinearRisk,
    corner_bound,
    corner_point,
)
from infimum.parameters import Domains, Interval, nonnegative
from infimum.penalties import NoPenalty, Ridge
from infimum.solvers import Newton, Record, Solution, choose
from infimum.solvers.progress import INTERRUPTED, LATE
from infimum.typing import Mask, Vector

__all__ = ["HuberRegressor"]

#: A scale below this share of what there is to gain is gone, and a fit ends with it.
GONE, NO_SCALE = 1e-12, "the scale has fallen to 0"
#: Rounds of alternation; each costs a few Newton steps.
MOST_ROUNDS = 500
#: Samples whose residuals are this share of the largest target are met exactly.
MET = 1e-10
#: After so many rounds without a proof the scale is held to be 0.
STUCK = 12
#: A scale that has fallen to this share of the first may be on its way to 0.
FALLING = 0.05


class HuberRegressor(LinearRegressor):
    r"""Linear regression in which outliers pull with bounded force.

    .. math:: \min_{w, \sigma} \sum_i c_i \left(\sigma
              + H_\epsilon\!\left(\frac{x_i^\top w + b - y_i}{\sigma}\right)
              \sigma\right) + \alpha \|w\|_2^2

    Parameters
    ----------
    epsilon : float, default=1.35
        Residuals beyond `epsilon` scales count linearly; at least 1.
    max_iter : int, default=100
        Most rounds; left at its default, as many as the proof needs.
    alpha : float, default=0.0001
        Weight of the penalty.
    warm_start : bool, default=False
        Start from the last solution.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    tol : float, default=1e-5
        Bound on the gradient; the fit stops when the relative duality gap of the joint
        problem is below max(tol², 1e-9).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    scale_ : float
        The learnt σ.
    outliers_ : ndarray of bool
        Samples whose residual exceeds epsilon·σ.
    certificate_ : Certificate
        How far (`coef_`, `scale_`) can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> y = 2.0 * X.ravel() + np.tile([0.1, -0.1], 10)
    >>> y[3] = 500.0
    >>> float(HuberRegressor().fit(X, y).coef_[0].round(2))
    2.0
    """

    _domains: ClassVar[Domains] = {
        "epsilon": Interval(1.0, np.inf),
        "alpha": nonnegative,
    }

    def __init__(
        self,
        *,
        epsilon: float = 1.35,
        max_iter: int = 100,
        alpha: float = 0.0001,
        warm_start: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-5,
    ) -> None:
        self.epsilon = epsilon
        self.max_iter = max_iter
        self.alpha = alpha
        self.warm_start = warm_start
        self.fit_intercept = fit_intercept
        self.tol = tol

    @streams("infimum.data.doors.streamed_rows:refuse_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn coefficients and scale, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        rows = learn(self, X, y, sample_weight).rows
        # Samples of weight 0 had no say in the fit, and are judged by it all the same.
        residuals = np.abs(rows.X @ self.coef_ + self.intercept_ - rows.y)
        rounding = MET * float(np.abs(rows.y).max(initial=0.0))
        self.outliers_ = residuals > max(self.epsilon * self.scale_, rounding)
        return concluded(self)

    def _recipe(self, rows: Rows) -> Recipe:
        price = 2.0 * float(self.alpha)
        return Recipe(
            Huber(float(self.epsilon)),
            lambda total: Ridge(price / total) if price > 0 else NoPenalty(),
            Number(),
            tolerance=max(float(self.tol**2), 1e-9),
            intercept=self.fit_intercept,
            max_iterations=limit_of(self),
            solve=self._alternate,
            prove=self._prove,
        )

    def _joint(self, problem: LinearProblem) -> ConcomitantRisk:
        [risk] = problem.risks(NoPenalty())
        return ConcomitantRisk(
            problem.design.in_double(),  # single precision would not prove much
            np.asarray(problem.targets[0], dtype=np.float64),
            risk.weights,
            float(self.epsilon),
            self.alpha / problem.total,
            problem.intercept,
        )

    def _alternate(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        """Improve coefficients and scale in turn, until the joint gap closes."""
        joint, started = self._joint(problem), time.perf_counter()
        template = problem.risks(NoPenalty())[0]
        start = starts[0]
        point = template.null if start is None else start
        point = point.point if isinstance(point, Evaluation) else point
        sigma = joint.best_scale(joint.residuals(point))
        unit, tolerance = self._units(joint, template)
        first = sigma
        history: list[Record] = []
        proof, dual = Certificate(np.inf, -np.inf), joint.dual(point, 0.0)
        for iteration in range(1, (limit_of(self) or MOST_ROUNDS) + 1):
            stopped, point, sigma = self._step(problem, joint, point, sigma)
            dual = _higher(dual, joint.dual(point, sigma))
            if _may_be_a_corner(joint, iteration, sigma, first):
                point, sigma, dual = _at_corner(
                    joint, (point, sigma, dual), unit * tolerance
                )
            elif iteration == STUCK or sigma <= GONE * unit:
                flat = _without_scale(problem, joint)
                stopped = stopped or flat.reason == INTERRUPTED
                point, sigma, dual = _better_of(joint, (point, sigma, dual), flat.point)
            primal = joint.value(point, sigma)
            proof = Certificate(primal, dual.value, unit, tolerance, "gap closed")
            history.append(
                Record(iteration, time.perf_counter() - started, primal, dual.value)
            )
            reason = _reason_to_stop(history[-1], callback, stopped=stopped)
            if proof.closed or reason or sigma <= GONE * unit:
                break
        if not proof.closed:
            end = NO_SCALE if sigma <= GONE * unit else "iteration limit"
            proof = replace(proof, reason=reason or end)
        self.scale_ = np.float64(sigma)
        slack = _rounding(joint, template, (point, proof.primal), dual)
        proof = replace(proof, dual=proof.dual - slack, slack=slack)
        return [Solution(template.evaluate(point), proof, tuple(history), dual.slopes)]

    def _units(
        self, joint: ConcomitantRisk, template: LinearRisk
    ) -> tuple[float, float]:
        """Return what there is to gain, and the share of it that may be left open."""
        null = template.null
        worst = joint.value(null, joint.best_scale(joint.residuals(null)))
        rounding = 1e-12 * float(np.abs(joint.y).max(initial=0.0))
        single = template.design.dtype == np.float32
        floor = 1e-5 if single else 0.0
        return max(worst, rounding, 1e-300), max(float(self.tol**2), 1e-9, floor)

    def _step(
        self,
        problem: LinearProblem,
        joint: ConcomitantRisk,
        point: Vector,
        sigma: float,
    ) -> tuple[bool, Vector, float]:
        """Descend in both together, or in the coefficients under a fixed scale.

        Tell whether the user ended it. The joint bound is linear in the gradient that
        is left, so no step is spared.
        """
        try:
            there, scale = descend_jointly(joint, point, sigma)
        except KeyboardInterrupt:
            return True, point, sigma
        if there is not point:
            return False, there, scale
        sigma = max(sigma, 1e-300)
        strength = 2.0 * joint.strength * sigma / 2.0
        penalty = Ridge(strength) if strength > 0 else NoPenalty()
        risk = replace(problem.risks(penalty)[0], loss=Huber(joint.epsilon * sigma))
        found = Newton(tolerance=1e-30, max_iterations=4).solve(risk, point)
        scale = joint.best_scale(joint.residuals(found.point))
        return found.reason == INTERRUPTED, found.point, scale

    def _prove(
        self, problem: LinearProblem, points: list[Vector], kept: Any
    ) -> list[Certificate]:
        """Prove the stored coefficients and scale of the joint problem."""
        joint, [point] = self._joint(problem), points
        template = problem.risks(NoPenalty())[0]
        unit, _ = self._units(joint, template)
        proved = _higher(
            joint.dual(point, self.scale_),
            corner_bound(joint, point, _met(joint, point)),
        )
        if kept is not None and kept.shape == (1, len(joint.y)):
            proved = _higher(proved, joint.bound(kept[0], point))
        primal = joint.value(point, self.scale_)
        slack = _rounding(joint, template, (point, primal), proved)
        return [Certificate(primal, proved.value - slack, unit, slack=slack)]


def _higher(first: DualSide, second: DualSide) -> DualSide:
    return second if second.value > first.value else first


def _rounding(
    joint: ConcomitantRisk,
    template: LinearRisk,
    found: tuple[Vector, float],
    dual: DualSide,
) -> float:
    """Bound the rounding of a proof: it is that of absolute residuals, 2ε each.

    Both problems have the same slopes and the same price of coefficients, once divided
    by 2ε. Twice the bound, since the scale may have to be paid a little more.
    """
    (point, primal), width = found, 2.0 * joint.epsilon
    strength = joint.strength / joint.epsilon
    penalty = Ridge(strength) if strength > 0.0 else NoPenalty()
    risk = template.afresh(loss=Absolute(), penalty=penalty).in_double()
    here = risk.evaluate(point).told(value=primal / width)
    slopes = np.clip(dual.slopes / width, -1.0, 1.0)
    size = float(risk.weights @ np.abs(slopes * risk.y))
    proposed = DualPoint(dual.value / width, slopes, -dual.pull / width, size)
    return 2.0 * width * rounding_slack(here, proposed)


def _reason_to_stop(record: Record, callback: Any, *, stopped: bool) -> str | None:
    """Return why a round is the last one; None if it is not."""
    try:
        stop = callback is not None and callback(record)
    except KeyboardInterrupt:
        return INTERRUPTED
    if stopped:
        return INTERRUPTED
    if time_is_up():
        return LATE
    return "stopped by the callback" if stop else None


def _may_be_a_corner(
    joint: ConcomitantRisk, iteration: int, sigma: float, first: float
) -> bool:
    """Tell whether the scale may be 0 at the optimum, and it is time to look."""
    n, d = joint.design.shape
    if iteration == 1:
        return n <= d + 1  # some function meets every sample
    now_and_then = iteration & (iteration - 1) == 0
    return now_and_then and sigma <= FALLING * first


def _at_corner(
    joint: ConcomitantRisk, found: tuple[Vector, float, DualSide], open_: float
) -> tuple[Vector, float, DualSide]:
    """Return point, scale and bound, better ones if there are any at the scale 0.

    A corner that is not proved is no place to go on from: its scale stays 0.
    """
    n, d = joint.design.shape
    point, sigma, dual = found
    near = np.abs(joint.residuals(point)) <= joint.epsilon * sigma
    there = corner_point(joint, point, np.ones(n, bool) if n <= d + 1 else near)
    if there is None:
        return found
    corner = _better_of(joint, found, there)
    proved = joint.value(*corner[:2]) - corner[2].value <= open_
    return corner if proved else (point, sigma, _higher(dual, corner[2]))


def _without_scale(problem: LinearProblem, joint: ConcomitantRisk) -> Solution:
    """Return the solution under a scale of 0, where all residuals count linearly."""
    strength = joint.strength / joint.epsilon
    penalty = Ridge(strength) if strength > 0 else NoPenalty()
    risk = problem.risks(penalty)[0].afresh(loss=Absolute())
    return choose(risk)(tolerance=1e-12).solve(risk)


def _better_of(
    joint: ConcomitantRisk, found: tuple[Vector, float, DualSide], there: Vector
) -> tuple[Vector, float, DualSide]:
    """Return the better of two points, the best scale for it and the best bound."""
    point, sigma, dual = found
    dual = _higher(dual, corner_bound(joint, there, _met(joint, there)))
    scale = joint.best_scale(joint.residuals(there))
    if joint.value(there, scale) <= joint.value(point, sigma):
        return there, scale, dual
    return point, sigma, dual


def _met(joint: ConcomitantRisk, point: Vector) -> Mask:
    limit = MET * float(np.abs(joint.y).max(initial=0.0))
    return np.asarray(np.abs(joint.residuals(point)) <= limit)
