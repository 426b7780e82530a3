"""Gradient boosting of histogram trees for classification."""

from __future__ import annotations

from typing import Any

from infimum.kinship import kin_of
from infimum.models.ensembles.boosting._boosting_classifier import BoostingClassifier
from infimum.models.ensembles.boosting._histogram_boosting import HistogramBoosting

__all__ = ["HistGradientBoostingClassifier"]


@kin_of("sklearn.ensemble")
class HistGradientBoostingClassifier(BoostingClassifier, HistogramBoosting):
    """Classifier that adds up trees, each grown on the slopes of the loss so far.

    Every tree is a Newton step in the space of functions: its leaves are chosen and
    valued by slopes and curvatures of the loss, counted into histograms. The sums are
    whole numbers, so the model is the same whatever the number of threads. Above 30,000
    rows the search for splits sees slopes to 12 bits; the values of leaves are exact.

    Parameters
    ----------
    loss : {'log_loss', 'exponential'} or a loss of `infimum.losses`, default='log_loss'
        For two classes any loss of labels -1 and +1 that is convex or differentiable;
        for more a softmax, or another loss with a score for each class.
    learning_rate : float, default=0.1
    max_iter : int, default=100
        Rounds; each grows one tree, or one for each class if there are more than two.
    max_leaf_nodes : int or None, default=31
        The leaf that promises most is split first, until there are so many.
    max_depth : int or None, default=None
    min_samples_leaf : int, default=20
        Rows that a leaf needs; one of weight k is k rows if all weights are whole
        numbers, and one row otherwise.
    l2_regularization : float, default=0
    max_features : float, default=1.0
        Share of the features that each node draws at random to choose from.
    max_bins : int, default=255
    categorical_features : 'from_dtype', None, mask, positions or names
        Which columns hold categories; by default those of a DataFrame that say so.
    monotonic_cst : array of -1, 0, 1, or dict of names, default=None
        Whether the score must rise or fall with a feature.
    interaction_cst : list of sets, 'pairwise', 'no_interactions' or None
        Which features may be met on one path.
    warm_start : bool, default=False
    early_stopping : 'auto' or bool, default='auto'
        Stop when rows held out (or, without `validation_fraction`, the training rows)
        say so; 'auto' does above 10,000 rows.
    scoring : 'loss', str, callable or None, default='loss'
    validation_fraction : float, int or None, default=0.1
    n_iter_no_change : int, default=10
    tol : float, default=1e-7
    verbose : int, default=0
        Not used: scikit-learn's progress bar is a callback.
    random_state : int, RandomState instance or None, default=None
    class_weight : dict, 'balanced' or None, default=None
    subsample : float, default=1.0
        Share of the rows that each round draws at random.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    trees_ : BoostedTrees
    n_iter_ : int
        Rounds made.
    n_trees_per_iteration_ : int
    train_score_, validation_score_ : ndarray
        Scores before the first round and after each, where early stopping asked.
    feature_importances_ : ndarray of shape (n_features,)
    is_categorical_ : ndarray of bool, or None
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> HistGradientBoostingClassifier(max_iter=20).fit(X, y).score(X, y)
    0.98
    """

    def __init__(
        self,
        loss: Any = "log_loss",
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 0.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: Any = "auto",
        scoring: Any = "loss",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        class_weight: Any = None,
        subsample: float = 1.0,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.class_weight = class_weight
        self.subsample = subsample
