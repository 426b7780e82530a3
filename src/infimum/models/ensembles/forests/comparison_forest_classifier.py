"""Classification by comparisons alone: a forest."""

from __future__ import annotations

from infimum.models.ensembles.forests._comparison_forest import ComparisonForest
from infimum.models.trees.comparison_tree_classifier import ComparisonClassifier

__all__ = ["ComparisonForestClassifier"]


class ComparisonForestClassifier(ComparisonForest, ComparisonClassifier):
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
