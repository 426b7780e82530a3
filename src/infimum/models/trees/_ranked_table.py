"""A table as ranks: each value's place among the distinct values of its column.

Trees ask only for the order of values, so ranks are all that growing needs: whole
numbers, of any table, dense or sparse, float32 or float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_parts import Ranks
from infimum.errors import DataError
from infimum.typing import Indices, Mask, Vector

__all__ = ["MOST_CATEGORIES", "rank_table"]

#: Categories of one feature; a split keeps one bit for each.
MOST_CATEGORIES = 2**14
#: Tables with at most so many entries are ranked in one go.
SMALL = 20_000


def rank_table(
    owner: str, X: Any, categorical: Mask, monotone: Indices, groups: Mask
) -> Ranks:
    """Return the ranks of a table's columns.

    Parameters
    ----------
    owner : str
        The estimator that errors speak of.
    X : array or sparse matrix of n_samples × n_features
    categorical : bool, one a feature
    monotone : int8, one a feature
        1 for answers that grow with the feature, -1 for the reverse, 0 for any.
    groups : bool, n_groups × n_features
        Features that may meet on a path; no group at all lets all of them.
    """
    n, d = X.shape
    stored = hasattr(X, "tocsc")  # a table of stored entries, in columns or not
    columns = X.tocsc() if stored else X
    ranks = np.empty((d, n), dtype=np.int32)
    values: list[Vector] = [np.empty(0)] * d
    counts = np.zeros(d, dtype=np.int64)

    def rank(features: slice) -> None:
        for f in range(features.start, features.stop):
            column = _column(columns, f)
            if categorical[f]:
                counts[f] = _categories(owner, f, column, ranks[f])
            else:
                values[f] = _distinct(column, ranks[f])
                counts[f] = len(values[f])

    if n * d <= SMALL and not categorical.any() and not stored:
        values = _distinct_columns(X, ranks)
        counts = np.array([len(some) for some in values], dtype=np.int64)
    else:
        in_parts(d, rank, d)
    starts = np.concatenate([[0], np.cumsum([len(v) for v in values])])[:-1]
    complete = ranks.max(axis=1) < counts
    free = not monotone.any() and len(groups) == 0
    return Ranks(
        ranks=ranks,
        counts=counts,
        starts=starts.astype(np.int64),
        values=np.concatenate(values),
        categorical=np.ascontiguousarray(categorical, dtype=np.bool_),
        monotone=np.ascontiguousarray(monotone, dtype=np.int8),
        groups=np.ascontiguousarray(groups, dtype=np.bool_).reshape(-1, d),
        plain=complete & ~categorical & free,
    )


def _column(X: Any, f: int) -> Vector:
    if hasattr(X, "indptr"):
        column = np.zeros(X.shape[0])
        some = slice(X.indptr[f], X.indptr[f + 1])
        column[X.indices[some]] = X.data[some]
        return column
    return np.ascontiguousarray(X[:, f], dtype=np.float64)


def _distinct(column: Vector, ranks: Indices) -> Vector:
    """Write the ranks of a column of numbers; return its distinct values."""
    order = np.argsort(column)
    ordered = column[order]
    known = len(ordered) - int(np.isnan(column).sum())
    fresh = np.ones(len(ordered), dtype=np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    fresh[known + 1 :] = False  # what is missing is one rank, above all others
    ranks[order] = np.cumsum(fresh, dtype=np.int32) - 1
    return np.asarray(ordered[:known][fresh[:known]])


def _distinct_columns(X: Any, ranks: Indices) -> list[Vector]:
    """Write the ranks of all columns at once; return the distinct values of each."""
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)
    fresh = np.ones(ordered.shape, dtype=np.bool_)
    fresh[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    known = ordered == ordered  # noqa: PLR0124  (NaN is not)
    if not known.all():
        first = np.argmin(known, axis=1)  # of what is missing, one rank above all
        fresh &= known
        some = np.flatnonzero(~known[:, -1])
        fresh[some, first[some]] = True
    np.put_along_axis(ranks, order, np.cumsum(fresh, axis=1, dtype=np.int32) - 1, 1)
    fresh &= known
    return [line[new] for line, new in zip(ordered, fresh, strict=True)]


def _categories(owner: str, f: int, column: Vector, ranks: Indices) -> int:
    """Write the categories of a column; return how many there may be."""
    missing = np.isnan(column)
    levels = np.where(missing, 0.0, column)
    if levels.min(initial=0.0) < 0 or (levels != np.floor(levels)).any():
        odd = levels[(levels < 0) | (levels != np.floor(levels))][0]
        raise DataError(
            f"{owner}: the categories of feature {f} must be whole numbers from 0 on, "
            f"got {odd:g}."
        )
    count = int(levels.max(initial=-1.0)) + 1
    if count > MOST_CATEGORIES:
        raise DataError(
            f"{owner}: feature {f} has the category {count - 1}, and at most "
            f"{MOST_CATEGORIES} are understood; treat it as a number, or group it."
        )
    ranks[:] = np.where(missing, count, levels)
    return count
