"""Parzen-window classification: votes that fade with distance."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from infimum.data.doors import labelled, winners
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._window_model import WindowModel
from infimum.typing import Matrix

__all__ = ["ParzenWindowClassifier"]


class ParzenWindowClassifier(ClassifierMixin, WindowModel):  # type: ignore[misc]
    r"""Classifier by votes that fade with distance, which are posteriors.

    .. math:: \hat p(y \mid x) = \frac{\sum_{i: y_i = y} r_i^{-d}\, h(\|x - x_i\|/r_i)}
                                  {\sum_i r_i^{-d}\, h(\|x - x_i\|/r_i)}

    Bayes' rule for densities estimated class by class with the same window: the
    Nadaraya–Watson classifier. As the width shrinks it becomes the nearest neighbour.

    Parameters
    ----------
    window, width, n_neighbors
        As in `ParzenWindowRegressor`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    X_fit_ : ndarray of shape (n_samples, n_features)
    widths_ : ndarray of shape (n_samples,)
    n_features_in_ : int

    Examples
    --------
    >>> model = ParzenWindowClassifier("uniform", width=0.5)
    >>> model.fit([[0.0], [1.0], [2.0]], list("aab")).predict_proba([[1.5], [0.5]])
    array([[0.5, 0.5],
           [1. , 0. ]])
    """

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Keep the samples and their labels; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        """
        found = labelled(self, X, y)
        X, self._codes, self.classes_ = found.X, found.y, found.classes
        if hasattr(X, "toarray"):
            raise DataError(
                "ParzenWindowClassifier needs dense samples, got sparse ones: pass "
                "X.toarray()."
            )
        self._keep_samples(X)
        return self

    def predict_proba(self, X: Any) -> Matrix:
        """Return the share of each class in the windowed votes."""
        return self._means(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest share; the first of them in a tie."""
        found = winners(self.predict_proba(X))
        return np.asarray(self.classes_[found])

    def _columns(self) -> Matrix:
        return np.asarray(np.eye(len(self.classes_))[self._codes])
