"""Naive Bayes for measurements: a normal law for each class and feature."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.models.probabilistic._counts import sum_by_class
from infimum.models.probabilistic._given_numbers import given_numbers
from infimum.models.probabilistic._naive_bayes import NaiveBayes
from infimum.parameters import Domains, nonnegative
from infimum.typing import Indices, Matrix, Vector

__all__ = ["GaussianNB"]

#: Variances of constant features when nothing is added to them.
LEAST_VARIANCE = float(np.finfo(np.float64).tiny)


class GaussianNB(NaiveBayes):
    r"""Naive Bayes classifier with a normal law for each class and feature.

    .. math:: p(x \mid y) = \prod_j \frac{1}{\sqrt{2πσ_{yj}^2}}
              \exp\Big(-\frac{(x_j - θ_{yj})^2}{2σ_{yj}^2}\Big)

    Parameters
    ----------
    priors : array-like of shape (n_classes,), optional
        How frequent the classes are where the model will be used; by default as
        frequent as in the data.
    var_smoothing : float, default=1e-9
        The share of the largest variance of a feature that is added to all variances.
    threshold : float, default=1.0
        As in `MultinomialNB`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_, class_prior_ : ndarray of shape (n_classes,)
    theta_, var_ : ndarray of shape (n_classes, n_features)
        Means and variances.
    epsilon_ : float
        What was added to the variances.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]]
    >>> model = GaussianNB().fit(X, list("aaabbb"))
    >>> model.predict([[4.0], [6.0]]), model.theta_.ravel()
    (array(['a', 'b'], dtype='<U1'), array([2., 8.]))
    """

    _domains: ClassVar[Domains] = {
        "var_smoothing": nonnegative,
    }

    _admitted: ClassVar[dict[str, Any]] = {"accept_sparse": False}

    def __init__(
        self,
        *,
        priors: Any = None,
        var_smoothing: float = 1e-9,
        threshold: float = 1.0,
    ) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.threshold = threshold

    def _begin(self, n_features: int) -> None:
        count = len(self.classes_)
        self.class_count_ = np.zeros(count)
        self.theta_ = np.zeros((count, n_features))
        self._squares = np.zeros((count, n_features))

    def _add(self, X: Any, codes: Indices, weights: Vector) -> None:
        count = len(self.classes_)
        rows = np.asarray(X, dtype=np.float64)
        came = np.bincount(codes, weights, count)
        safe = np.where(came > 0, came, 1.0)[:, None]
        means = sum_by_class(rows, codes, weights, count) / safe
        apart = (rows - means[codes]) ** 2
        squares = sum_by_class(apart, codes, weights, count)
        total = self.class_count_ + came
        share = (came / np.where(total > 0, total, 1.0))[:, None]
        shift = np.where(came[:, None] > 0, means - self.theta_, 0.0)
        between = shift**2 * share * self.class_count_[:, None]
        self.theta_ = self.theta_ + share * shift
        self._squares = self._squares + squares + between
        self.class_count_ = total

    def _settle(self) -> None:
        total = float(self.class_count_.sum())
        middle = self.class_count_ @ self.theta_ / total
        spread = self.class_count_ @ (self.theta_ - middle) ** 2
        overall = (self._squares.sum(axis=0) + spread) / total
        self.epsilon_ = np.float64(self.var_smoothing * overall.max())
        seen = np.where(self.class_count_ > 0, self.class_count_, 1.0)[:, None]
        variances = self._squares / seen + self.epsilon_
        self.var_ = np.maximum(variances, LEAST_VARIANCE)
        self.class_prior_ = self._prior(self.class_count_ / total)

    def _prior(self, found: Vector) -> Vector:
        if self.priors is None:
            return found
        given = given_numbers("GaussianNB.priors", self.priors)
        if given.shape != found.shape:
            problem = "Number of priors must match number of classes"
        elif not np.isclose(given.sum(), 1.0):
            problem = "The sum of the priors should be 1"
        elif (given < 0).any():
            problem = "Priors must be non-negative"
        else:
            return given
        raise InvalidParameterError(f"GaussianNB.priors: {problem}, got {given}.")

    def _joint(self, X: Any) -> Matrix:
        rows = np.asarray(X, dtype=np.float64)
        with np.errstate(divide="ignore"):
            joint = np.tile(np.log(self.class_prior_), (len(rows), 1))
        with np.errstate(over="ignore"):
            for k in range(len(self.classes_)):
                far = ((rows - self.theta_[k]) ** 2 / self.var_[k]).sum(axis=1)
                logs = np.log(2.0 * np.pi * self.var_[k]).sum()
                joint[:, k] -= 0.5 * (far + logs)
        return joint
