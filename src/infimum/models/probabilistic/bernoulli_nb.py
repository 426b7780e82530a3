"""Naive Bayes for binary features: present or absent."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.preprocessing import binarize

from infimum.models.probabilistic._counts import CountedBayes
from infimum.models.probabilistic._naive_bayes import log_sums
from infimum.typing import Matrix

__all__ = ["BernoulliNB"]


class BernoulliNB(CountedBayes):
    r"""Naive Bayes classifier for features that are present or absent.

    .. math:: p(x \mid y) = \prod_j p_{yj}^{x_j} (1 - p_{yj})^{1 - x_j}, \qquad
              p_{yj} = \frac{n_{yj} + α}{n_y + 2α}

    Unlike `MultinomialNB` it counts the absence of a word as evidence too.

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior, threshold
        As in `MultinomialNB`.
    binarize : float or None, default=0.0
        Values above it are present; None if the data are 0 and 1 already.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
    class_log_prior_ : ndarray of shape (n_classes,)
    feature_count_ : ndarray of shape (n_classes, n_features)
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Logarithm of the probability that a feature is present.

    Examples
    --------
    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1]]
    >>> BernoulliNB().fit(X, ["ham", "ham", "spam"]).predict([[0, 1, 0]])
    array(['spam'], dtype='<U4')
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
        threshold: float = 1.0,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.threshold = threshold

    def _read(self, X: Any) -> Any:
        return X if self.binarize is None else binarize(X, threshold=self.binarize)

    def _smooth(self, alpha: Any) -> None:
        present = self.feature_count_ + alpha
        absent = self.class_count_[:, None] - self.feature_count_ + alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            total = np.log(self.class_count_[:, None] + 2.0 * alpha)
            logs, absent_logs = np.log(present) - total, np.log(absent) - total
        self.feature_log_prob_ = np.where(np.isnan(logs), 0.0, logs)
        self._absent_log_prob = np.where(np.isnan(absent_logs), 0.0, absent_logs)

    def _joint(self, X: Any) -> Matrix:
        certain = np.isneginf(self._absent_log_prob)
        absent = np.where(certain, 0.0, self._absent_log_prob)
        logs = self.feature_log_prob_ - absent
        joint = log_sums(X, logs) + absent.sum(axis=1) + self.class_log_prior_
        if certain.any():
            here = np.asarray(X @ certain.T.astype(float))
            joint = np.where(here < certain.sum(axis=1), -np.inf, joint)
        return np.asarray(joint)
