"""What all linear estimators share: from a problem to certified coefficients."""

from __future__ import annotations

import inspect
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin

from infimum.certificates import Certificate, certify
from infimum.data.validation import accept_samples
from infimum.losses import Loss, VectorLoss
from infimum.models._advice import open_gap
from infimum.models._audited import audited, held_in_space, slopes_of
from infimum.models._interruption import raise_if_interrupted
from infimum.models.linear._overflow import blaming_numbers
from infimum.models.linear._problem import LinearProblem
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import check_domain, positive
from infimum.penalties import Penalty
from infimum.solvers import Record, Solution, Solver, choose, relay
from infimum.solvers.progress import INTERRUPTED, interrupt
from infimum.typing import Vector

if TYPE_CHECKING:
    from infimum.models.linear.regularization_path import RegularizationPath

__all__ = ["LinearModel", "Start"]

#: Parameters that say how precise a fit shall be.
_TOLERANCES = ("tol", "tolerance")
#: Where a solver begins: the null model, a point, or where another run ended.
Start: TypeAlias = Vector | Evaluation | None


class LinearModel(CallbackSupportMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A function x ↦ ⟨w, x⟩ + b learnt by minimising a regularised risk.

    Subclasses say which loss, which penalty and how precisely; fitting, warm starts,
    paths, proofs and scikit-learn's callbacks are the same for all.
    """

    coef_: Any
    intercept_: Any
    classes_: Any

    @abstractmethod
    def _loss(self) -> Loss | VectorLoss:
        """Return the loss that the parameters name."""

    @abstractmethod
    def _penalty(self, total: float) -> Penalty:
        """Return the penalty, scaled for samples of that total weight."""

    @abstractmethod
    def _tolerance(self) -> float:
        """Return the relative gap at which to stop."""

    @abstractmethod
    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        """Check the data at the door; return samples, targets and weights."""

    @abstractmethod
    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        """Set `coef_` and `intercept_` in the shapes that users expect."""

    @abstractmethod
    def _points(self, problem: LinearProblem) -> list[Vector]:
        """Return the fitted coefficients as points, one per target."""

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        with _as_before_on_failure(self), blaming_numbers(self, X, y):
            problem = self._state(X, y, sample_weight, reset=True)
            context = self._init_callback_context(max_subtasks=None)
            context.call_on_fit_task_begin(estimator=self, X=X, y=y)
            starts = self._starts(problem)
            solutions = self._solve(problem, starts, _bridge(self, context))
            self._adopt(problem, solutions, X.dtype if hasattr(X, "dtype") else None)
        context.call_on_fit_task_end(
            estimator=self, X=X, y=y, reconstruction_attributes={}
        )
        raise_if_interrupted(self)
        self._warn_if_open()
        return self

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        X, targets, weights = self._admit(X, y, sample_weight, reset=reset)
        intercept = bool(getattr(self, "fit_intercept", True))
        return LinearProblem.of(X, targets, self._loss(), weights, intercept=intercept)

    def _starts(self, problem: LinearProblem) -> list[Start]:
        if getattr(self, "warm_start", False) and hasattr(self, "coef_"):
            points = self._points(problem)
            if points[0].shape[0] == problem.design.shape[1] + 1:
                return list(points)
        return [None] * len(problem.targets)

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        solutions: list[Solution] = []
        for risk, start in zip(self._risks(problem), starts, strict=True):
            solutions.append(self._minimized(risk, start, callback))
            if solutions[-1].reason == INTERRUPTED:
                callback = interrupt  # one Ctrl-C ends the fit, for all targets
        return solutions

    def _minimized(self, risk: LinearRisk, start: Start, callback: Any) -> Solution:
        """Solve; a method that the user has named is not replaced by another."""
        solver = self._solver(risk)
        named = getattr(self, "solver", None) is solver
        solve = solver.solve if named else partial(relay, solver)
        return solve(risk, start, callback)

    def _risks(self, problem: LinearProblem) -> list[LinearRisk]:
        """Return what is minimised, one risk per target."""
        return problem.risks(self._penalty(problem.total))

    def _solver(self, risk: LinearRisk) -> Solver:
        """Choose a solver and give it the precision and the limits asked for."""
        kind = self._solver_kind(risk)
        asked = _attainable(self._tolerance(), risk.design.dtype)
        options: dict[str, Any] = {"tolerance": asked}
        if (limit := self._limit()) is not None:
            options["max_iterations"] = limit
        state = getattr(self, "random_state", None)
        if state is not None and "random_state" in _defaults(kind):
            options["random_state"] = int(
                np.random.RandomState(state).randint(2**31)
                if isinstance(state, int | np.integer)
                else state.randint(2**31)
            )
        return kind(**options)

    def _solver_kind(self, risk: LinearRisk) -> type[Solver]:
        return choose(risk)

    def _limit(self) -> int | None:
        """Return `max_iter` where the user changed it; None leaves it to the solver.

        Iterations of different methods are different things: a default that suits one
        would stop another too early.
        """
        given = getattr(self, "max_iter", None)
        defaults = _defaults(type(self))
        if given is None or given == defaults.get("max_iter", given):
            return None
        return int(given)

    def _adopt(
        self, problem: LinearProblem, solutions: list[Solution], dtype: Any = None
    ) -> None:
        """Keep what the solutions found, with the proof of the least certain one."""
        pairs = [
            problem.unpack(solution.point, target)
            for target, solution in enumerate(solutions)
        ]
        self._shape([pair[0] for pair in pairs], [pair[1] for pair in pairs])
        self.dual_slopes_ = None
        if any(s.slopes is not s.here.slopes for s in solutions):
            self.dual_slopes_ = np.array([s.slopes for s in solutions])
        proofs = [s.certificate for s in solutions]
        if hasattr(problem, "held"):
            slopes = [[s.here.slopes, s.slopes] for s in solutions]
            proofs = held_in_space(self, problem, proofs, slopes)
        if dtype == np.float32 and self._round(problem):
            proofs = [
                replace(new, tolerance=old.tolerance, reason=old.reason)
                for new, old in zip(
                    self._prove(problem, self.dual_slopes_), proofs, strict=True
                )
            ]
        worst = max(range(len(proofs)), key=lambda k: proofs[k].relative_gap)
        self.certificate_: Certificate = proofs[worst]
        self.certificates_ = proofs
        self.history_: tuple[Record, ...] = solutions[worst].history
        self.n_iter_ = max(1, *(s.iterations for s in solutions), 1)

    def _round(self, problem: LinearProblem) -> bool:
        """Round the coefficients to single precision, unless the penalty forbids it."""
        exact = self.coef_
        self.coef_ = exact.astype(np.float32)
        risks, points = self._risks(problem), self._points(problem)
        allowed = all(
            np.isfinite(risk.penalty.value(point[:-1]))
            for risk, point in zip(risks, points, strict=True)
        )
        if not allowed:
            self.coef_ = exact
        return allowed

    def _warn_if_open(self) -> None:
        proof = self.certificate_
        if not proof.closed:
            iterations = self.history_[-1].iteration
            warnings.warn(
                open_gap(self, proof, iterations), UncertifiedWarning, stacklevel=4
            )

    def path(
        self, X: Any, y: Any, *, values: Any = None, sample_weight: Any = None
    ) -> RegularizationPath:
        """Fit a clone for each regularisation strength, from strong to weak.

        A shorthand for `infimum.models.linear.regularization_path`, which see.
        """
        from infimum.models.linear.regularization_path import regularization_path

        return regularization_path(
            self, X, y, values=values, sample_weight=sample_weight
        )

    def certify(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof from the coefficients and the data alone.

        Nothing of the solver's work is trusted: the objective is evaluated afresh, and
        dual slopes kept from the fit only propose a bound, which is checked. Neither
        the certificate nor the tolerance of the fit counts.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The samples the model was fitted on.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        tolerance : float, optional
            The relative gap to be proved; by default that of the class, whatever the
            model says of its own.
        rigorous : bool, default=False
            Whether the auditor shall prove it, with rounding counted; see
            `infimum.certificates.auditor`.

        Returns
        -------
        Certificate
            The worst over the targets, when there are several.
        """
        self._accept_again(X)
        asked = self._usual_tolerance() if tolerance is None else tolerance
        check_domain("certify tolerance", asked, positive)
        if rigorous:
            return audited(self, X, y, sample_weight, asked)
        problem = self._state(X, y, sample_weight, reset=False)
        proofs = self._prove(problem, self.dual_slopes_)
        worst = max(proofs, key=lambda proof: proof.relative_gap)
        proof = replace(worst, tolerance=_attainable(asked, problem.design.dtype))
        return proof.as_fine_as_rounding_allows() if tolerance is None else proof

    def _prove(self, problem: LinearProblem, kept: Any) -> list[Certificate]:
        """Prove what is stored: the coefficients, with dual slopes that may help."""
        risks = self._risks(problem)
        slopes = slopes_of(kept, risks, problem.design.shape[0])
        points = map(LinearRisk.evaluate, risks, self._points(problem))
        heres = list(points)
        proofs = [
            certify(risk, here, slope)
            for risk, here, slope in zip(risks, heres, slopes, strict=True)
        ]
        if not hasattr(problem, "held"):
            return proofs
        both = zip(heres, slopes, strict=True)
        tried = [[h.slopes, h.slopes if s is None else s] for h, s in both]
        return held_in_space(self, problem, proofs, tried)

    def _usual_tolerance(self) -> float:
        """Return the relative gap that the class asks for by default."""
        usual = copy(self)
        for name in _TOLERANCES:
            if name in _defaults(type(self)):
                setattr(usual, name, _defaults(type(self))[name])
        return usual._tolerance()

    def _accept_again(self, X: Any) -> None:
        """Refuse samples that cannot be those of the fit."""
        accept_samples(self, X)


def _attainable(tolerance: float, dtype: Any) -> float:
    """Return a tolerance that the precision of the data can meet."""
    return max(tolerance, 1e-5 if dtype == np.float32 else 1e-14)


@cache
def _defaults(kind: type) -> dict[str, Any]:
    """Return what a class may be told, and what it assumes otherwise."""
    told = inspect.signature(kind).parameters.items()
    return {name: parameter.default for name, parameter in told}


@contextmanager
def _as_before_on_failure(estimator: Any) -> Iterator[None]:
    """Leave an estimator as it was when its fit fails: half a new model is none."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__ = before
        raise


def _bridge(estimator: LinearModel, context: Any) -> Any:
    """Report each certified iterate to scikit-learn's callbacks, if there are any."""
    if not hasattr(estimator, "_skl_callbacks"):
        return None

    def report(record: Record) -> bool:
        task = context.subcontext(task_name="iteration")
        task.call_on_fit_task_begin(estimator=estimator, metadata=record._asdict())
        return bool(task.call_on_fit_task_end(estimator=estimator))

    return report
