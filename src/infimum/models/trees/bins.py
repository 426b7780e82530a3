"""A table in bins: every value a small whole number, and the cuts that made it so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_bins import PADDED, cut_evenly, encode_rows
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Mask, Vector

__all__ = ["BinnedTable"]

#: Rows from which quantiles are estimated; more change no cut that matters.
SUBSAMPLE = 200_000


@dataclass(frozen=True, eq=False)
class BinnedTable:
    """A table whose values are known by their bins, at most 255 of them a feature.

    Numbers are cut midway between distinct values: each value has its own bin where
    there are at most `max_bins` of them, so that no split is lost; otherwise bins hold
    about the same weight. Categories are bins themselves; beyond `max_bins` the
    lightest are treated as missing. A weight of k makes the same cuts as k copies, as
    long as there are no more than 200,000 rows; beyond, a random part of them is read.

    Parameters
    ----------
    codes : uint8 array of shape (n_features, n_samples)
        The bins of the samples, feature by feature. A missing value has the code
        ``n_bins[j]``.
    edges : tuple of float64 arrays
        Feature by feature, the thresholds between bins: a value of bin b lies above
        ``edges[j][b - 1]`` and not above ``edges[j][b]``. For a categorical feature the
        sorted levels themselves, one a bin.
    n_bins : int64 array of shape (n_features,)
        Bins of each feature, the one for missing values not counted.
    has_missing : bool array of shape (n_features,)
        Whether the samples lack a value of that feature.
    categorical : bool array of shape (n_features,)

    Examples
    --------
    >>> table = BinnedTable.of([[1.0], [4.0], [2.0], [float("nan")]])
    >>> table.codes
    array([[0, 2, 1, 3]], dtype=uint8)
    >>> table.edges[0]
    array([1.5, 3. ])
    >>> table.encode([[1.6], [9.0]])
    array([[1, 2]], dtype=uint8)
    """

    codes: NDArray[np.uint8]
    edges: tuple[Vector, ...]
    n_bins: NDArray[np.int64]
    has_missing: Mask
    categorical: Mask

    @classmethod
    def of(
        cls,
        X: Any,
        max_bins: int = 255,
        *,
        categorical: Any = None,
        sample_weight: Vector | None = None,
        random_state: Any = None,
    ) -> BinnedTable:
        """Cut the columns of X, dense or sparse, and encode them.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        max_bins : int, default=255
        categorical : bool array of shape (n_features,), default=None
            Which columns hold categories, as whole numbers from 0.
        sample_weight : array of shape (n_samples,), default=None
        random_state : int, RandomState instance or None, default=None
            Chooses the rows that are read, where there are very many.
        """
        if isinstance(X, BinnedTable):  # rows that were streamed come in bins
            return X
        check_domain("BinnedTable.max_bins", max_bins, whole(2, 255))
        X = _by_columns(X)
        n, d = X.shape
        marked = np.zeros(d, dtype=bool) if categorical is None else categorical
        marked = np.asarray(marked, dtype=bool)
        rows = _rows_to_read(n, random_state)
        weights = sample_weight
        if rows is not None and weights is not None:
            weights = weights[rows]

        def cut(part: slice) -> list[Vector]:
            found = []
            for j in range(part.start, part.stop):
                column = _column(X, j, rows)
                decide = _levels if marked[j] else _thresholds
                found.append(decide(column, weights, max_bins, j))
            return found

        edges = tuple(edge for part in in_parts(d, cut) for edge in part)
        bins = [len(e) + (0 if c else 1) for e, c in zip(edges, marked, strict=True)]
        empty = cls(
            np.empty((d, 0), dtype=np.uint8),
            edges,
            np.array(bins, dtype=np.int64).reshape(d),
            np.zeros(d, dtype=bool),
            marked,
        )
        codes = empty.encode(X)
        missing = np.array([(codes[j] == bins[j]).any() for j in range(d)], dtype=bool)
        return replace(empty, codes=codes, has_missing=missing.reshape(d))

    def encode(self, X: Any, out: Any = None) -> NDArray[np.uint8]:
        """Return the bins of other samples, feature by feature, in `out` if given."""
        X = _by_columns(X)
        codes = out
        if out is None:
            codes = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
        missing = self.n_bins.astype(np.uint8)
        numeric = np.flatnonzero(~self.categorical)
        padded = np.full((X.shape[1], PADDED), np.inf)
        for j in numeric:
            padded[j, : len(self.edges[j])] = self.edges[j]
        if not isinstance(X, np.ndarray):
            for j in numeric:
                column = _column(X, j, None)[:, None]
                one = slice(j, j + 1)
                named = np.zeros(1, dtype=np.int64)
                encode_rows(column, padded[one], missing[one], named, codes[one])
        else:
            in_parts(
                X.shape[0],
                lambda rows: encode_rows(
                    X[rows], padded, missing, numeric, codes[:, rows]
                ),
            )
        for j in np.flatnonzero(self.categorical):
            codes[j] = _encode_levels(_column(X, j, None), self.edges[j])
        return np.asarray(codes)

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and features."""
        return self.codes.shape[1], self.codes.shape[0]


