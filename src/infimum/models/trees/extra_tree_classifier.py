"""Classification by a tree of random thresholds."""

from __future__ import annotations

from infimum.kinship import kin_of
from infimum.models._other_defaults import with_defaults
from infimum.models.trees.decision_tree_classifier import DecisionTreeClassifier

__all__ = ["ExtraTreeClassifier"]


@kin_of("sklearn.tree")
class ExtraTreeClassifier(DecisionTreeClassifier):
    """Classifier that asks questions drawn at random, the best of a few.

    Each feature tried at a node gets one threshold, drawn between the extremes of the
    node's rows. Alone it is a poor model; many make `ExtraTreesClassifier`.

    Parameters
    ----------
    splitter : {'best', 'random'}, default='random'
        The best threshold of a feature, or the best of random ones.
    max_features : {'sqrt', 'log2'}, int, float or None, default='sqrt'
        How many features, drawn at random, a node tries.
    criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, random_state, max_leaf_nodes, min_impurity_decrease, \
class_weight, ccp_alpha, monotonic_cst, categorical_features, interaction_cst
        As in `DecisionTreeClassifier`.

    Attributes
    ----------
    tree_ : NodeArrays
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

    __init__ = with_defaults(
        DecisionTreeClassifier.__init__, splitter="random", max_features="sqrt"
    )
