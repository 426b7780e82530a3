"""Regression by a forest of trees with random thresholds."""

from __future__ import annotations

from infimum.kinship import kin_of
from infimum.models._other_defaults import with_defaults
from infimum.models.ensembles.forests._forest_regressor import ForestRegressor
from infimum.models.trees import ExtraTreeRegressor

__all__ = ["ExtraTreesRegressor"]


@kin_of("sklearn.ensemble")
class ExtraTreesRegressor(ForestRegressor):
    """Regressor that takes the mean of many trees of random thresholds.

    A node draws one threshold for each feature it tries and takes the best: quicker to
    grow than a random forest, and smoother.

    Parameters
    ----------
    bootstrap : bool, default=False
        Whether each tree sees its own draw of rows, with replacement.
    n_estimators, oob_score, n_jobs, random_state, verbose, warm_start, max_samples
        As in `RandomForestRegressor`.
    criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, \
ccp_alpha, monotonic_cst, categorical_features, interaction_cst, quantile
        As in `ExtraTreeRegressor`.

    Attributes
    ----------
    trees_ : list of Tree
    estimators_ : list of ExtraTreeRegressor
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
    >>> model = ExtraTreesRegressor(10, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [8.5]])
    array([0., 1.])
    """

    _single = ExtraTreeRegressor
    _random = True

    __init__ = with_defaults(ForestRegressor.__init__, bootstrap=False)
