"""What linear regressors share."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

from sklearn.base import RegressorMixin
from sklearn.callback import with_callbacks

from infimum.data.validation import accept_measured, accept_samples, accept_weights
from infimum.models.linear._base import LinearModel
from infimum.models.linear._overflow import affine
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Vector

__all__ = ["LinearRegressor"]


class LinearRegressor(RegressorMixin, LinearModel, ABC):  # type: ignore[misc]
    """A linear model of a real-valued target."""

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> Vector:
        """Return the predicted target of each sample."""
        return self._scores(X)

    def _scores(self, X: Any) -> Vector:
        X = accept_samples(self, X)
        return affine(self, X, self.coef_, self.intercept_)

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        X, y = accept_measured(self, X, y)
        return X, (y,), accept_weights(sample_weight, X)

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        self.coef_, self.intercept_ = coefs[0], float(intercepts[0])

    def _points(self, problem: LinearProblem) -> list[Vector]:
        return [problem.pack(self.coef_, self.intercept_)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
