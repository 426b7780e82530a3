"""Convex machines: a loss, the norm of the function, and a proof."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from infimum.data.validation import accept_weights
from infimum.errors import DataError, IncompatibleError
from infimum.losses import VectorLoss
from infimum.models._class_weights import class_weighted
from infimum.models._kernel_door import (
    admit_labelled,
    admit_measured,
    gram_of,
    kernel_of,
)
from infimum.models.kernel._machine import KernelClassifier, KernelMachine
from infimum.models.linear._base import LinearModel, Start
from infimum.models.linear._kernel_problem import KernelProblem
from infimum.models.linear._problem import LinearProblem
from infimum.objectives import kernel_tiles
from infimum.parameters import check_domain, positive
from infimum.penalties import Penalty, Ridge
from infimum.solvers import Solution
from infimum.typing import Vector

__all__ = ["KernelRiskClassifier", "KernelRiskMachine", "KernelRiskRegressor"]


class KernelRiskMachine(KernelMachine, LinearModel, ABC):
    """½‖f‖² + C Σ wᵢ ℓ(yᵢ, f(xᵢ) + b), minimised and proved in the kernel's space."""

    C: float
    tol: float
    dual_coef_: Any

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        things, targets, weights = self._admit(X, y, sample_weight, reset=reset)
        if reset:
            self._remember(things)
        return KernelProblem.in_space(
            gram_of(self, things),
            targets,
            self._loss(),
            weights,
            intercept=bool(getattr(self, "fit_intercept", True)),
            tiles=kernel_tiles(kernel_of(self), things),
        )

    def _starts(self, problem: LinearProblem) -> list[Start]:
        return [None] * len(problem.targets)

    def _adopt(
        self, problem: LinearProblem, solutions: list[Solution], dtype: Any = None
    ) -> None:
        super()._adopt(problem, solutions)

    def _penalty(self, total: float) -> Penalty:
        check_domain(f"{type(self).__name__}.C", self.C, positive)
        return Ridge(1.0 / (float(self.C) * total))

    def _tolerance(self) -> float:
        check_domain(f"{type(self).__name__}.tol", self.tol, positive)
        return self.tol

    def path(self, *given: Any, **named: Any) -> Any:
        """Refuse: paths are for linear models and for kernel ridge regression."""
        raise IncompatibleError(
            f"{type(self).__name__} has no path; KernelRidge.path has."
        )


class KernelRiskRegressor(RegressorMixin, KernelRiskMachine, ABC):  # type: ignore[misc]
    """A machine that predicts a number."""

    intercept_: float

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the function, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> Vector:
        """Return the predicted target of each sample."""
        check_is_fitted(self)
        scores = self._sum(X, self.dual_coef_)
        return np.asarray(scores + self.intercept_)

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        things, targets = admit_measured(self, X, y)
        return things, (targets,), accept_weights(sample_weight, things)

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        self.dual_coef_, self.intercept_ = coefs[0], float(intercepts[0])

    def _points(self, problem: LinearProblem) -> list[Vector]:
        return [problem.pack(self.dual_coef_, self.intercept_)]


class KernelRiskClassifier(KernelClassifier, KernelRiskMachine, ABC):
    """A machine that names a class: one score per class, or one for two classes."""

    intercept_: Vector

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the function of each class, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        return self._fit(X, y, sample_weight)

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        known = None if reset else self.classes_
        things, codes = admit_labelled(self, X, y)
        if known is not None and not np.array_equal(known, self.classes_):
            found, self.classes_ = self.classes_, known
            raise DataError(
                f"{type(self).__name__} was fitted on the classes {known.tolist()}, "
                f"got {found.tolist()}."
            )
        weights = class_weighted(self, codes, accept_weights(sample_weight, things))
        if isinstance(self._loss(), VectorLoss):
            return things, (codes.astype(np.float64),), weights
        return things, tuple(self._sides(codes)), weights

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        single = coefs[0].ndim == 1
        self.dual_coef_ = np.atleast_2d(np.array(coefs) if single else coefs[0])
        self.intercept_ = np.atleast_1d(np.squeeze(np.array(intercepts)))

    def _points(self, problem: LinearProblem) -> list[Vector]:
        if isinstance(problem.loss, VectorLoss):
            return [problem.pack(self.dual_coef_, self.intercept_)]
        pairs = zip(self.dual_coef_, self.intercept_, strict=True)
        return [problem.pack(w, b) for w, b in pairs]
