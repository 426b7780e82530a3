"""Naive Bayes that asks which class a document is least unlike."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.models.probabilistic._counts import CountedBayes
from infimum.parameters import Domains, flag
from infimum.typing import Matrix

__all__ = ["ComplementNB"]

LEAST_SHARE = float(np.finfo(np.float64).tiny)


class ComplementNB(CountedBayes):
    r"""Naive Bayes classifier for counts that learns from all other classes.

    .. math:: w_{yj} = -\log \frac{α + \sum_{c ≠ y} n_{cj}}
              {\sum_l (α + \sum_{c ≠ y} n_{cl})}, \qquad
              \hat y = \arg\max_y \sum_j x_j w_{yj}

    The complement of a rare class has many rows, so that its counts are steadier than
    those of `MultinomialNB` where classes differ in size.

    Parameters
    ----------
    alpha, force_alpha, class_prior, fit_prior, threshold
        As in `MultinomialNB`; priors matter only where there is a single class.
    norm : bool, default=False
        Whether the weights of a class are divided by their sum.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
    class_log_prior_ : ndarray of shape (n_classes,)
    feature_all_ : ndarray of shape (n_features,)
        Counts of all classes together.
    feature_count_ : ndarray of shape (n_classes, n_features)
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        The weights.

    Examples
    --------
    >>> counts = [[2, 0, 1], [1, 0, 2], [0, 3, 1]]
    >>> ComplementNB().fit(counts, ["ham", "ham", "spam"]).predict([[0, 1, 0]])
    array(['spam'], dtype='<U4')

    References
    ----------
    Rennie, Shih, Teevan & Karger (2003), ICML.
    """

    _domains: ClassVar[Domains] = {
        "norm": flag,
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
        threshold: float = 1.0,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm
        self.threshold = threshold

    def _read(self, X: Any) -> Any:
        self._refuse_negative(X)
        return X

    def _smooth(self, alpha: Any) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + alpha - self.feature_count_
        total = others.sum(axis=1, keepdims=True)
        shares = others / np.where(total > 0, total, 1.0)
        # A word that no other class has speaks very loudly, not infinitely.
        logs = np.log(np.maximum(shares, LEAST_SHARE))
        weights = logs / logs.sum(axis=1, keepdims=True) if self.norm else -logs
        self.feature_log_prob_ = weights

    def _joint(self, X: Any) -> Matrix:
        joint = np.asarray(X @ self.feature_log_prob_.T)
        return joint + self.class_log_prior_ if len(self.classes_) == 1 else joint

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