def _rows_to_read(n: int, random_state: Any) -> Indices | None:
    """Return the rows that decide the cuts; None for all."""
    if n <= SUBSAMPLE:
        return None
    draw = check_random_state(random_state)
    return np.sort(draw.choice(n, SUBSAMPLE, replace=False))


def _by_columns(X: Any) -> Any:
    return X.tocsc() if hasattr(X, "tocsc") else np.asarray(X)


def _column(X: Any, j: Any, rows: Any) -> Vector:
    if not isinstance(X, np.ndarray):
        column = np.zeros(X.shape[0])
        part = slice(X.indptr[j], X.indptr[j + 1])
        column[X.indices[part]] = X.data[part]
    else:
        column = X[:, j]
    return np.asarray(column if rows is None else column[rows], dtype=np.float64)


def _distinct(column: Vector, weights: Vector | None) -> tuple[Vector, Vector]:
    """Return the distinct numbers of a column and their weights, none of them 0."""
    known = ~np.isnan(column)
    if weights is not None:
        known &= weights > 0
    if weights is None or (weights[known] == 1.0).all():
        return _runs(np.sort(column[known]))
    order = np.argsort(column[known], kind="stable")
    values, counts = _runs(column[known][order])
    if not len(values):
        return values, counts
    starts = np.concatenate([[0], np.cumsum(counts[:-1])]).astype(np.intp)
    return values, np.add.reduceat(weights[known][order], starts)


def _runs(ordered: Vector) -> tuple[Vector, Vector]:
    if not len(ordered):
        return ordered, ordered
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    counts = np.diff(np.concatenate([starts, [len(ordered)]]))
    return ordered[starts], counts.astype(np.float64)


def _thresholds(
    column: Vector, weights: Vector | None, max_bins: int, feature: int
) -> Vector:
    values, heavy = _distinct(column, weights)
    if len(values) > max_bins:
        cuts = cut_evenly(heavy, max_bins)
        low, high = values[cuts], values[cuts + 1]
    else:
        low, high = values[:-1], values[1:]
    with np.errstate(invalid="ignore", over="ignore"):
        middle = 0.5 * low + 0.5 * high
    # Neighbouring floats and infinities have no number between: the lower one cuts.
    between = (middle >= low) & (middle < high)
    return np.asarray(np.where(between, middle, low))


def _levels(
    column: Vector, weights: Vector | None, max_bins: int, feature: int
) -> Vector:
    values, heavy = _distinct(column, weights)
    inside = (values >= 0) & np.isfinite(values)
    if (values[inside] != np.floor(values[inside])).any():
        wrong = values[inside][values[inside] != np.floor(values[inside])][0]
        raise DataError(
            f"Feature {feature} is categorical, so its values must be whole numbers "
            f"from 0, got {wrong:g}."
        )
    values, heavy = values[inside], heavy[inside]
    if len(values) > max_bins:
        kept = np.sort(np.argsort(-heavy, kind="stable")[:max_bins])
        values = values[kept]
    return values


def _encode_levels(column: Vector, levels: Vector) -> NDArray[np.uint8]:
    places = np.searchsorted(levels, column)
    safe = np.minimum(places, max(len(levels) - 1, 0))
    known = levels[safe] == column if len(levels) else np.zeros(len(column), dtype=bool)
    return np.where(known, safe, len(levels)).astype(np.uint8)
