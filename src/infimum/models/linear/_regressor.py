"""Linear regressors: fit and prediction of one target, or of several."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import RegressorMixin
from sklearn.callback import with_callbacks

from infimum.data.canonical import given_out
from infimum.data.doors import Rows, measured, samples
from infimum.data.doors.streamed_rows import streams
from infimum.models.linear._overflow import affine
from infimum.models.linear.estimator import LinearEstimator, concluded, learn
from infimum.typing import Vector

__all__ = ["LinearRegressor", "MultiTargetRegressor", "SparseRegressor"]


class LinearRegressor(RegressorMixin, LinearEstimator, ABC):  # type: ignore[misc]
    """A linear model of a real-valued target."""

    @streams("infimum.models.linear.streamed:fit_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets; several of them only where a model can learn such.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        learn(self, X, y, sample_weight)
        return concluded(self)

    def predict(self, X: Any) -> Vector:
        """Return the predicted target of each sample."""
        return affine(self, samples(self, X), self.coef_, self.intercept_)

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        return measured(self, X, y, sample_weight, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class MultiTargetRegressor(LinearRegressor, ABC):
    """A linear model of one target, or of several that share the samples."""

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        return measured(self, X, y, sample_weight, multi_output=True, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


class SparseRegressor(MultiTargetRegressor, ABC):
    """A linear model that uses few features; several targets are learnt one by one."""

    @streams("infimum.models.linear.streamed:fit_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        check_input: Any = True,  # noqa: FBT002
    ) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X, y, sample_weight
            As in `LinearRegressor.fit`.
        check_input : ignored
            Accepted for compatibility with scikit-learn: data is always checked.
        """
        learn(self, X, y, sample_weight)
        return concluded(self)

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients without their zeros."""
        return given_out(sparse.csr_array(np.atleast_2d(self.coef_)))

    @property
    def dual_gap_(self) -> Any:
        """How far each target's objective can be from the least possible one."""
        gaps = np.array([proof.gap for proof in self.certificates_])
        return gaps[0] if self.coef_.ndim == 1 else gaps
