"""Gradient boosting of shallow trees for classification."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors.labels import refuse_few
from infimum.kinship import kin_of
from infimum.models.ensembles.boosting._boosting_classifier import BoostingClassifier
from infimum.models.ensembles.boosting._friedman_boosting import FriedmanBoosting
from infimum.typing import Indices, Matrix, Vector

__all__ = ["GradientBoostingClassifier"]


@kin_of("sklearn.ensemble")
class GradientBoostingClassifier(FriedmanBoosting, BoostingClassifier):
    """Classifier that adds up shallow trees, each fitted to the slopes of the loss.

    Friedman's boosting: a tree explains the slopes by least squares, then its leaves
    take Newton's step on the loss. A feature of at most 255 values is split exactly;
    one of more is cut into 255 bins of like weight. Missing values are welcome.

    Parameters
    ----------
    loss : 'log_loss', 'exponential' or a loss of `infimum.losses`
    learning_rate : float, default=0.1
    n_estimators : int, default=100
        Rounds.
    subsample : float, default=1.0
        Share of the rows that each round draws at random.
    criterion : default='deprecated'
        Not used: splits lower the squared error of the slopes.
    min_samples_split, min_samples_leaf : int, share of the rows, or 'log'
    min_weight_fraction_leaf : float, default=0.0
    max_depth : int or None, default=3
    min_impurity_decrease : float, default=0.0
    init : None, 'zero' or estimator, default=None
        What the first round starts from: the best constant, 0, or the answers of an
        estimator that is fitted first.
    random_state : int, RandomState instance or None, default=None
    max_features : 'sqrt', 'log2', None, int or float, default=None
        Features that each node draws at random to choose from.
    verbose : int, default=0
        Not used: scikit-learn's progress bar is a callback.
    max_leaf_nodes : int or None, default=None
        If given, the leaf that promises most is split first, until there are so many.
    warm_start : bool, default=False
    validation_fraction : float or None, default=0.1
    n_iter_no_change : int or None, default=None
        Rounds without progress on the rows held out after which to stop.
    tol : float, default=1e-4
    ccp_alpha : float, default=0.0
        The price of a leaf, at which every tree is pruned.

    Attributes
    ----------
    trees_ : BoostedTrees
    estimators_ : ndarray of DecisionTreeRegressor, rounds × scores
    init_ : fitted estimator or 'zero'
    n_estimators_ : int
        Rounds made.
    train_score_ : ndarray of shape (n_estimators_,)
        Mean loss after each round; twice it where that is half a square or two classes.
    oob_improvement_, oob_scores_, oob_score_ : ndarrays and the last number
        With ``subsample < 1``: how much each round lowered the mean loss of the rows
        that it left out, and that loss.
    feature_importances_ : ndarray of shape (n_features,)
    max_features_, n_features_in_ : int
    classes_ : ndarray
    n_classes_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=20).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(
        self,
        *,
        loss: Any = "log_loss",
        learning_rate: float = 0.1,
        n_estimators: int = 100,
        subsample: float = 1.0,
        criterion: Any = "deprecated",
        min_samples_split: Any = 2,
        min_samples_leaf: Any = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_depth: int | None = 3,
        min_impurity_decrease: float = 0.0,
        init: Any = None,
        random_state: Any = None,
        max_features: Any = None,
        verbose: int = 0,
        max_leaf_nodes: int | None = None,
        warm_start: bool = False,
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int | None = None,
        tol: float = 1e-4,
        ccp_alpha: float = 0.0,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.n_estimators = n_estimators
        self.subsample = subsample
        self.criterion = criterion
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_depth = max_depth
        self.min_impurity_decrease = min_impurity_decrease
        self.init = init
        self.random_state = random_state
        self.max_features = max_features
        self.verbose = verbose
        self.max_leaf_nodes = max_leaf_nodes
        self.warm_start = warm_start
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.ccp_alpha = ccp_alpha

    def _admit_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        found = super()._admit_targets(y, weights)
        if weights is not None:
            met = np.unique(self._codes[weights > 0])
            refuse_few(type(self).__name__, np.take(self.classes_, met), 2)
        return found

    @property
    def n_classes_(self) -> int:
        """How many classes there are."""
        return len(self.classes_)

    def apply(self, X: Any) -> Indices:
        """Return the leaf of each row in each tree: samples × rounds × scores."""
        return self._leaves(X)

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of the probabilities of the classes."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))
