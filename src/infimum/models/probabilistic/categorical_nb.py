"""Naive Bayes for features that take one of a few values each."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.models.probabilistic._counts import CountedBayes
from infimum.typing import Indices, Matrix, Vector

__all__ = ["CategoricalNB"]

MOST_CATEGORIES = 10_000_000


class CategoricalNB(CountedBayes):
    r"""Naive Bayes classifier for categories, numbered from 0 in each feature.

    Fractions are cut off, as scikit-learn does.

    .. math:: p(x_j = t \mid y) = \frac{n_{yjt} + α}{n_y + α\, m_j}

    for a feature of :math:`m_j` categories.

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior, threshold
        As in `MultinomialNB`.
    min_categories : int or array-like of shape (n_features,), optional
        The least number of categories of each feature, if not all have been seen.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
    class_log_prior_ : ndarray of shape (n_classes,)
    category_count_ : list of ndarray of shape (n_classes, n_categories)
    feature_log_prob_ : list of ndarray of shape (n_classes, n_categories)
    n_categories_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> X = [[0, 1], [0, 0], [1, 1], [1, 2]]
    >>> CategoricalNB().fit(X, list("aabb")).predict([[1, 0]])
    array(['b'], dtype='<U1')
    """

    _admitted: ClassVar[dict[str, Any]] = {"accept_sparse": False}

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
        threshold: float = 1.0,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.threshold = threshold

    def _read(self, X: Any) -> Indices:
        self._refuse_negative(X)
        if X.size and X.max() > MOST_CATEGORIES:
            raise DataError(
                "CategoricalNB counts the categories 0, 1, 2, ..., at most "
                f"{MOST_CATEGORIES}, got {X.max()!r}: number them with OrdinalEncoder."
            )
        return np.asarray(X.astype(np.int64))

    def _begin(self, n_features: int) -> None:
        super()._begin(0)
        count = len(self.classes_)
        least = 0 if self.min_categories is None else self.min_categories
        sizes = np.asarray(least)
        if sizes.dtype.kind not in "iu" or sizes.shape not in {(), (n_features,)}:
            raise InvalidParameterError(
                "CategoricalNB.min_categories must be a whole number or one for each "
                f"of {n_features} features, got {self.min_categories!r}."
            )
        self.category_count_: list[Matrix] = [
            np.zeros((count, size)) for size in np.broadcast_to(sizes, n_features)
        ]

    def _add(self, X: Any, codes: Indices, weights: Vector) -> None:
        count = len(self.classes_)
        self.class_count_ = self.class_count_ + np.bincount(codes, weights, count)
        grown: list[Matrix] = []
        for column, known in zip(X.T, self.category_count_, strict=True):
            size = max(known.shape[1], int(column.max(initial=-1)) + 1)
            counts = np.bincount(codes * size + column, weights, count * size)
            table = counts.astype(np.float64).reshape(count, size)
            table[:, : known.shape[1]] += known
            grown.append(table)
        self.category_count_ = grown

    def _smooth(self, alpha: Any) -> None:
        added = np.broadcast_to(alpha, self.n_features_in_)
        self.n_categories_ = np.array([len(t.T) for t in self.category_count_])
        self.feature_log_prob_ = []
        for table, extra in zip(self.category_count_, added, strict=True):
            smoothed = table + extra
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
            self.feature_log_prob_.append(np.where(np.isnan(logs), 0.0, logs))

    def _joint(self, X: Any) -> Matrix:
        new = X.max(axis=0, initial=-1) >= self.n_categories_
        if new.any():
            j = int(np.argmax(new))
            raise DataError(
                f"CategoricalNB: feature {j} has the category {X[:, j].max()}, only "
                f"{self.n_categories_[j]} were known; raise min_categories."
            )
        joint = np.tile(self.class_log_prior_, (len(X), 1))
        for column, logs in zip(X.T, self.feature_log_prob_, strict=True):
            joint += logs[:, column].T
        return joint

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags
