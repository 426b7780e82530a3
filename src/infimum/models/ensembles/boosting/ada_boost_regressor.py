"""AdaBoost for regression: a weighted median of regressors fitted to hard rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils._tags import get_tags

from infimum.data.doors import measured, samples
from infimum.data.doors.tables import moderate_targets
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles._importances import mean_importances
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.boosting._exponential_descent import LEAST_ERROR
from infimum.models.ensembles.boosting._weak_learners import seeded
from infimum.models.ensembles.committees._voting import fit_member
from infimum.parameters import Choice, Domains, check_parameters, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["AdaBoostRegressor"]

#: From the error of each row, relative to the largest, to a loss in [0, 1].
LOSSES = {
    "linear": lambda error: error,
    "square": lambda error: error**2,
    "exponential": lambda error: -np.expm1(-error),
}
HALF = 0.5


class AdaBoostRegressor(MemberSequence, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Weighted median of regressors, each fitted to what the last ones missed.

    Round t computes the loss :math:`L_i` of each row relative to the largest, its
    weighted mean :math:`\bar L` and :math:`β = \bar L / (1 - \bar L)`; rows are
    multiplied by :math:`β^{1 - L_i}` and the regressor votes with
    :math:`\log(1/β)`.

    Parameters
    ----------
    estimator : regressor, optional
        By default a `DecisionTreeRegressor` of depth 3.
    n_estimators : int, default=50
        The most rounds; fewer if a regressor is perfect, or its loss reaches one half.
    learning_rate : float, default=1.0
        What share of each logarithm is taken.
    loss : {'linear', 'square', 'exponential'}, default='linear'
    random_state : int, RandomState instance or None, default=None
    resample : bool, default=True
        Whether a regressor sees rows drawn in proportion to their weights, as the
        method was published and scikit-learn does it, or the weighted rows themselves:
        then nothing is random, and a weight of k means exactly the same as k copies.

    Attributes
    ----------
    estimators_ : list of fitted regressors
    estimator_weights_ : ndarray
    estimator_errors_ : ndarray
        The mean loss of each.
    feature_importances_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> from infimum.models.linear import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 4.0]
    >>> model = AdaBoostRegressor(LinearRegression(), resample=False).fit(X, y)
    >>> model.predict([[3.0]]).round(2)
    array([3.7])

    References
    ----------
    Drucker (1997), ICML.
    """

    _domains: ClassVar[Domains] = {
        "n_estimators": whole(1),
        "learning_rate": positive,
        "loss": Choice(tuple(LOSSES)),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        random_state: Any = None,
        resample: bool = True,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.random_state = random_state
        self.resample = resample

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Boost; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample, in the probability
            of being drawn or, without resampling, exactly.
        """
        check_parameters(self)
        missing = get_tags(self._base()).input_tags.allow_nan
        found = measured(self, X, y, sample_weight, missing=missing).of_weight()
        self._boost(found.X, moderate_targets(self, found.y), found.shares())
        return self

    def _boost(self, X: Any, y: Vector, weights: Vector) -> None:
        draws = check_random_state(self.random_state)
        total = float(weights.sum())
        shares = weights / total
        self.estimators_: list[Any] = []
        votes: list[float] = []
        errors: list[float] = []
        for _ in range(int(self.n_estimators)):
            model = self._member(X, y, shares * total, draws)
            losses = self._losses(np.abs(model.predict(X) - y))
            error = float(shares @ losses)
            if error >= HALF and votes:
                break
            odds = max(error, LEAST_ERROR) / max(1.0 - error, LEAST_ERROR)
            self.estimators_.append(model)
            errors.append(error)
            votes.append(self.learning_rate * float(np.log(1.0 / odds)))
            if error <= 0 or error >= HALF:
                break
            shares = shares * odds ** ((1.0 - losses) * self.learning_rate)
            shares = shares / shares.sum()
        self.estimator_weights_ = np.array(votes)
        self.estimator_errors_ = np.array(errors)

    def _member(self, X: Any, y: Vector, weights: Vector, draws: Any) -> Any:
        model = seeded(self._base(), draws)
        if not self.resample:
            return fit_member(model, X, y, weights)
        line = np.cumsum(weights)
        places = draws.uniform(size=len(y)) * line[-1]
        rows = np.searchsorted(line, places, side="right")
        model.fit(X[rows], y[rows])
        return model

    def _losses(self, errors: Vector) -> Vector:
        largest = float(errors.max(initial=0.0))
        relative = errors / largest if largest > 0 else errors
        return np.asarray(LOSSES[self.loss](relative))

    @property
    def feature_importances_(self) -> Vector:
        """Mean of the members' importances, weighted by their votes."""
        return mean_importances(self.estimators_, self.estimator_weights_)

    def predict(self, X: Any) -> Vector:
        """Return the weighted median of the members' predictions."""
        return self._median(self._opinions(X), len(self.estimators_))

    def staged_predict(self, X: Any) -> Iterator[Vector]:
        """Yield the weighted median after each round."""
        opinions = self._opinions(X)
        for count in range(1, len(self.estimators_) + 1):
            yield self._median(opinions, count)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[Any]:
        """Yield R² after each round."""
        for predictions in self.staged_predict(X):
            yield r2_score(y, predictions, sample_weight=sample_weight)

    def _opinions(self, X: Any) -> Matrix:
        missing = get_tags(self._base()).input_tags.allow_nan
        X = samples(self, X, missing=missing)
        return np.column_stack([model.predict(X) for model in self.estimators_])

    def _median(self, opinions: Matrix, count: int) -> Vector:
        """Return the least prediction that half of the votes do not exceed."""
        if count == 1:
            return np.asarray(opinions[:, 0])
        order = np.argsort(opinions[:, :count], axis=1, kind="stable")
        tallies = np.cumsum(self.estimator_weights_[:count][order], axis=1)
        places = np.argmax(tallies >= HALF * tallies[:, -1:], axis=1)
        rows = np.arange(len(opinions))
        return np.asarray(opinions[rows, order[rows, places]])

    @property
    def estimator_(self) -> Any:
        """The weak learner as it is before it learns."""
        return self._base()

    def _base(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from infimum.models.trees import DecisionTreeRegressor

        return DecisionTreeRegressor(max_depth=3)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = get_tags(self._base()).input_tags
        tags.input_tags.sparse = members.sparse
        tags.input_tags.allow_nan = members.allow_nan
        return tags
