"""Classification by comparisons alone: one tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from infimum.data.doors import winners
from infimum.data.doors.labels import check_labels, coded
from infimum.models.trees._comparison_model import ComparisonModel
from infimum.typing import Matrix

__all__ = ["ComparisonClassifier", "ComparisonTreeClassifier"]


class ComparisonClassifier(ClassifierMixin, ComparisonModel):  # type: ignore[misc]
    """Trees of comparisons whose values are shares of classes."""

    def _targets(self, y: Any) -> Matrix:
        check_labels(y)
        self.classes_, codes = coded(y)
        return np.asarray(np.eye(len(self.classes_))[codes])

    def predict_proba(self, X: Any) -> Matrix:
        """Return the share of each class in the cells of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or a collection
            Queries; their distances to the samples for ``metric='precomputed'``.
        """
        return self._mean(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest share; ties go to the first."""
        found = winners(self._mean(X))
        return np.asarray(self.classes_[found])


class ComparisonTreeClassifier(ComparisonClassifier):
    """Decision tree that needs no features, only answers to "is x closer to a or b".

    A cell is cut between two of its samples of different classes, drawn at random:
    every x goes to the side of the nearer one. Any distance, or whoever can compare,
    will do; only the order of distances matters.

    Parameters
    ----------
    metric : {'euclidean', 'manhattan', 'chebyshev', 'precomputed'} or callable, \
            default='euclidean'
        Distance between vectors, distances given in the place of samples, or a
        function ``closer(x, a, b)`` that tells whether x is closer to a.
    leaf_size : int, default=1
        Cells with at most so many samples are not cut.
    max_depth : int or None, default=None
        The most cuts above a cell.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    trees_ : list of ComparisonTree
    n_comparisons_ : int
        How many questions `fit` asked: one for each row of every cell that was cut.
    X_fit_ : the samples, or None for precomputed distances

    Examples
    --------
    >>> def closer(x, a, b):
    ...     return abs(len(x) - len(a)) < abs(len(x) - len(b))
    >>> model = ComparisonTreeClassifier(closer, random_state=0)
    >>> words = ["a", "on", "the", "mountain", "umbrella", "hospital"]
    >>> names = ["short"] * 3 + ["long"] * 3
    >>> model.fit(words, names).predict(["it", "elephant"])
    array(['short', 'long'], dtype='<U5')

    References
    ----------
    Haghiri, Garreau & von Luxburg (2018), ICML.
    """
