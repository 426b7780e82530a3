"""Predictions from likeness: a weighted mean of how far known ratings are off."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.models.recommend._recommender import Recommender
from infimum.models.recommend.ratings import Ratings
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Neighborhood", "baselines", "deviations", "unit_rows"]


class Neighborhood(Recommender):
    """A baseline and a mean of how far off the ratings of what is alike are.

    A subclass tells the baseline of pairs (`_baseline`) and who is how like whom, with
    their deviations (`_neighbors`).
    """

    n_neighbors: int
    shrinkage: float

    def _scores(self, rows: Indices) -> Matrix:
        every = np.arange(len(self.items_))
        return np.array([self._of_user(int(row), every) for row in rows])

    def _pairs(self, rows: Indices, columns: Indices) -> Vector:
        out = np.empty(len(rows))
        for row in np.unique(rows):
            at = rows == row
            out[at] = self._of_user(int(row), columns[at])
        return out

    def _of_user(self, row: int, columns: Indices) -> Vector:
        likeness, moved, _ = self._neighbors(row, columns)
        made = self._baseline(row, columns)
        for k, each in enumerate(likeness):
            near, shares = self._nearest(each)
            made[k] += shares @ (moved if moved.ndim == 1 else moved[k])[near]
        return made

    def _nearest(self, likeness: Vector) -> tuple[Indices, Vector]:
        """Return the most alike, with likeness over its sum plus the shrinkage."""
        near = np.argsort(-likeness, kind="stable")[: self.n_neighbors]
        near = near[likeness[near] > 0.0]
        total = likeness[near].sum() + float(self.shrinkage) + 1e-300
        return near, likeness[near] / total

    def _parts(self, row: int, column: int) -> tuple[float, Indices, Vector]:
        columns = np.array([column])
        likeness, moved, places = self._neighbors(row, columns)
        near, shares = self._nearest(likeness[0])
        parts = shares * (moved if moved.ndim == 1 else moved[0])[near]
        return float(self._baseline(row, columns)[0]), places[near], parts

    def _baseline(self, row: int, columns: Indices) -> Vector:
        raise NotImplementedError

    def _neighbors(self, row: int, columns: Indices) -> tuple[Matrix, Any, Indices]:
        raise NotImplementedError


def baselines(ratings: Ratings, damping: float) -> tuple[float, Vector, Vector]:
    """Return the mean, and how far users and items are off it, drawn towards 0.

    An offset is a sum over its ratings divided by their number plus `damping`: first
    those of items, then those of users for what is left.
    """
    rows, columns, values = ratings.entries
    weights = ratings.weights
    n, m = ratings.matrix.shape
    mean = float(np.average(values, weights=weights))
    left = values - mean
    items: Any = np.bincount(columns, weights * left, minlength=m)
    items = items / (np.bincount(columns, weights, minlength=m) + damping + 1e-300)
    left = left - items[columns]
    users: Any = np.bincount(rows, weights * left, minlength=n)
    users = users / (np.bincount(rows, weights, minlength=n) + damping + 1e-300)
    return mean, np.asarray(users), np.asarray(items)


def deviations(ratings: Ratings, base: tuple[float, Vector, Vector]) -> Any:
    """Return the ratings less their baselines, sparse; a 0 among them is stored."""
    rows, columns, values = ratings.entries
    left = values - base[0] - base[1][rows] - base[2][columns]
    X = ratings.matrix
    return sparse.csr_array((left, X.indices, X.indptr), X.shape)


def unit_rows(X: Any) -> Any:
    """Return sparse rows scaled to length 1; a row of zeros stays one."""
    X = sparse.csr_array(X, dtype=np.float64)
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    scales = sparse.diags_array(1.0 / np.where(lengths > 0, lengths, 1.0))
    return sparse.csr_array(scales @ X)
