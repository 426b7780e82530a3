"""Classification by a forest of trees with random thresholds."""

from __future__ import annotations

from infimum.kinship import kin_of
from infimum.models._other_defaults import with_defaults
from infimum.models.ensembles.forests._forest_classifier import ForestClassifier
from infimum.models.trees import ExtraTreeClassifier

__all__ = ["ExtraTreesClassifier"]


@kin_of("sklearn.ensemble")
class ExtraTreesClassifier(ForestClassifier):
    """Classifier that lets many trees of random thresholds vote.

    A node draws one threshold for each feature it tries and takes the best: quicker to
    grow than a random forest, and smoother.

    Parameters
    ----------
    bootstrap : bool, default=False
        Whether each tree sees its own draw of rows, with replacement.
    n_estimators, oob_score, n_jobs, random_state, verbose, warm_start, \
class_weight, max_samples
        As in `RandomForestClassifier`.
    criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, \
ccp_alpha, monotonic_cst, categorical_features, interaction_cst
        As in `ExtraTreeClassifier`.

    Attributes
    ----------
    trees_ : list of Tree
    estimators_ : list of ExtraTreeClassifier
        The trees as models of their own.
    classes_, n_classes_ : ndarray and int, or lists of them for several outputs
    estimators_samples_ : list of ndarray
        The rows that each tree has seen.
    feature_importances_ : ndarray of n_features
    oob_score_ : float, if asked for
    oob_decision_function_ : ndarray, if `oob_score`
    n_features_in_, n_outputs_ : int

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]], list("aaabbb")
    >>> model = ExtraTreesClassifier(10, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [8.5]])
    array(['a', 'b'], dtype='<U1')
    """

    _single = ExtraTreeClassifier
    _random = True

    __init__ = with_defaults(ForestClassifier.__init__, bootstrap=False)
