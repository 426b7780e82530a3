"""Regression by a tree of random thresholds."""

from __future__ import annotations

from infimum.kinship import kin_of
from infimum.models._other_defaults import with_defaults
from infimum.models.trees.decision_tree_regressor import DecisionTreeRegressor

__all__ = ["ExtraTreeRegressor"]


@kin_of("sklearn.tree")
class ExtraTreeRegressor(DecisionTreeRegressor):
    """Regressor that asks questions drawn at random, the best of a few.

    Each feature tried at a node gets one threshold, drawn between the extremes of the
    node's rows. Alone it is a poor model; many make `ExtraTreesRegressor`.

    Parameters
    ----------
    splitter : {'best', 'random'}, default='random'
        The best threshold of a feature, or the best of random ones.
    max_features : {'sqrt', 'log2'}, int, float or None, default=1.0
        How many features, drawn at random, a node tries.
    criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, random_state, max_leaf_nodes, min_impurity_decrease, \
ccp_alpha, monotonic_cst, categorical_features, interaction_cst, quantile
        As in `DecisionTreeRegressor`.

    Attributes
    ----------
    tree_ : NodeArrays
    feature_importances_ : ndarray of n_features
    max_features_, n_features_in_, n_outputs_ : int

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [9.0]], [1.0, 3.0, 10.0, 12.0]
    >>> model = ExtraTreeRegressor(random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    __init__ = with_defaults(
        DecisionTreeRegressor.__init__, splitter="random", max_features=1.0
    )
