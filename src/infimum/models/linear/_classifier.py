"""What linear classifiers share."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.callback import with_callbacks

from infimum.data.validation import accept_labelled, accept_samples, accept_weights
from infimum.errors import DataError
from infimum.models._class_weights import class_weighted
from infimum.models.linear._base import LinearModel
from infimum.models.linear._overflow import affine
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Vector

__all__ = ["LinearClassifier"]


class LinearClassifier(ClassifierMixin, LinearModel, ABC):  # type: ignore[misc]
    """A linear model of a class label: one score per class, or one for two classes."""

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        return self._fit(X, y, sample_weight)

    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        X = accept_samples(self, X)
        scores = affine(self, X, self.coef_, self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        scores = self.decision_function(X)
        winners = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(1)
        return np.asarray(self.classes_[winners])

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        known = None if reset else self.classes_
        X, codes = accept_labelled(self, X, y)
        if known is not None and not np.array_equal(known, self.classes_):
            found, self.classes_ = self.classes_, known
            raise DataError(
                f"{type(self).__name__} was fitted on the classes "
                f"{known.tolist()}, got {found.tolist()}."
            )
        weights = class_weighted(self, codes, accept_weights(sample_weight, X))
        return X, self._targets(codes), weights

    def _targets(self, codes: NDArray[np.intp]) -> tuple[Vector, ...]:
        """Code the labels as ±1; more than two classes go one against the rest."""
        if len(self.classes_) == 2:  # noqa: PLR2004
            return (np.where(codes == 1, 1.0, -1.0),)
        return tuple(np.where(codes == k, 1.0, -1.0) for k in range(len(self.classes_)))

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        self.coef_ = np.atleast_2d(np.array(coefs) if coefs[0].ndim == 1 else coefs[0])
        self.intercept_ = np.atleast_1d(np.squeeze(np.array(intercepts)))
        if coefs[0].ndim > 1:
            # Scores of several classes that rise together change nothing: of all
            # intercepts that are as good, take those with mean 0.
            self.intercept_ = self.intercept_ - self.intercept_.mean()

    def _points(self, problem: LinearProblem) -> list[Vector]:
        return [
            problem.pack(w, b) for w, b in zip(self.coef_, self.intercept_, strict=True)
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
