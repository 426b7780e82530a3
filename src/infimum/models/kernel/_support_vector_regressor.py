"""What support vector regressors share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from infimum.data.validation import accept_weights
from infimum.models._kernel_door import admit_measured
from infimum.models._support_vector_machine import SupportVectorMachine
from infimum.models.kernel._machine import whole_or_not_at_all
from infimum.objectives import SupportVectorDual
from infimum.parameters import check_domain, positive
from infimum.solvers import DualSolution
from infimum.typing import Vector

__all__ = ["SupportVectorRegressor"]


class SupportVectorRegressor(RegressorMixin, SupportVectorMachine, ABC):  # type: ignore[misc]
    """A regressor that does not pay for errors within a tube."""

    C: Any

    @abstractmethod
    def _dual(self, y: Vector, bounds: Vector) -> SupportVectorDual:
        """Return the dual problem of these targets."""

    @abstractmethod
    def _read(self, found: DualSolution) -> float:
        """Return the offset, and keep what else the offsets of the groups tell."""

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_domain(f"{type(self).__name__}.C", self.C, positive)
        things, y = admit_measured(self, X, y)
        weights = accept_weights(sample_weight, things)
        self._prepare(things, weights)
        weights = np.ones(len(y)) if weights is None else weights
        rows = np.flatnonzero(weights > 0)
        dual = self._dual(y[rows], self.C * weights[rows])
        found = self._solve(dual, self._some(things, rows))
        coefficients = dual.coefficients(found.point)
        support = np.flatnonzero(coefficients)
        self.intercept_ = np.array([self._read(found)])
        self.n_support_ = np.array([len(support)], dtype=np.int32)
        self._keep(things, rows[support], coefficients[None, support])
        self._adopt([found])
        self.n_iter_ = max(1, found.iterations)
        return self

    def predict(self, X: Any) -> Vector:
        """Return the predicted target of each sample."""
        return np.asarray(self._sums(X)[:, 0] + self.intercept_[0])
