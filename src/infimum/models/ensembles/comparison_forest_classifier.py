"""Classification by comparisons alone: a forest."""

from __future__ import annotations

from typing import Any

from infimum.models.trees.comparison_tree_classifier import ComparisonClassifier
from infimum.parameters import check_domain, whole

__all__ = ["ComparisonForestClassifier"]


class ComparisonForestClassifier(ComparisonClassifier):
    """Forest that needs no features, only answers to "is x closer to a or b".

    Trees differ by the pairs of samples that their cuts were drawn from; their class
    shares are averaged.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of trees.
    metric, leaf_size, max_depth, random_state
        As in `ComparisonTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    trees_ : list of ComparisonTree
    n_comparisons_ : int
        How many questions `fit` asked.
    X_fit_ : the samples, or None for precomputed distances

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [5.0], [5.1]], list("aabb")
    >>> ComparisonForestClassifier(random_state=0).fit(X, y).predict([[0.3], [4.0]])
    array(['a', 'b'], dtype='<U1')

    References
    ----------
    Haghiri, Garreau & von Luxburg (2018), ICML.
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        metric: Any = "euclidean",
        leaf_size: int = 1,
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
