"""Regression by a random forest."""

from __future__ import annotations

from infimum.kinship import kin_of
from infimum.models.ensembles.forests._forest_regressor import ForestRegressor
from infimum.models.trees import DecisionTreeRegressor

__all__ = ["RandomForestRegressor"]


@kin_of("sklearn.ensemble")
class RandomForestRegressor(ForestRegressor):
    """Regressor that takes the mean of many trees, each grown on a draw of the rows.

    Trees that see different rows make different mistakes, and their mean makes fewer.
    Nodes of 128 rows or more try up to 128 thresholds of a feature, evenly spread over
    the ranks of their rows; smaller nodes try all.

    Parameters
    ----------
    n_estimators : int, default=100
    criterion : str, default='squared_error'
        What a split makes small: as in `DecisionTreeRegressor`.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        When a tree stops: as in `DecisionTreeRegressor`.
    max_features : {'sqrt', 'log2'}, int, float or None, default=1.0
        How many features, drawn at random, a node tries.
    max_leaf_nodes, min_impurity_decrease
        As in `DecisionTreeRegressor`.
    bootstrap : bool, default=True
        Whether each tree sees its own draw of rows, with replacement.
    oob_score : bool or callable, default=False
        Whether to ask, for every row, the trees that have not seen it; a callable
        scores their answers.
    n_jobs : int, default=None
        Kept for scikit-learn's sake: trees grow on all cores, and are the same on any
        number of them.
    random_state : int, RandomState instance or None, default=None
    verbose : int, default=0
        Kept for scikit-learn's sake.
    warm_start : bool, default=False
        Whether a second fit adds trees to those there are.
    ccp_alpha, monotonic_cst, categorical_features, interaction_cst, quantile
        As in `DecisionTreeRegressor`.
    max_samples : int, float or None, default=None
        How many rows a tree draws; as many as there are unless given. Copies count:
        rows of weight 3 are three.

    Attributes
    ----------
    trees_ : list of Tree
    estimators_ : list of DecisionTreeRegressor
        The trees as models of their own.
    estimators_samples_ : list of ndarray
        The rows that each tree has seen.
    feature_importances_ : ndarray of n_features
    oob_score_ : float, if asked for
    oob_prediction_ : ndarray, if `oob_score`
    n_features_in_, n_outputs_ : int

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]], [0, 0, 0, 1, 1, 1]
    >>> model = RandomForestRegressor(10, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [8.5]]).round()
    array([0., 1.])
    """

    _single = DecisionTreeRegressor
    _random = False
