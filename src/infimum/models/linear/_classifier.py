"""Linear classifiers: fit, scores and the class that wins."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.callback import with_callbacks

from infimum.data.canonical import given_out
from infimum.data.doors import Rows, labelled, samples, winners
from infimum.data.doors.streamed_rows import streams
from infimum.errors import DataError
from infimum.models.linear._overflow import affine
from infimum.models.linear.estimator import LinearEstimator, concluded, learn
from infimum.models.linear.keep import stored_in
from infimum.typing import Vector

__all__ = ["LinearClassifier", "check_classes"]


class LinearClassifier(ClassifierMixin, LinearEstimator, ABC):  # type: ignore[misc]
    """A linear model of a class label: one score per class, or one for two classes."""

    class_weight: Any

    @streams("infimum.models.linear.streamed:fit_streamed")
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
        learn(self, X, y, sample_weight)
        return concluded(self)

    def sparsify(self) -> Self:
        """Keep `coef_` without its zeros, which saves memory if most are; return self.

        Predictions stay the same; `densify` undoes it.
        """
        self.coef_ = given_out(sparse.csr_array(stored_in(self)[0]))
        return self

    def densify(self) -> Self:
        """Keep `coef_` as an array again; return self."""
        self.coef_ = stored_in(self)[0]
        return self

    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        scores = affine(self, samples(self, X), self.coef_, self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        found = winners(self.decision_function(X))
        return np.asarray(self.classes_[found])

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        how = {"class_weight": self.class_weight, "reset": reset}
        rows = labelled(self, X, y, sample_weight, **how)
        return rows if reset else check_classes(self, rows)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def check_classes(model: Any, rows: Rows) -> Rows:
    """Return rows whose classes are those that a model was fitted on."""
    if np.array_equal(model.classes_, rows.classes):
        return rows
    raise DataError(
        f"{type(model).__name__} was fitted on the classes {model.classes_.tolist()}, "
        f"got {rows.classes.tolist()}."
    )
