"""Naive Bayes for counts: documents as bags of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.probabilistic._counts import CountedBayes
from infimum.models.probabilistic._naive_bayes import log_sums
from infimum.typing import Matrix

__all__ = ["MultinomialNB"]


class MultinomialNB(CountedBayes):
    r"""Naive Bayes classifier for counts, such as words in documents.

    .. math:: p(x \mid y) ∝ \prod_j p_{yj}^{x_j}, \qquad
              p_{yj} = \frac{n_{yj} + α}{\sum_l (n_{yl} + α)}

    Words are taken as drawn independently from the law of the class. Training is one
    pass over the data, and sums of logarithms keep long documents from underflow.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        What is added to each count (1 is Laplace's smoothing), so that a word never
        seen in a class does not rule the class out.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 stays what it is.
    fit_prior : bool, default=True
        Whether frequent classes are likelier beforehand.
    class_prior : array-like of shape (n_classes,), optional
        How frequent the classes are where the model will be used.
    threshold : float, default=1.0
        With two classes, the odds c above which a sample is given to the second. A
        large one is careful with the second class, a small one with the first.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
    feature_count_ : ndarray of shape (n_classes, n_features)
    feature_log_prob_ : ndarray of shape (n_classes, n_features)

    Examples
    --------
    >>> counts = [[2, 0, 1], [1, 0, 2], [0, 3, 1]]
    >>> model = MultinomialNB().fit(counts, ["ham", "ham", "spam"])
    >>> model.predict([[1, 0, 0], [0, 1, 0]])
    array(['ham', 'spam'], dtype='<U4')
    >>> MultinomialNB(threshold=100.0).fit(counts, [0, 0, 1]).predict([[0, 1, 0]])
    array([0])
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        threshold: float = 1.0,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.threshold = threshold

    def _read(self, X: Any) -> Any:
        self._refuse_negative(X)
        return X

    def _smooth(self, alpha: Any) -> None:
        smoothed = self.feature_count_ + alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
        # A class of which nothing was seen says nothing about words.
        self.feature_log_prob_ = np.where(np.isnan(logs), 0.0, logs)

    def _joint(self, X: Any) -> Matrix:
        return log_sums(X, self.feature_log_prob_) + self.class_log_prior_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
