"""Objects as multisets: how often each known term occurs in them."""

from abc import ABC, abstractmethod
from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.parameters import Interval, check_domain, closed, whole

__all__ = ["TermCounts"]


class TermCounts(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """The common half of bags of words, substrings and baskets.

    A child says what the terms of one object are (`count`); this class learns the
    vocabulary, drops terms that are too rare or too common, and fills a CSR matrix.
    """

    min_df: int | float
    max_df: int | float
    max_features: int | None
    binary: bool
    dtype: Any

    @abstractmethod
    def count(self, thing: Any) -> Mapping[Any, float]:
        """Return the terms of one object with their numbers of occurrences."""

    def fit(self, X: Iterable[Any], y: Any = None) -> Self:
        """Learn the vocabulary; return self."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Iterable[Any], y: Any = None) -> Any:
        """Learn the vocabulary and return the counts of the same objects."""
        self._check()
        found: dict[Hashable, int] = defaultdict()
        found.default_factory = found.__len__  # type: ignore[attr-defined]
        counts = self._fill(X, found.__getitem__, found)
        terms = list(found)
        kept = self._select(counts, terms)
        if not kept:
            raise DataError(
                f"{type(self).__name__} has no term left: all are empty, stopped, "
                "rarer than min_df or more common than max_df."
            )
        self.vocabulary_ = {terms[j]: column for column, j in enumerate(kept)}
        return counts[:, kept]

    def transform(self, X: Iterable[Any]) -> Any:
        """Return the counts of the known terms; unknown terms are ignored."""
        check_fitted(self, "vocabulary_")
        return self._fill(X, self.vocabulary_.get, self.vocabulary_)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the terms in the order of the columns."""
        check_fitted(self, "vocabulary_")
        names = np.empty(len(self.vocabulary_), dtype=object)
        names[:] = [str(term) for term in self.vocabulary_]
        return names

    def _check(self) -> None:
        owner = type(self).__name__
        for name in ("min_df", "max_df"):
            value = getattr(self, name)
            domain: Interval = closed(0, 1) if isinstance(value, float) else whole(1)
            check_domain(f"{owner}.{name}", value, domain)
        if self.max_features is not None:
            check_domain(f"{owner}.max_features", self.max_features, whole(1))

    def _fill(
        self, X: Iterable[Any], lookup: Any, vocabulary: Mapping[Any, int]
    ) -> Any:
        if isinstance(X, str):
            raise DataError(
                f"{type(self).__name__} expects a collection of objects, got one "
                "string: wrap it in a list."
            )
        columns, values, ends = array("q"), array("d"), [0]
        for thing in X:
            for term, number in self.count(thing).items():
                column = lookup(term)
                if column is not None:
                    columns.append(column)
                    values.append(number)
            ends.append(len(columns))
        small = np.int32 if len(columns) < np.iinfo(np.int32).max else np.int64
        matrix = sparse.csr_array(
            (
                np.ones(len(values)) if self.binary else np.asarray(values),
                np.asarray(columns, dtype=small),
                np.asarray(ends, dtype=small),
            ),
            shape=(len(ends) - 1, len(vocabulary)),
            dtype=self.dtype,
        )
        matrix.sort_indices()
        return matrix

    def _select(self, counts: Any, terms: list[Any]) -> list[int]:
        n = counts.shape[0]
        frequency = np.bincount(counts.indices, minlength=len(terms))
        least = self.min_df * n if isinstance(self.min_df, float) else self.min_df
        most = self.max_df * n if isinstance(self.max_df, float) else self.max_df
        kept = np.flatnonzero((frequency >= least) & (frequency <= most))
        if self.max_features is not None:
            totals = np.asarray(counts.sum(axis=0))[kept]
            kept = kept[np.argsort(-totals, kind="stable")[: self.max_features]]
        return sorted(kept.tolist(), key=_natural_order(terms))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


def _natural_order(terms: list[Any]) -> Any:
    alike = len({type(term) for term in terms}) == 1
    return (lambda j: terms[j]) if alike else (lambda j: str(terms[j]))
