"""`LinearEstimator`: fit, certify and path for whatever a recipe minimises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from inspect import Parameter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin

from infimum.certificates import FINEST, Certificate, least_certain
from infimum.data.doors import Rows, check_fitted
from infimum.data.doors.streamed_rows import streams
from infimum.data.doors.weights import known_scores
from infimum.models._audited import audited, not_audited
from infimum.models._guarded_fit import (
    FEW_ENTRIES,
    one_thread_if_quick,
    unchanged_on_failure,
)
from infimum.models._interruption import raise_if_interrupted
from infimum.models.linear._overflow import blaming_numbers
from infimum.models.linear.coding import Pair
from infimum.models.linear.fit import Fit, Recipe, attainable, default_of, fit_linear
from infimum.models.linear.keep import keep, stored_in, warn_if_open
from infimum.parameters import check_domain, check_parameters, positive
from infimum.solvers import Record
from infimum.solvers.progress import INTERRUPTED

if TYPE_CHECKING:
    from infimum.models.linear.regularization_path import RegularizationPath

__all__ = [
    "LinearEstimator",
    "certify_linear",
    "concluded",
    "learn",
    "report_to",
    "stated",
]

Model = TypeVar("Model", bound="LinearEstimator")


class LinearEstimator(CallbackSupportMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A model learnt by minimising a regularised risk that its recipe describes."""

    coef_: Any
    intercept_: Any
    classes_: Any
    certificate_: Certificate
    certificates_: list[Certificate]
    history_: tuple[Record, ...]
    n_iter_: Any
    dual_slopes_: Any

    @abstractmethod
    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        """Let data in by a door: those of a fit, or those of the fit again."""

    @abstractmethod
    def _recipe(self, rows: Rows) -> Recipe:
        """Return what is minimised on these rows; the parameters are checked."""

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

    @streams("infimum.models.linear.streamed:certify_streamed")
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

        Nothing of the solver's work is trusted: the objective is evaluated again, and
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
            The relative gap to be proved; by default that of the class, or 1e-9 if
            that is finer, whatever the model says of its own.
        rigorous : bool, default=False
            Whether the auditor shall prove it, with rounding counted; see
            `infimum.certificates.auditor`.

        Returns
        -------
        Certificate
            The worst over the targets, when there are several.
        """
        return certify_linear(
            self, X, y, sample_weight, tolerance=tolerance, rigorous=rigorous
        )


def learn(
    model: LinearEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    choose: Callable[[Rows], None] | None = None,
    **known: Any,
) -> Fit:
    """Fit a model to data, and keep what was found; a failure changes nothing.

    `choose` may set what the recipe needs, once the rows are checked; `known` are
    offset and exposure.
    """
    with unchanged_on_failure(model), blaming_numbers(model, X, y):
        check_parameters(model)
        rows = model._rows(X, y, sample_weight, reset=True)
        if rows.classes is not None:
            model.classes_ = rows.classes
        if choose is not None:
            choose(rows)
        recipe = model._recipe(rows)
        if any(given is not None for given in known.values()):
            rows = _with_offset(model, recipe, rows, **known)
        context = model._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=model, X=X, y=y)
        start = _start_of(model, recipe) if vars(model).get("warm_start") else None
        watched = hasattr(model, "_skl_callbacks")
        report = report_to(model, context) if watched else None
        with one_thread_if_quick(rows.X, FEW_ENTRIES):
            found = fit_linear(recipe, rows, start, report)
        if choose is not None and _is_interrupted(found):
            raise KeyboardInterrupt  # a choice is whole, or it leaves the old model
        single = recipe.space is None and rows.X.dtype == np.float32
        keep(model, found, single=single)
    context.call_on_fit_task_end(
        estimator=model, X=X, y=y, reconstruction_attributes={}
    )
    return found


def _is_interrupted(found: Fit) -> bool:
    ends = [solution.certificate.reason for solution in found.solutions]
    return INTERRUPTED in ends


def concluded(model: Model, expected: str | None = None) -> Model:
    """Return a fitted model; tell of Ctrl-C, and of a gap that is open.

    A proof that ends for an `expected` reason may be open.
    """
    raise_if_interrupted(model)
    proof = model.certificate_
    if not proof.closed and (expected is None or not proof.reason.startswith(expected)):
        warn_if_open(model, stacklevel=4)
    return model


def stated(
    model: LinearEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    reset: bool = True,
    **known: Any,
) -> tuple[Recipe, Rows]:
    """Return what a model minimises on data, and the data as they were let in."""
    check_parameters(model)
    rows = model._rows(X, y, sample_weight, reset=reset)
    recipe = model._recipe(rows)
    if any(given is not None for given in known.values()):
        rows = _with_offset(model, recipe, rows, **known)
    return recipe, rows


def certify_linear(
    model: LinearEstimator,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    tolerance: float | None,
    rigorous: bool,
    **known: Any,
) -> Certificate:
    """Prove the stored coefficients on data; return the worst over the targets."""
    check_fitted(model)
    usual = copy(model)
    tol = default_of(type(model), "tol")
    if tol is not Parameter.empty:
        usual.tol = tol
    recipe, rows = stated(usual, X, y, sample_weight, reset=False, **known)
    asked = max(recipe.tolerance, FINEST) if tolerance is None else tolerance
    check_domain("certify tolerance", asked, positive)
    problem = recipe.problem(rows)
    stored = stored_in(model, problem.stored_as)
    if rigorous and recipe.prove is None:
        return audited(recipe, rows, problem, stored, model.dual_slopes_, asked)
    proofs = recipe.proofs(problem, stored, model.dual_slopes_)
    if rigorous:
        return not_audited(model, proofs[least_certain(proofs)])
    fair = attainable(asked, problem.design.dtype)
    proofs = [replace(proof, tolerance=fair) for proof in proofs]
    if tolerance is None:
        proofs = [proof.as_fine_as_rounding_allows() for proof in proofs]
    return proofs[least_certain(proofs)]


def _with_offset(
    model: LinearEstimator,
    recipe: Recipe,
    rows: Rows,
    offset: Any = None,
    exposure: Any = None,
) -> Rows:
    owner, columns = type(model).__name__, getattr(recipe.loss, "outputs", 1)
    known = known_scores(owner, len(rows), offset, exposure, columns=columns)
    return replace(rows, offset=known)


def _start_of(model: LinearEstimator, recipe: Recipe) -> Pair | None:
    """Return the last solution, if there is one."""
    name = "coef_" if recipe.space is None else "dual_coef_"
    known = name in vars(model) and "intercept_" in vars(model)
    return stored_in(model, name) if known else None


def report_to(model: LinearEstimator, context: Any) -> Any:
    """Report each certified iterate to scikit-learn's callbacks."""

    def report(record: Record) -> bool:
        task = context.subcontext(task_name="iteration")
        task.call_on_fit_task_begin(estimator=model, metadata=record._asdict())
        return bool(task.call_on_fit_task_end(estimator=model))

    return report
