"""Machines that minimise a convex risk in the space of a kernel, with a proof."""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.callback import with_callbacks

from infimum.data.doors import Rows, check_fitted, labelled, measured
from infimum.errors import IncompatibleError
from infimum.losses import Loss, VectorLoss
from infimum.models.kernel._machine import KernelClassifier, KernelMachine
from infimum.models.linear._classifier import check_classes
from infimum.models.linear._space import KernelSpace
from infimum.models.linear.coding import Coding
from infimum.models.linear.estimator import LinearEstimator, concluded, learn
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Domains, positive
from infimum.penalties import Ridge
from infimum.solvers import Solver
from infimum.typing import Vector

__all__ = ["KernelRiskClassifier", "KernelRiskMachine", "KernelRiskRegressor"]


class KernelRiskMachine(KernelMachine, LinearEstimator, ABC):
    """½‖f‖² + C Σ wᵢ ℓ(yᵢ, f(xᵢ) + b), minimised and proved in the kernel's space."""

    _domains: ClassVar[Domains] = {"C": positive, "tol": positive}

    C: float
    tol: float
    fit_intercept: bool
    dual_coef_: Any

    def path(self, *given: Any, **named: Any) -> Any:
        """Refuse: paths are for linear models and for kernel ridge regression."""
        raise IncompatibleError(
            f"{type(self).__name__} has no path; KernelRidge.path has."
        )

    def _in_space(
        self,
        loss: Loss | VectorLoss,
        coding: Coding,
        preferred: type[Solver] | None = None,
    ) -> Recipe:
        """Return the recipe of a loss in the space of the kernel."""
        C = float(self.C)
        return Recipe(
            loss,
            lambda total: Ridge(1.0 / (C * total)),
            coding,
            tolerance=self.tol,
            intercept=self.fit_intercept,
            preferred=preferred,
            max_iterations=limit_of(self),
            space=KernelSpace(self),
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
        space = KernelSpace(self)
        space.remember(learn(self, X, y, sample_weight).rows)
        return concluded(self)

    def predict(self, X: Any) -> Vector:
        """Return the predicted target of each sample."""
        check_fitted(self)
        return np.asarray(self._sum(X, self.dual_coef_) + self.intercept_)

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        return KernelSpace(self).rows(measured, X, y, sample_weight, reset=reset)


class KernelRiskClassifier(KernelClassifier, KernelRiskMachine, ABC):
    """A machine that names a class: one score per class, or one for two classes."""

    class_weight: Any
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
        space = KernelSpace(self)
        space.remember(learn(self, X, y, sample_weight).rows)
        return concluded(self)

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        how = {"class_weight": self.class_weight, "reset": reset}
        rows = KernelSpace(self).rows(labelled, X, y, sample_weight, **how)
        return rows if reset else check_classes(self, rows)
