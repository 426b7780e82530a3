"""Classification by a decision tree."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from infimum.kinship import kin_of
from infimum.models.trees._answers import ClassAnswers
from infimum.models.trees._tree_door import Admitted, admit_classes
from infimum.models.trees._tree_model import TreeModel

__all__ = ["DecisionTreeClassifier"]


@kin_of("sklearn.tree")
class DecisionTreeClassifier(ClassAnswers, TreeModel):
    """Classifier that asks one question after another, and tells the class of the leaf.

    Numbers are split at thresholds, categories into sets; what is missing goes where it
    fits best. All thresholds are tried, so a tree without limits fits any data that
    does not contradict itself: limit its leaves or prune it.

    Parameters
    ----------
    criterion : str, default='gini'
        One of ``'gini'``, ``'entropy'`` (or ``'log_loss'``) and
        ``'misclassification'``.
        What a split makes small.
    splitter : {'best', 'random'}, default='best'
        The best threshold of a feature, or the best of random ones.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        When to stop: depth, rows of a node, rows of a leaf (numbers, shares, or 'log'
        for the logarithm of all rows), share of the weight of a leaf.
    max_features : {'sqrt', 'log2'}, int, float or None, default=None
        How many features, drawn at random, a node tries.
    random_state : int, RandomState instance or None, default=None
        Where features are drawn, and which of equally good ones is asked for; None
        asks for the first of those.
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
    tree_ : NodeArrays
    classes_, n_classes_ : ndarray and int, or lists of them for several outputs
    feature_importances_ : ndarray of n_features
    max_features_, n_features_in_, n_outputs_ : int

    Examples
    --------
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [9.0]], list("aabb"))
    >>> model.predict([[0.5], [5.0]])
    array(['a', 'b'], dtype='<U1')
    >>> model.tree_.threshold[0]
    np.float64(1.5)
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float | str = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        interaction_cst: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.interaction_cst = interaction_cst

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:  # noqa: FBT001, FBT002
        """Return the class with the largest share; the first of them in a tie.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        check_input : bool, default=True
            Kept for scikit-learn's sake: input is always checked.
        """
        return super().predict(X)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:  # noqa: FBT001, FBT002
        """Return the share of each class; a list of such tables for several outputs."""
        return super().predict_proba(X)

    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Admitted:
        return admit_classes(self, X, y, sample_weight)
