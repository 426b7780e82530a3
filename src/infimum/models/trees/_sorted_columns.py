"""A table sorted by every feature once, so that each search of a cut is one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_stump_sides import mark_sides
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["SortedColumns"]


@dataclass(frozen=True, eq=False)
class SortedColumns:
    """The rows in the order of each feature, feature after feature.

    Of a sparse table only what is stored has a place; all zeros that are not stored
    stand together before the place `zeros` (-1 where there are none).

    Attributes
    ----------
    order : ndarray of uint32
        Rows, those with missing values last.
    values : ndarray
        The feature's value at each place.
    starts : ndarray of shape (n_features + 1,)
        Where each feature begins.
    known : ndarray of shape (n_features,)
        Where the missing values of each feature begin.
    zeros : ndarray of shape (n_features,)
    ends : ndarray of bool
        Whether the value after a place differs.
    n_rows : int
    """

    order: Indices
    values: Vector
    starts: Indices
    known: Indices
    zeros: Indices
    ends: Mask
    n_rows: int

    @classmethod
    def of(cls, X: Any) -> SortedColumns:
        """Sort a dense or compressed table, several features at a time."""
        n, d = X.shape
        table = X.tocsc(copy=True) if hasattr(X, "tocsc") else X
        if table is not X:
            table.eliminate_zeros()

        def sort(features: slice) -> list[tuple[Indices, Vector]]:
            return [_sorted(table, j) for j in range(features.start, features.stop)]

        parts = [pair for some in in_parts(d, sort) for pair in some]
        order = np.concatenate([rows for rows, _ in parts])
        values = np.concatenate([ordered for _, ordered in parts])
        sizes = [len(rows) for rows, _ in parts]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        known = starts[1:] - [np.isnan(ordered).sum() for _, ordered in parts]
        below = [np.searchsorted(ordered, 0.0) for _, ordered in parts]
        stored = np.array(sizes) == n
        zeros = np.where(stored, -1, starts[:-1] + below).astype(np.int64)
        ends = np.ones(len(values), dtype=np.bool_)
        ends[:-1] = values[1:] != values[:-1]
        return cls(order, values, starts, known.astype(np.int64), zeros, ends, n)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.known)

    def threshold(self, feature: int, cut: int) -> float:
        """Return the number halfway between the values on both sides of a cut."""
        place, behind_value = divmod(cut, 2)
        zero, stop = self.zeros[feature], self.known[feature]
        low = float(self.values[place]) if behind_value else 0.0
        after = place + behind_value
        if behind_value and after == zero:
            high = 0.0
        elif after < stop:
            high = float(self.values[after])
        else:
            return np.inf
        middle = 0.5 * low + 0.5 * high
        return middle if low <= middle < high else low

    def sides(
        self,
        feature: int,
        cut: int,
        codes: Indices,
        weights: Vector,
        shape: tuple[int, int],
        *,
        missing_left: bool,
    ) -> tuple[Mask, Matrix]:
        """Return which rows lie before a cut, and the weights of classes by side."""
        place, behind_value = divmod(cut, 2)
        after, zero = place + behind_value, self.zeros[feature]
        zeros_left = bool(zero >= 0 and (after > zero or not behind_value))
        stop = self.starts[feature + 1]
        places = np.array([self.starts[feature], after, self.known[feature], stop])
        left, sums = np.empty(self.n_rows, dtype=np.bool_), np.zeros(shape)
        asked = np.array([zeros_left, missing_left])
        mark_sides(self.order, places, asked, codes, weights, left, sums)
        return left, sums


def _sorted(table: Any, j: int) -> tuple[Indices, Vector]:
    if hasattr(table, "indptr"):
        places = slice(table.indptr[j], table.indptr[j + 1])
        rows, values = table.indices[places], table.data[places]
        order = np.argsort(values)
        return rows[order].astype(np.uint32), values[order]
    column = np.ascontiguousarray(table[:, j])
    order = np.argsort(column)
    return order.astype(np.uint32), column[order]
