"""Regression by comparisons alone: one tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from infimum.data.doors.tables import moderate_targets
from infimum.errors import DataError
from infimum.models._other_defaults import with_defaults
from infimum.models.trees._comparison_model import ComparisonModel
from infimum.typing import Matrix, Vector

__all__ = ["ComparisonRegressor", "ComparisonTreeRegressor"]


class ComparisonRegressor(RegressorMixin, ComparisonModel):  # type: ignore[misc]
    """Trees of comparisons whose values are means."""

    def _targets(self, y: Any) -> Matrix:
        targets = moderate_targets(self, y)
        if not np.isfinite(targets).all():
            raise DataError(f"{type(self).__name__}: y contains NaN or infinity.")
        return targets[:, None]

    def predict(self, X: Any) -> Vector:
        """Return the mean target of the cells of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or a collection
            Queries; their distances to the samples for ``metric='precomputed'``.
        """
        return self._mean(X)[:, 0]


class ComparisonTreeRegressor(ComparisonRegressor):
    """Regression tree that needs no features, only "is x closer to a or b".

    A cell is cut between two of its samples, drawn at random, until few remain; a query
    is given the mean of its cell.

    Parameters
    ----------
    metric, max_depth, random_state
        As in `ComparisonTreeClassifier`.
    leaf_size : int, default=5
        Cells with at most so many samples are not cut.

    Attributes
    ----------
    trees_ : list of ComparisonTree
    n_comparisons_ : int
        How many questions `fit` asked.
    X_fit_ : the samples, or None for precomputed distances

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [5.0], [5.1]], [1.0, 1.0, 3.0, 3.0]
    >>> ComparisonTreeRegressor(leaf_size=1, random_state=0).fit(X, y).predict([[4.0]])
    array([3.])
    """

    __init__ = with_defaults(ComparisonModel.__init__, leaf_size=5)
