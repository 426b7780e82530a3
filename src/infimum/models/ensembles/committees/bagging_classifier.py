"""Bagged classifiers: resample, fit, and average the probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import coded, samples, winners
from infimum.data.doors.labels import admit_labels
from infimum.models.ensembles.boosting._weak_learners import spread
from infimum.models.ensembles.committees._bagging import Bagging
from infimum.models.ensembles.committees._members import for_each
from infimum.typing import Matrix, Vector

__all__ = ["BaggingClassifier"]


def _scoring(model: Any) -> bool:
    return model.estimator is not None and hasattr(model.estimator, "decision_function")


class BaggingClassifier(ClassifierMixin, Bagging):  # type: ignore[misc]
    r"""Mean of the same classifier fitted to many resamples of the rows.

    .. math:: \hat p(y \mid x) = \frac1B \sum_b \hat p_b(y \mid x)

    Averaging lowers the variance, the more the less members agree, and leaves the
    bias: bag learners that fit too closely, such as deep trees. About 37 % of the rows
    are left out of each bootstrap sample, and are as good as test rows for its member.

    Parameters
    ----------
    estimator : classifier, optional
        What to bag; by default a full `DecisionTreeClassifier`.
    n_estimators : int, default=10
    max_samples : int, float or None, default=None
        Rows to draw: a number, a share of their total weight, or as many as there are.
    max_features : int or float, default=1.0
        Features for each member: a number or a share.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    bootstrap_features : bool, default=False
    oob_score : bool or callable, default=False
        Whether to judge every row by the members that had not seen it, by accuracy or
        by ``oob_score(y_true, y_pred)``.
    warm_start : bool, default=False
        Whether `fit` keeps the members there are and adds to them.
    n_jobs : int or None, default=None
        None or 1 fits one member after another, anything else on all cores; the result
        is the same.
    random_state : int, RandomState instance or None, default=None
    verbose : ignored

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_ : list of fitted classifiers
    estimators_samples_, estimators_features_ : list of ndarray
        What each member saw.
    oob_score_ : float
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Mean over the members that had not seen a row, NaN if all had.

    Examples
    --------
    >>> from infimum.models.trees import DecisionStump
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], list("aabb")
    >>> BaggingClassifier(DecisionStump(), random_state=0).fit(X, y).predict([[0.2]])
    array(['a'], dtype='<U1')
    """

    def predict_proba(self, X: Any) -> Matrix:
        """Return the mean probabilities, or the share of votes where there are none."""
        return self._mean(X)

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @available_if(_scoring)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Matrix:
        """Return the mean of the members' decision functions, if they have them."""
        X = samples(self, X, **self._admitted)

        def score(t: int) -> Matrix:
            columns = self._resampler.draw(self._seeds[t])[1]
            table = X if columns is None else X[:, columns]
            return np.asarray(self.estimators_[t].decision_function(table))

        scores = for_each(len(self.estimators_), score, self.n_jobs)
        return np.asarray(sum(scores) / len(scores))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class; ties go to the first."""
        found = winners(self._mean(X))
        return np.asarray(self.classes_[found])

    def _default(self) -> Any:
        from infimum.models.trees import DecisionTreeClassifier

        return DecisionTreeClassifier()

    def _targets(self, y: Any) -> Any:
        self.classes_, codes = coded(admit_labels(y))
        self.n_classes_ = len(self.classes_)
        return codes

    def _answers(self, member: Any, X: Any) -> Matrix:
        classes = np.arange(self.n_classes_)
        if hasattr(member, "predict_proba"):
            return spread(member, classes, member.predict_proba(X))
        return np.asarray(np.eye(self.n_classes_)[np.asarray(member.predict(X))])

    def _judge_left_out(self, y: Any, mean: Matrix, weights: Vector) -> None:
        self.oob_decision_function_ = mean
        known = ~np.isnan(mean[:, 0]) & (weights > 0)
        best = winners(mean[known])
        if callable(self.oob_score):
            truth = self.classes_[y[known]]
            self.oob_score_ = self.oob_score(truth, self.classes_[best])
        else:
            self.oob_score_ = float(
                accuracy_score(y[known], best, sample_weight=weights[known])
            )
