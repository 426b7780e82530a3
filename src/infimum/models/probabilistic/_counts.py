"""Naive Bayes from counts: smoothing, and how frequent classes are."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.threads import PARTS, in_parts
from infimum.errors import DataError, InvalidParameterError
from infimum.models.probabilistic._given_numbers import given_numbers
from infimum.models.probabilistic._naive_bayes import NaiveBayes
from infimum.parameters import shown
from infimum.typing import Indices, Matrix, Vector

__all__ = ["CountedBayes", "sum_by_class"]

LEAST_ALPHA = 1e-10
#: Rows for each class from which on cores share a sum.
LONG = 64


class CountedBayes(NaiveBayes):
    """Naive Bayes whose laws are smoothed counts."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _begin(self, n_features: int) -> None:
        count = len(self.classes_)
        self.class_count_ = np.zeros(count)
        self.feature_count_: Any = np.zeros((count, n_features))

    def _add(self, X: Any, codes: Indices, weights: Vector) -> None:
        count = len(self.classes_)
        self.class_count_ = self.class_count_ + np.bincount(codes, weights, count)
        added = sum_by_class(X, codes, weights, count)
        self.feature_count_ = self.feature_count_ + added

    def _settle(self) -> None:
        self.class_log_prior_ = self._log_prior()
        self._smooth(self._smoothing())

    @abstractmethod
    def _smooth(self, alpha: Any) -> None:
        """Work out log-probabilities from counts and what is added to each."""

    def _smoothing(self) -> Any:
        owner = type(self).__name__
        alpha = given_numbers(f"{owner}.alpha", self.alpha)
        if alpha.ndim > 1 or not np.isfinite(alpha).all() or (alpha < 0).any():
            raise InvalidParameterError(
                f"{owner}.alpha must be a number in [0, inf) or one for each feature, "
                f"got {shown(self.alpha)}."
            )
        if alpha.ndim == 1 and len(alpha) != self.n_features_in_:
            raise InvalidParameterError(
                f"{owner}.alpha must have an entry for each of {self.n_features_in_} "
                f"features, got {len(alpha)}."
            )
        return alpha if self.force_alpha else np.maximum(alpha, LEAST_ALPHA)

    def _log_prior(self) -> Vector:
        count = len(self.classes_)
        if self.class_prior is not None:
            owner = f"{type(self).__name__}.class_prior"
            given = given_numbers(owner, self.class_prior)
            if given.shape != (count,) or not (given >= 0).all() or not given.any():
                raise InvalidParameterError(
                    f"{owner} must be {count} non-negative numbers, "
                    f"got {shown(self.class_prior)}."
                )
            shares = given
        elif self.fit_prior:
            shares = self.class_count_ / self.class_count_.sum()
        else:
            shares = np.full(count, 1.0 / count)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(shares))

    def _refuse_negative(self, X: Any) -> None:
        least = X.min() if X.shape[0] and X.shape[1] else 0.0
        if least < 0:
            raise DataError(
                f"Negative values in data passed to X in {type(self).__name__}: counts "
                f"cannot be {least:.3g}."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        return tags


def sum_by_class(X: Any, codes: Indices, weights: Vector, count: int) -> Matrix:
    """Return the weighted sum of the rows of each class, without filling X."""
    parts = min(PARTS, len(codes) // (LONG * count))
    if parts <= 1 or not isinstance(X, np.ndarray):
        return _sum_of_part(X, codes, weights, count)

    def work(part: slice) -> Matrix:
        return _sum_of_part(X[part], codes[part], weights[part], count)

    return np.asarray(sum(in_parts(len(codes), work, parts)))


def _sum_of_part(X: Any, codes: Indices, weights: Vector, count: int) -> Matrix:
    """Add the rows up in their order: each is a column of a sparse matrix."""
    n = len(codes)
    members = sparse.csc_array((weights, codes, np.arange(n + 1)), shape=(count, n))
    total = members @ X
    dense = total.toarray() if hasattr(total, "toarray") else total
    return np.asarray(dense, dtype=np.float64)
