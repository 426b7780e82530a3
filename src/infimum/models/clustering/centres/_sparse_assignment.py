"""Rows of a sparse table as k-means sees them; only centres are dense."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.clusters.centre_bounds import find_doubtful_sparse
from infimum.compiled.clusters.sparse_clusters import settle_sparse, sum_sparse
from infimum.compiled.clusters.two_nearest import Found
from infimum.compiled.rows import rows_of
from infimum.errors import DataError
from infimum.models.clustering.centres._dense_assignment import (
    LARGEST,
    Assignment,
    directions,
    on_cores,
    parts_for,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["SparseRows"]


class SparseRows:
    """A compressed table; coordinates are those of the table itself."""

    unit = 1.0

    def __init__(self, X: Any, weights: Vector | None = None) -> None:
        self.X = sparse.csr_array(X)
        self.rows: Any = rows_of(self.X)
        self.n, self.d = self.X.shape
        self.weights = np.empty(0) if weights is None else weights
        largest = float(np.abs(self.X.data).max(initial=0.0))
        if largest >= LARGEST:
            raise DataError(
                f"The samples have entries up to {largest:.0e}, too much for squared "
                f"distances: scale the features."
            )
        self.squares = _square_lengths(self.X)

    def inward(self, points: Matrix) -> Matrix:
        """Return the points themselves."""
        return np.asarray(points, dtype=np.float64)

    def outward(self, points: Matrix) -> Matrix:
        """Return the points themselves."""
        return points

    def points(self, rows: Indices) -> Matrix:
        """Return some rows, dense."""
        return self.inward(self.X[np.asarray(rows)].toarray())

    def assign(
        self, found: Assignment, centres: Matrix, moves: Matrix | None = None
    ) -> list[tuple[Indices, Indices]]:
        """Find the nearest of the centres for every row that may need it."""
        turned = np.ascontiguousarray(centres.T)
        norms = np.einsum("ij,ij->i", centres, centres)
        kept = Found(found.labels, found.upper, found.lower)

        def work(rows: slice) -> tuple[Indices, Indices]:
            asked = np.arange(rows.start, rows.stop)
            if moves is not None:
                asked = find_doubtful_sparse(
                    rows.start,
                    found.labels[rows],
                    moves,
                    found.upper[rows],
                    found.lower[rows],
                )
            before = found.labels[asked]
            settle_sparse(self.rows, asked, self.squares, turned, norms, kept)
            moved = found.labels[asked] != before
            return asked[moved], before[moved]

        return on_cores(self.n, work, parts_for(self.n, len(centres)))

    def sums(self, labels: Indices, k: int) -> tuple[Matrix, Vector]:
        """Return the sum of the rows of each label, and their weight."""
        sums, mass = np.zeros((k, self.d)), np.zeros(k)
        sum_sparse(self.rows, self.weights, labels, sums, mass)
        return sums, mass

    def update(
        self,
        told: list[tuple[Indices, Indices]],
        labels: Indices,
        sums: Matrix,
        mass: Vector,
    ) -> tuple[Matrix, Vector]:
        """Return the sums and weights: cheap enough to be computed again."""
        return self.sums(labels, len(mass))

    @property
    def order(self) -> Indices:
        """An order of the rows that depends on their values only."""
        return np.argsort(self.X @ directions(self.d), kind="stable")

    def measure(self, names: Indices) -> Matrix:
        """Return the squared distances from some rows to all."""
        points = self.X[np.asarray(names)].toarray().astype(np.float64)
        out = self.squares[names][:, None] + self.squares - 2.0 * (self.X @ points.T).T
        out[out <= 2.0**-40 * self.squares] = 0.0  # copies, but for rounding
        return np.asarray(out)

    def nearer(
        self, names: Indices, nearest: Vector
    ) -> tuple[Indices, Indices, Vector]:
        """Return which rows are nearer to each of some rows than `nearest`."""
        found = []
        for name in names:
            far = self.measure(np.array([name]))[0]
            near = np.flatnonzero(far < nearest)
            found.append((near, far[near]))
        ends = np.cumsum([len(near) for near, _ in found])
        rows, squares = zip(*found, strict=True)
        return ends, np.concatenate(rows), np.concatenate(squares)

    def distances(self, labels: Indices, centres: Matrix) -> Vector:
        """Return the squared distance of each row to its centre."""
        out = np.empty(self.n)
        norms = np.einsum("ij,ij->i", centres, centres)
        for label in np.unique(labels):
            rows = np.flatnonzero(labels == label)
            along = self.X[rows] @ centres[label]
            out[rows] = self.squares[rows] + (norms[label] - 2.0 * along)
        return np.maximum(out, 0.0)


def _square_lengths(X: Any) -> Vector:
    squared = X.data.astype(np.float64) ** 2
    return np.asarray(
        sparse.csr_array((squared, X.indices, X.indptr), X.shape).sum(axis=1)
    )
