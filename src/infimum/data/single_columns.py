"""How well each single column predicts the target, cross-validated."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import rankdata

from infimum.typing import Indices, Vector

__all__ = ["Judge", "cells_of"]

_FOLDS = 5
#: Numbers are cut into so many cells of equally many rows, at least so many a cell.
_CELLS, _ROWS_A_CELL = 200, 5
#: More cells times classes than this are not laid out in a table.
_LARGE = 200_000
#: Few different numbers are levels as they are.
_FEW = 20


class Judge:
    """Scores columns by what they tell about one target: 0 nothing, 1 everything.

    Every value (numbers: every cell of neighbouring values) is predicted by the most
    frequent class or the mean of the target among the rows of other folds that share
    it; numbers and dates also by the rows next to them, by a line, and in their order.
    The score is the share of errors, or of squared error (of values or of ranks), that
    the best of these saves beside the best constant.
    """

    def __init__(self, values: NDArray[Any], *, classes: bool, seed: int = 0) -> None:
        order = np.random.default_rng(seed).permutation(len(values))
        self.fold = np.empty(len(values), dtype=np.intp)
        self.fold[order] = np.arange(len(values)) % _FOLDS
        self.classes = classes
        if classes:
            self.truth = np.unique(values, return_inverse=True)[1]
        else:
            y = np.asarray(values, dtype=float)
            self.truth = (y - y.mean()) / (y.std() or 1.0)
            self.ranks = rankdata(y)

    def score(self, column: pl.Series) -> float:
        """Return the share of the error that knowing the column saves."""
        cells = cells_of(column)
        shared = self._score_classes if self.classes else self._score_means
        scores = [shared(cells)]
        if column.dtype.is_numeric() or column.dtype.is_temporal():
            x = _numbers(column)
            scores.append(self._score_neighbors(x))
            if not self.classes:
                scores += [self._score_line(x), self._score_order(x)]
        return max(scores)

    def _score_classes(self, cells: Indices) -> float:
        n_classes, n_cells = self.truth.max() + 1, cells.max() + 1
        shape = (_FOLDS, n_cells, n_classes)
        if n_cells * n_classes > _LARGE:
            return self._score_many_cells(cells)
        counts = np.bincount(
            np.ravel_multi_index((self.fold, cells, self.truth), shape),
            minlength=_FOLDS * n_cells * n_classes,
        ).reshape(shape)
        others = counts.sum(axis=0) - counts
        usual = others.sum(axis=1, keepdims=True)
        # A value that no other fold has met is predicted like a stranger.
        votes = np.where(others.any(axis=2, keepdims=True), others, usual)
        right = np.take_along_axis(counts, votes.argmax(axis=2)[..., None], 2).sum()
        blind = counts.sum(axis=(0, 1)).max()
        return float((right - blind) / max(len(cells) - blind, 1))

    def _score_many_cells(self, cells: Indices) -> float:
        """Score classes without a table of all cells and classes."""
        n_classes = int(self.truth.max()) + 1
        right = 0
        for fold in range(_FOLDS):
            others = self.fold != fold
            seen, counts = np.unique(
                cells[others] * n_classes + self.truth[others], return_counts=True
            )
            # Within a cell the most frequent class comes first, the first of equals.
            order = np.lexsort((seen, -counts, seen // n_classes))
            met, firsts = np.unique(seen[order] // n_classes, return_index=True)
            said = np.full(cells.max() + 1, np.bincount(self.truth[others]).argmax())
            said[met] = seen[order][firsts] % n_classes
            right += int((said[cells[~others]] == self.truth[~others]).sum())
        blind = np.bincount(self.truth).max()
        return float((right - blind) / max(len(cells) - blind, 1))

    def _score_means(self, cells: Indices) -> float:
        n_cells = cells.max() + 1
        place = self.fold * n_cells + cells
        size = _FOLDS * n_cells
        counts = np.bincount(place, minlength=size).reshape(_FOLDS, n_cells)
        sums = np.bincount(place, self.truth, size).reshape(_FOLDS, n_cells)
        seen = counts.sum(axis=0) - counts
        # The overall mean is 0, so a value never met is predicted by 0.
        means = (sums.sum(axis=0) - sums) / np.maximum(seen, 1)
        errors = (self.truth - means[self.fold, cells]) ** 2
        return float(1 - errors.mean())

    def _score_neighbors(self, x: Vector) -> float:
        """Predict every row by those just below and above: right up to the edges."""
        order = np.argsort(x, kind="stable")
        x, truth = x[order], self.truth[order]
        if self.classes:
            gaps = np.diff(x, prepend=-np.inf, append=np.inf)
            below = gaps[:-1] <= gaps[1:]
            said = np.where(below, np.roll(truth, 1), np.roll(truth, -1))
            blind = np.bincount(truth).max()
            return float(((said == truth).sum() - blind) / max(len(x) - blind, 1))
        said = (np.roll(truth, 1) + np.roll(truth, -1)) / 2
        said[0], said[-1] = truth[1], truth[-2]
        return float(1 - ((truth - said) ** 2).mean())

    def _score_line(self, x: Vector) -> float:
        spread = x.std()
        if not np.isfinite(spread) or not spread:
            return 0.0
        return float(np.mean((x - x.mean()) / spread * self.truth) ** 2)

    def _score_order(self, x: Vector) -> float:
        """Return the squared rank correlation: 1 for every growing function."""
        ranks, own = rankdata(x), self.ranks
        spread = ranks.std() * own.std()
        if not spread:
            return 0.0
        shared = np.mean((ranks - ranks.mean()) * (own - own.mean())) / spread
        return float(shared**2)


def cells_of(column: pl.Series) -> Indices:
    """Return the value of every row as a code from 0; missing is a value."""
    if not (column.dtype.is_numeric() or column.dtype.is_temporal()):
        return np.asarray(column.rank("dense").fill_null(0).to_numpy(), dtype=np.intp)
    x = _with_gaps(column)
    distinct, codes = np.unique(x, return_inverse=True)
    most = int(min(_CELLS, max(len(column) // _ROWS_A_CELL, 2)))
    return _cut(x, most) if len(distinct) > max(_FEW, most) else codes


def _numbers(column: pl.Series) -> Vector:
    """Return numbers or moments, the mean where missing."""
    x = _with_gaps(column)
    known = np.isfinite(x)
    return np.where(known, x, x[known].mean() if known.any() else 0.0)


def _with_gaps(column: pl.Series) -> Vector:
    """Return numbers or moments, NaN where missing."""
    if column.dtype.is_temporal():
        column = column.cast(pl.Datetime("us")).cast(pl.Int64)
    return np.asarray(column.to_numpy(), dtype=float)


def _cut(x: Vector, most: int) -> Indices:
    known = np.isfinite(x)
    inner = np.unique(np.quantile(x[known], np.linspace(0, 1, most + 1)[1:-1]))
    cells = np.searchsorted(inner, np.where(known, x, 0.0), side="right") + 1
    return np.where(known, cells, 0)
