"""Regression by comparisons alone: a forest."""

from __future__ import annotations

from infimum.models._other_defaults import with_defaults
from infimum.models.ensembles.forests._comparison_forest import ComparisonForest
from infimum.models.trees.comparison_tree_regressor import ComparisonRegressor

__all__ = ["ComparisonForestRegressor"]


class ComparisonForestRegressor(ComparisonForest, ComparisonRegressor):
    """Forest of regression trees that need only "is x closer to a or b".

    Parameters
    ----------
    n_estimators : int, default=100
        The number of trees.
    metric, leaf_size, max_depth, random_state
        As in `ComparisonTreeRegressor`.

    Attributes
    ----------
    trees_ : list of ComparisonTree
    n_comparisons_ : int
        How many questions `fit` asked.
    X_fit_ : the samples, or None for precomputed distances

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [5.0], [5.1]], [1.0, 1.0, 3.0, 3.0]
    >>> model = ComparisonForestRegressor(leaf_size=1, random_state=0).fit(X, y)
    >>> model.predict([[4.0]])
    array([3.])
    """

    __init__ = with_defaults(ComparisonForest.__init__, leaf_size=5)
