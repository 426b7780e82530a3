"""Precomputed predictions as estimators, so that any scorer can score them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring

from infimum.data.doors import winners
from infimum.typing import Vector

__all__ = ["GivenScores", "GivenValues", "scored"]


class GivenValues(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor that predicts what it is handed."""

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, values: Any, y: Any) -> Self:
        """Return self: there is nothing to learn."""
        return self

    def predict(self, values: Vector) -> Vector:
        """Return the values themselves."""
        return values


class GivenScores(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose samples are their own scores, of one label or of several."""

    def __init__(self, classes: Any = None, multilabel: bool = False) -> None:  # noqa: FBT001, FBT002
        self.classes = classes
        self.multilabel = multilabel

    def __sklearn_is_fitted__(self) -> bool:
        return True

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, in the order of the scores."""
        return np.asarray(self.classes)

    def fit(self, scores: Any, y: Any) -> Self:
        """Return self: there is nothing to learn."""
        return self

    def decision_function(self, scores: Vector) -> Vector:
        """Return the scores themselves."""
        return scores

    def predict(self, scores: Vector) -> NDArray[Any]:
        """Return the class with the highest score, or all labels above 0."""
        if self.multilabel:
            return (scores > 0).astype(np.intp)
        return np.asarray(self.classes_[winners(scores)])


def scored(
    judge: Any, scoring: Any, given: Any, truth: Any, weights: Vector | None
) -> float:
    """Return the score of `given` under a scorer, its name, or None for the usual."""
    scorer = check_scoring(judge, scoring=scoring)
    if weights is None:
        return float(scorer(judge, given, truth))
    return float(scorer(judge, given, truth, sample_weight=weights))
