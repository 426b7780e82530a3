"""Classifiers whose scores have a link to probabilities, and may have a known part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.callback import with_callbacks

from infimum.certificates import Certificate
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear._known_part import Given, KnowsPart, known_part
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Matrix, Vector

__all__ = ["LinkedClassifier"]


class LinkedClassifier(KnowsPart, LinearClassifier, ABC):
    """A linear model of class probabilities."""

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
        return self._fit(X, y, Given(sample_weight, offset))

    def sparsify(self) -> Self:
        """Keep `coef_` without its zeros, which saves memory if most are; return self.

        Predictions stay the same; `densify` undoes it.
        """
        self.coef_ = sparse.csr_array(self._dense_coef())
        return self

    def densify(self) -> Self:
        """Keep `coef_` as an array again; return self."""
        self.coef_ = self._dense_coef()
        return self

    def _points(self, problem: LinearProblem) -> list[Vector]:
        pairs = zip(self._dense_coef(), self.intercept_, strict=True)
        return [problem.pack(w, b) for w, b in pairs]

    def _dense_coef(self) -> Matrix:
        kept: Any = self.coef_
        return np.asarray(kept.toarray() if hasattr(kept, "toarray") else kept)

    def decision_function(self, X: Any, *, offset: Any = None) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        scores = super().decision_function(X)
        columns = scores.shape[1] if self._jointly() else 1
        known = known_part(
            type(self).__name__, len(scores), offset, None, columns=columns
        )
        if known is None:
            return scores
        return np.asarray((scores.T + known.T).T)

    def predict(self, X: Any, *, offset: Any = None) -> NDArray[Any]:
        """Return the class with the highest score; `offset` as in `fit`."""
        scores = self.decision_function(X, offset=offset)
        winners = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(1)
        return np.asarray(self.classes_[winners])

    def predict_proba(self, X: Any, *, offset: Any = None) -> Matrix:
        """Return the probability of each class; `offset` as in `fit`."""
        return self._probabilities(self.decision_function(X, offset=offset))

    def predict_log_proba(self, X: Any, *, offset: Any = None) -> Matrix:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset=offset))

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
        given = Given(sample_weight, offset)
        return super().certify(X, y, given, tolerance=tolerance, rigorous=rigorous)

    @abstractmethod
    def _probabilities(self, scores: Vector) -> Matrix:
        """Return the probabilities of the classes that the scores stand for."""

    def _jointly(self) -> bool:
        """Return whether several classes are learnt by one risk."""
        return False
