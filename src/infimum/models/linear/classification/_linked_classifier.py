"""Linear classifiers of class probabilities, with offsets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.callback import with_callbacks

from infimum.certificates import Certificate
from infimum.data.doors import winners
from infimum.data.doors.streamed_rows import streams
from infimum.data.doors.weights import known_scores
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear.estimator import certify_linear, concluded, learn
from infimum.typing import Matrix, Vector

__all__ = ["LinkedClassifier"]


class LinkedClassifier(LinearClassifier, ABC):
    """A linear model of class probabilities."""

    @streams("infimum.models.linear.streamed:fit_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, offset: Any = None
    ) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        offset : array-like of shape (n_samples,) or (n_samples, n_classes), optional
            Known part of each score, added to what is learnt; scores learnt jointly
            for three classes or more take a column for each.
        """
        learn(self, X, y, sample_weight, offset=offset)
        return concluded(self)

    def decision_function(self, X: Any, *, offset: Any = None) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        scores = super().decision_function(X)
        owner, columns = type(self).__name__, 1 if scores.ndim == 1 else scores.shape[1]
        known = known_scores(owner, len(scores), offset, columns=columns)
        return scores if known is None else np.asarray(scores + known)

    def predict(self, X: Any, *, offset: Any = None) -> NDArray[Any]:
        """Return the class with the highest score; `offset` as in `fit`."""
        found = winners(self.decision_function(X, offset=offset))
        return np.asarray(self.classes_[found])

    @abstractmethod
    def predict_proba(self, X: Any, *, offset: Any = None) -> Matrix:
        """Return the probability of each class; `offset` as in `fit`."""

    def predict_log_proba(self, X: Any, *, offset: Any = None) -> Matrix:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset=offset))

    @streams("infimum.models.linear.streamed:certify_streamed")
    def certify(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof from the coefficients and the data alone."""
        how: dict[str, Any] = {"tolerance": tolerance, "rigorous": rigorous}
        return certify_linear(self, X, y, sample_weight, **how, offset=offset)
