"""AdaBoost: a weighted vote of weak learners, each fitted to the others' errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import check_random_state

from infimum.data.doors import Rows, check_fitted, labelled, winners
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles._importances import mean_importances
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.boosting._exponential_descent import ExponentialDescent
from infimum.models.ensembles.boosting._stage_scores import stage_scores, total_scores
from infimum.models.ensembles.boosting._weak_learners import (
    AnyLearner,
    Lesson,
    StumpLearner,
    WeakLearner,
)
from infimum.models.trees.decision_stump import DecisionStump
from infimum.parameters import Choice, Domains, check_parameters, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["AdaBoostClassifier"]

ALGORITHMS = Choice(("discrete", "SAMME", "real", "SAMME.R"))
TWO = 2
#: What rounding may do to an error of exactly one half.
ROUNDING = 1e-12


class AdaBoostClassifier(MemberSequence, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Weighted vote of weak learners, each fitted to what the vote still gets wrong.

    .. math:: f = \sum_t s_t h_t \quad\text{by coordinate descent on}\quad
              R(f) = \frac1n \sum_i e^{-y_i f(x_i)}

    Round t fits a weak learner to rows weighted by their terms of R, and steps by the
    exact minimiser of R along it. Each round multiplies R by its normaliser
    :math:`Z_t`, so that R equals their product, and the training error is at most R:
    both are kept as the rounds go. More than two classes follow SAMME, whose risk is
    that of the score of the true class (scores of all classes sum to 0).

    Parameters
    ----------
    estimator : classifier that takes sample_weight, optional
        The weak learner; by default `DecisionStump`, whose table is sorted once for
        all rounds.
    n_estimators : int, default=50
        The most rounds; fewer if a learner is perfect or no better than guessing.
    learning_rate : float, default=1.0
        What share of the exact step is taken.
    random_state : int, RandomState instance or None, default=None
        For learners that draw random numbers.
    algorithm : {'discrete', 'real'}, default='discrete'
        Whether learners name a class or give a score, half the log-odds of their
        probabilities. 'SAMME' and 'SAMME.R' are other names for the two.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_ : list of fitted weak learners
    steps_ : ndarray
        The step :math:`s_t` of each.
    estimator_weights_ : ndarray
        The same in scikit-learn's unit: log-odds of being right, for two classes twice
        the step.
    weighted_errors_, estimator_errors_ : ndarray
        The weight of the rows that each got wrong when it was fitted.
    edges_ : ndarray
        By how much each was better than guessing.
    normalizers_ : ndarray
        :math:`Z_t`; at full steps :math:`2\sqrt{ε_t(1 - ε_t)}` for two classes.
    training_error_bound_ : ndarray
        After each round the product of the normalisers, which is the risk. It bounds
        the share of rows whose own class has no positive score; between two classes
        these are the errors.
    row_weights_ : ndarray
        The weights that the next round would see, of the rows with a positive weight.
    feature_importances_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, list("aabbaa"))
    >>> model.predict([[0.5], [2.5], [4.5]])
    array(['a', 'b', 'a'], dtype='<U1')
    >>> model.training_error_bound_.round(3)
    array([0.943, 0.816, 0.609])

    References
    ----------
    Freund & Schapire (1997), J. Computer and System Sciences 55; Schapire & Singer
    (1999), Machine Learning 37; Zhu, Zou, Rosset & Hastie (2009), Statistics and Its
    Interface 2.
    """

    _domains: ClassVar[Domains] = {
        "n_estimators": whole(1),
        "learning_rate": positive,
        "algorithm": ALGORITHMS,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        random_state: Any = None,
        algorithm: str = "discrete",
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.algorithm = algorithm

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Boost; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; NaN is a missing value if the weak learner takes it.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rule: Any = {"fewest": 1, "weightless": "forget"}
        rows = labelled(
            self, X, y, sample_weight, missing=self._takes_missing(), **rule
        )
        self.classes_, self.n_classes_ = rows.classes, len(rows.classes)
        descent = ExponentialDescent(rows.y, rows.shares(), max(2, self.n_classes_))
        self.estimators_: list[Any] = []
        learner = self._learner(rows)
        for _ in range(int(self.n_estimators)):
            if not self._round(learner, descent):
                break
        self._keep(descent)
        return self

    @property
    def _real(self) -> bool:
        return self.algorithm in {"real", "SAMME.R"}

    @property
    def estimator_(self) -> Any:
        """The weak learner as it is before it learns."""
        return DecisionStump() if self.estimator is None else self.estimator

    def _learner(self, rows: Rows) -> WeakLearner:
        base = self.estimator_
        if type(base) is DecisionStump:
            return StumpLearner(base, rows, self.classes_, real=self._real)
        random_state = check_random_state(self.random_state)
        return AnyLearner(base, rows, self.classes_, random_state, real=self._real)

    def _round(self, learner: WeakLearner, descent: ExponentialDescent) -> bool:
        """Add one weak learner; return whether another may follow."""
        lesson, before = learner.learn(descent.weights), descent.weights
        wrong = lesson.codes != descent.codes
        error = descent.error(wrong)
        first = not self.estimators_
        if lesson.own is None:
            if error > descent.chance + ROUNDING and first:
                raise DataError(
                    "AdaBoostClassifier: the first weak learner is worse than random "
                    f"(weighted error {error:.3g}), so that the ensemble can not be "
                    "fit."
                )
            descent.vote(wrong, error, self.learning_rate)
        else:
            descent.score(lesson.own, wrong, self.learning_rate)
        useless = descent.normalizers[-1] >= 1.0 - ROUNDING
        if useless and not first:
            descent.undo(before)
            return False
        self._keep_lesson(lesson)
        return not useless and error > 0.0

    def _keep_lesson(self, lesson: Lesson) -> None:
        self.estimators_.append(lesson.estimator)

    def _keep(self, descent: ExponentialDescent) -> None:
        count = descent.count
        self.steps_ = np.array(descent.steps)
        self.estimator_weights_ = self.steps_ * (count / (count - 1) ** 2)
        if self._real:
            self.estimator_weights_ = self.steps_.copy()
        self.weighted_errors_ = np.array(descent.errors)
        self.estimator_errors_ = self.weighted_errors_.copy()
        self.edges_ = descent.chance - self.weighted_errors_
        self.normalizers_ = np.array(descent.normalizers)
        self.training_error_bound_ = np.cumprod(self.normalizers_)
        self.row_weights_ = descent.weights

    @property
    def feature_importances_(self) -> Vector:
        """Mean of the learners' importances, weighted by their steps."""
        return mean_importances(self.estimators_, self.estimator_weights_)

    def decision_function(self, X: Any) -> Vector:
        """Return the score f of the second class, or one column for each class.

        It is not divided by the sum of the steps, so that it is half the log-odds of
        the posterior.
        """
        return self._shaped(total_scores(self, X))

    def staged_decision_function(self, X: Any) -> Iterator[Vector]:
        """Yield the scores after each round."""
        for scores in stage_scores(self, X):
            yield self._shaped(scores.copy())

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest score; ties go to the first."""
        return self._named(self.decision_function(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the classes after each round."""
        for scores in self.staged_decision_function(X):
            yield self._named(scores)

    def predict_proba(self, X: Any) -> Matrix:
        r"""Return the posterior from the score, 1/(1 + exp(-2 f)) for two classes.

        The exponential risk is least at half the log-odds; the estimate is good as far
        as sums of weak learners come near to that.
        """
        return self._posterior(self.decision_function(X))

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of the posterior."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Matrix]:
        """Yield the posterior after each round."""
        for scores in self.staged_decision_function(X):
            yield self._posterior(scores)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[Any]:
        """Yield the accuracy after each round."""
        for names in self.staged_predict(X):
            yield accuracy_score(y, names, sample_weight=sample_weight)

    def margins(self, X: Any, y: Any) -> Vector:
        """Return how clearly the vote is right, from -1 to 1 for two classes.

        The score of the true class less that of its strongest rival, over twice the
        sum of the steps (for learners that name a class).
        """
        check_fitted(self)
        labels = np.asarray(y)
        unknown = ~np.isin(labels, self.classes_)
        if unknown.any():
            raise DataError(
                "AdaBoostClassifier.margins: there is no class "
                f"{labels[unknown].tolist()[0]!r}."
            )
        scores = total_scores(self, X)
        rows, codes = np.arange(len(labels)), np.searchsorted(self.classes_, labels)
        own = scores[rows, codes].copy()
        scores[rows, codes] = -np.inf
        length = float(np.abs(self.steps_).sum()) or 1.0
        return np.asarray((own - scores.max(axis=1)) / (2.0 * length))

    def _shaped(self, scores: Matrix) -> Vector:
        return np.asarray(scores[:, 1] if scores.shape[1] == TWO else scores)

    def _named(self, scores: Vector) -> NDArray[Any]:
        codes = np.minimum(winners(scores), self.n_classes_ - 1)
        return np.asarray(self.classes_[codes])

    def _posterior(self, scores: Vector) -> Matrix:
        if scores.ndim == TWO:
            return np.asarray(softmax(scores / (self.n_classes_ - 1), axis=1))
        if self.n_classes_ == 1:
            return np.ones((len(scores), 1))
        return np.column_stack([expit(-2.0 * scores), expit(2.0 * scores)])

    def _takes_missing(self) -> bool:
        if self.estimator is None:
            return True
        tags = getattr(self.estimator, "__sklearn_tags__", None)
        return tags is not None and bool(tags().input_tags.allow_nan)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_missing()
        return tags
