"""A tree of random thresholds that tells classes."""

from __future__ import annotations

from typing import Any

from infimum.models.trees.decision_tree_classifier import DecisionTreeClassifier

__all__ = ["ExtraTreeClassifier"]


class ExtraTreeClassifier(DecisionTreeClassifier):
    """Classifier that asks questions drawn at random, the best of a few.

    Each feature tried at a node gets one threshold, drawn between the extremes of the
    node's rows. Alone it is a poor model; many make `ExtraTreesClassifier`.

    Parameters
    ----------
    criterion : str, default='gini'
        One of ``'gini'``, ``'entropy'`` (or ``'log_loss'``) and
        ``'misclassification'``.
        What a split makes small.
    splitter : {'best', 'random'}, default='random'
        The best threshold of a feature, or the best of random ones.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        When to stop: depth, rows of a node, rows of a leaf (numbers, shares, or 'log'
        for the logarithm of all rows), share of the weight of a leaf.
    max_features : {'sqrt', 'log2'}, int, float or None, default='sqrt'
        How many features, drawn at random, a node tries.
    random_state : int, RandomState instance or None, default=None
    max_leaf_nodes : int or None, default=None
        Grow that many leaves, the most telling split first.
    min_impurity_decrease : float, default=0.0
        What a split has to gain, as a share of the whole weight.
    class_weight : dict, list of dict, 'balanced' or None, default=None
    ccp_alpha : float, default=0.0
        What a leaf costs: weaker branches are pruned.
    monotonic_cst : array-like of n_features, each -1, 0 or 1, default=None
        Let the share of the second class only grow (1) or fall (-1) with a feature.
    categorical_features : array-like of bool, int or str, default=None
        Features whose values are categories, whole numbers from 0 on; a split sends a
        set of them left.
    interaction_cst : sequence of sets of int, default=None
        Features that may meet on a path.

    Attributes
    ----------
    tree_ : Tree
    classes_, n_classes_ : ndarray and int, or lists of them for several outputs
    feature_importances_ : ndarray of n_features
    max_features_, n_features_in_, n_outputs_ : int

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [9.0]], list("aabb")
    >>> model = ExtraTreeClassifier(random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        interaction_cst: Any = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst,
            categorical_features=categorical_features,
            interaction_cst=interaction_cst,
        )
