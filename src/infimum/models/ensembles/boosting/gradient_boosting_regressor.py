"""Gradient boosting of shallow trees for regression."""

from __future__ import annotations

from typing import Any

from infimum.kinship import kin_of
from infimum.losses import Loss
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._boosting_regressor import BoostingRegressor
from infimum.models.ensembles.boosting._friedman_boosting import FriedmanBoosting
from infimum.models.ensembles.boosting._moving_huber import MovingHuber
from infimum.parameters import Choice, check_domain, opened
from infimum.typing import Indices, Vector

__all__ = ["GradientBoostingRegressor"]

NAMES = ("squared_error", "absolute_error", "huber", "quantile")


@kin_of("sklearn.ensemble")
class GradientBoostingRegressor(FriedmanBoosting, BoostingRegressor):
    """Regressor that adds up shallow trees, each fitted to the slopes of the loss.

    Friedman's boosting: a tree explains the slopes by least squares, then each leaf
    takes the value that lowers the loss most. A feature of at most 255 values is split
    exactly; one of more is cut into 255 bins of like weight. Gaps are welcome.

    Parameters
    ----------
    loss : str or a loss of `infimum.losses`, default='squared_error'
        'squared_error', 'absolute_error', 'huber' or 'quantile'.
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
    alpha : float, default=0.9
        The level for 'quantile'; for 'huber', the share of the residuals that count by
        their squares.
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

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(max_depth=1).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.35)
    True
    """

    def __init__(
        self,
        *,
        loss: Any = "squared_error",
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
        alpha: float = 0.9,
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
        self.alpha = alpha
        self.verbose = verbose
        self.max_leaf_nodes = max_leaf_nodes
        self.warm_start = warm_start
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.ccp_alpha = ccp_alpha

    def _named_loss(self) -> Loss:
        if not isinstance(self.loss, Loss):
            check_domain(f"{type(self).__name__}.loss", self.loss, Choice(NAMES))
        return super()._named_loss()

    def _level(self) -> Any:
        return self.alpha

    def _loss(self, y: Vector) -> BoostingLoss:
        if self.loss == "huber":
            owner = type(self).__name__
            check_domain(f"{owner}.alpha", self.alpha, opened(0, 1))
            return MovingHuber(owner, float(self.alpha))
        return super()._loss(y)

    def apply(self, X: Any) -> Indices:
        """Return the leaf of each row in each tree: samples × rounds."""
        return self._leaves(X)[:, :, 0]
