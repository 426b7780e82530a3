"""The plug-in classifier: estimate the probability of a class, then threshold it."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier

from infimum.data.doors import labelled, samples, winners
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.linear import LinearRegression
from infimum.parameters import Domains, check_parameters, closed
from infimum.typing import Matrix

__all__ = ["PlugInClassifier"]


class PlugInClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier from any estimate of the regression function.

    .. math:: f(x) = 1 \text{ if } \eta_n(x) \ge \text{threshold, else } 0, \qquad
              \eta(x) = P(Y = 1 \mid X = x)

    The best rule of all puts the true η in place of its estimate. A consistent
    estimate gives a consistent classifier; in many dimensions it may take more data
    than there are, since η is harder to learn than the side of 1/2 it lies on.

    Parameters
    ----------
    estimator : regressor or classifier, optional
        What estimates η: a regressor is fitted to the indicator of each class, a
        classifier must have ``predict_proba``. By default `LinearRegression`.
    threshold : float, default=0.5
        With two classes, the least η that counts as the second class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of fitted estimators

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> PlugInClassifier().fit(X, ["a", "a", "b", "b"]).predict([[1.4], [1.6]])
    array(['a', 'b'], dtype='<U1')
    """

    _domains: ClassVar[Domains] = {
        "threshold": closed(0, 1),
    }

    def __init__(self, estimator: Any = None, *, threshold: float = 0.5) -> None:
        self.estimator = estimator
        self.threshold = threshold

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Estimate the regression function of each class; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            Passed on to the estimator.
        """
        with unchanged_on_failure(self):
            return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        check_parameters(self)
        found = labelled(self, X, y, sample_weight, moderate=True)
        X, codes, weights = found.X, found.y, found.weights
        self.classes_ = found.classes
        given = {} if weights is None else {"sample_weight": weights}
        base = LinearRegression() if self.estimator is None else self.estimator
        if is_classifier(base):
            self.estimators_ = [clone(base).fit(X, codes, **given)]
            return self
        count = len(self.classes_)
        wanted = range(count) if count > 2 else [1]  # noqa: PLR2004
        self.estimators_ = [
            clone(base).fit(X, (codes == k).astype(np.float64), **given) for k in wanted
        ]
        return self

    def regression_function(self, X: Any) -> Matrix:
        """Return the estimate of P(class | x), one column per class."""
        X = samples(self, X)
        first = self.estimators_[0]
        if is_classifier(first):
            return np.asarray(first.predict_proba(X))
        columns = [np.ravel(model.predict(X)) for model in self.estimators_]
        if len(columns) == 1:
            columns = [1.0 - columns[0], columns[0]]
        return np.column_stack(columns)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class where η reaches the threshold, else the first.

        Of more than two classes, the one with the largest estimate.
        """
        eta = self.regression_function(X)
        if len(self.classes_) == 2:  # noqa: PLR2004
            return np.asarray(self.classes_[(eta[:, 1] >= self.threshold).astype(int)])
        return np.asarray(self.classes_[winners(eta)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
