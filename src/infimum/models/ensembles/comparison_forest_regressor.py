"""Regression by comparisons alone: a forest."""

from __future__ import annotations

from typing import Any

from infimum.models.trees.comparison_tree_regressor import ComparisonRegressor
from infimum.parameters import check_domain, whole

__all__ = ["ComparisonForestRegressor"]


class ComparisonForestRegressor(ComparisonRegressor):
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

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        metric: Any = "euclidean",
        leaf_size: int = 5,
        max_depth: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.metric = metric
        self.leaf_size = leaf_size
        self.max_depth = max_depth
        self.random_state = random_state

    @property
    def _how_many(self) -> int:
        owner = type(self).__name__
        check_domain(f"{owner}.n_estimators", self.n_estimators, whole(1))
        return int(self.n_estimators)
