"""Rows through a map of features: random features or Nyström, made leaf by leaf."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors import check_fitted
from infimum.data.streams.encoding import Encoding
from infimum.data.streams.statistics import Statistics
from infimum.typing import Matrix, Vector

__all__ = ["MappedEncoding", "through"]

#: Rows that a map which learns is fitted on.
SAMPLE = 20_000


class MappedEncoding(Encoding):
    """An encoding, and a fitted map that its features go through."""

    def __init__(self, inner: Encoding, feature_map: Any, names: list[str]) -> None:
        self.inner, self.feature_map = inner, feature_map
        super().__init__(inner.columns)
        self.names = names

    def decode(self, raw: Any, buffer: Callable[..., NDArray[Any]]) -> Any:
        """Return the mapped features of some rows."""
        X = self.inner.decode(raw, buffer)
        found = np.asarray(self.feature_map.transform(X), dtype=np.float64)
        return found if self.shift is None else found - self.shift


class MappedStatistics(Statistics):
    """What is known of rows, with the moments of mapped features."""

    def __init__(self, known: Statistics, moments: tuple[Vector, Vector]) -> None:
        self.__dict__.update(known.__dict__)
        self._moments = moments

    def moments(self) -> tuple[Vector, Vector]:
        """Return the mean and the variance of each feature."""
        return self._moments


def moments_of(leaf: Any) -> tuple[Vector, Vector]:
    """Return Σ w·z and Σ w·z²."""
    return leaf.w @ leaf.X, leaf.w @ leaf.X**2


def through(rows: Any, feature_map: Any) -> Any:
    """Return streamed rows whose features go through a map.

    A map that is not fitted is fitted on a sample of the rows; `feature_map` of the
    result is the fitted one, for new rows.
    """
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError

    sample = _sample(rows)
    try:
        check_fitted(feature_map)
    except NotFittedError:
        feature_map = clone(feature_map).fit(sample)
    width = np.asarray(feature_map.transform(sample[:1])).shape[1]
    names = [f"map{k}" for k in range(width)]
    found = rows.spooled
    encoding = MappedEncoding(found.spool.encoding, feature_map, names)
    other = copy(rows)
    # The copy in the folder stays as long as either of the two does.
    other.__dict__["_owner"] = rows
    other.layout = replace(rows.layout, named=False)
    spool = replace(found.spool, encoding=encoding, opened={})
    other._found = replace(found, spool=spool)
    sums, squares = other.run(moments_of)
    mean = sums / found.statistics.total
    spread = np.maximum(squares / found.statistics.total - mean**2, 0.0)
    statistics = MappedStatistics(found.statistics, (mean, spread))
    other._found = replace(other._found, statistics=statistics)
    other.feature_map = feature_map
    return other


def _sample(rows: Any) -> Matrix:
    """Return some rows, evenly spread."""
    spool = rows.spool
    count = max(1, min(spool.leaves, SAMPLE // spool.size))
    chosen = np.unique(np.linspace(0, spool.leaves - 1, count).astype(int))
    return np.concatenate([leaf.X.copy() for leaf in rows.leaves(chosen.tolist())])
