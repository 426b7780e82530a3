"""Lloyd's iteration: assign rows to the nearest centre, then average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import RandomState

from infimum.compiled.clusters.few_rows import descend_few
from infimum.limits import in_time
from infimum.models.clustering.centres._dense_assignment import Assignment, DenseRows
from infimum.models.clustering.centres._sparse_assignment import SparseRows
from infimum.typing import Indices, Matrix, Vector

__all__ = ["EmptyCluster", "Lloyd", "Run", "rows_of", "weigh"]

#: Sums are kept up by what moved, and computed again after so many iterations.
AFRESH = 16
#: Multiplications of a pass that one loop does before Python has called the next.
FEW = 2**20
Rows = DenseRows | SparseRows


class EmptyCluster(Exception):  # noqa: N818 - it is news, not an error
    """A centre lost all its rows, and the rule is to start again."""


@dataclass(frozen=True)
class Run:
    """Where one descent ended; coordinates are those of the table."""

    labels: Indices
    centres: Matrix
    inertia: float
    history: Vector
    n_iter: int
    settled: bool


def rows_of(X: Any, weights: Vector | None = None) -> Rows:
    """Return the rows of a table, dense or sparse."""
    dense = isinstance(X, np.ndarray)
    return DenseRows(X, weights) if dense else SparseRows(X, weights)


def weigh(rows: Rows, values: Vector) -> float:
    """Return the weighted sum of one value per row."""
    return float(values @ rows.weights if rows.weights.size else values.sum())


@dataclass(frozen=True)
class Lloyd:
    """Lloyd's iteration with its budget and its rule for empty clusters.

    Parameters
    ----------
    max_iter : int
    tol : float
        Stop when the squared shifts of the centres sum to this share of the mean
        variance of the columns.
    empty : {"farthest", "random", "restart"}
        What becomes of a centre without rows: it moves to the row farthest from its
        own centre, or to any row, or `EmptyCluster` is raised.
    """

    max_iter: int = 300
    tol: float = 1e-4
    empty: str = "farthest"

    def descend(self, rows: Rows, start: Matrix, draw: RandomState) -> Run:
        """Descend from the centres `start` (of the table) to where nothing moves."""
        k, centres = len(start), rows.inward(start)
        total = weigh(rows, rows.squares)
        enough = self.tol * self._variance(rows, total)
        if isinstance(rows, DenseRows) and rows.n * rows.d * k <= FEW:
            run = self._in_one_loop(rows, centres, total, enough)
            if run is not None:
                return run
        found = Assignment.blank(rows.n)
        history: list[float] = []
        moves: Matrix | None = None
        sums: Matrix = np.zeros((k, rows.d))
        mass: Vector = np.zeros(k)
        settled, step = False, 0
        for step in in_time(range(1, self.max_iter + 1)):
            told = rows.assign(found, centres, moves)
            settled = step > 1 and not any(len(rows) for rows, _ in told)
            if settled:
                break
            if step % AFRESH == 1:
                sums, mass = rows.sums(found.labels, k)
            else:
                sums, mass = rows.update(told, found.labels, sums, mass)
            means, heights = self._means(rows, found, centres, (sums, mass, draw))
            history.append(max(0.0, total - heights) * rows.unit**2)
            shifts = np.sqrt(np.sum((means - centres) ** 2, axis=1))
            centres, moves = means, _moves(means, shifts)
            if float(shifts @ shifts) <= enough:
                break
        if not settled:
            rows.assign(found, centres, moves)
        inertia = weigh(rows, rows.distances(found.labels, centres)) * rows.unit**2
        history.append(inertia)
        return Run(
            found.labels,
            rows.outward(centres),
            inertia,
            np.array(history),
            step,
            settled,
        )

    def _in_one_loop(
        self, rows: DenseRows, centres: Matrix, total: float, enough: float
    ) -> Run | None:
        """Descend on a small table; return None if a centre lost all its rows."""
        labels, heights = np.zeros(rows.n, np.int32), np.zeros(self.max_iter)
        across = np.array(centres.T, order="C")
        steps, settled = descend_few(
            rows.inner, rows.weights, across, labels, heights, enough
        )
        if not steps:
            return None
        moves = np.maximum(0.0, total - heights[: steps - settled]) * rows.unit**2
        centres = np.ascontiguousarray(across.T)
        inertia = weigh(rows, rows.distances(labels, centres)) * rows.unit**2
        history = np.append(moves, inertia)
        return Run(labels, rows.outward(centres), inertia, history, steps, settled)

    def _variance(self, rows: Rows, total: float) -> float:
        weight = float(rows.weights.sum()) if rows.weights.size else float(rows.n)
        if isinstance(rows, DenseRows):
            return float(total / weight / rows.d)
        weights = rows.weights if rows.weights.size else np.ones(rows.n)
        mean = np.asarray(weights @ rows.X) / weight
        return float(max(0.0, total / weight - mean @ mean) / rows.d)

    def _means(
        self,
        rows: Rows,
        found: Assignment,
        centres: Matrix,
        state: tuple[Matrix, Vector, RandomState],
    ) -> tuple[Matrix, float]:
        """Return the new centres, and by how much they lower the sum of squares."""
        sums, mass, draw = state
        empty = np.flatnonzero(mass <= 0.0)
        if empty.size:
            sums, mass = self._refill(rows, found, centres, (sums, mass, draw))
        means = np.where(
            (mass > 0.0)[:, None], sums / np.maximum(mass, 1e-300)[:, None], centres
        )
        return means, float(np.sum(mass[:, None] * means**2))

    def _refill(
        self,
        rows: Rows,
        found: Assignment,
        centres: Matrix,
        state: tuple[Matrix, Vector, RandomState],
    ) -> tuple[Matrix, Vector]:
        """Give each empty centre a row of its own, taken out of that row's cluster.

        A row alone is at its centre, so the objective does not rise.
        """
        if self.empty == "restart":
            raise EmptyCluster
        sums, mass, draw = state[0].copy(), state[1].copy(), state[2]
        apart = rows.distances(found.labels, centres)
        order = np.argsort(-apart, kind="stable")
        if self.empty == "random":
            order = draw.permutation(rows.n)
        taken = 0
        for label in np.flatnonzero(mass <= 0.0):
            while taken < rows.n and apart[order[taken]] <= 0.0:
                taken += 1
            if taken == rows.n:  # every row is at a centre: fewer places than clusters
                break
            row = order[taken]
            taken += 1
            weight = float(rows.weights[row]) if rows.weights.size else 1.0
            point, old = rows.points(np.array([row]))[0], found.labels[row]
            if mass[old] <= weight * (1.0 + 1e-12):
                continue
            sums[old] -= weight * point
            mass[old] -= weight
            sums[label], mass[label] = weight * point, weight
        return sums, mass


def _moves(centres: Matrix, shifts: Vector) -> Matrix:
    """Return each centre's shift, that of the others, half the way to the nearest."""
    k = len(centres)
    moves = np.zeros((3, k))
    moves[0] = shifts * (1.0 + 2.0**-40)
    if k == 1:
        moves[1:] = [[-np.inf], [np.inf]]
        return moves
    first, second = np.sort(moves[0])[::-1][:2]
    moves[1] = np.where(np.arange(k) == int(np.argmax(moves[0])), second, first)
    norms = np.einsum("ij,ij->i", centres, centres)
    squares = norms[:, None] + norms - 2.0 * (centres @ centres.T)
    squares -= (centres.shape[1] + 4) * 2.0**-50 * (norms[:, None] + norms)
    np.fill_diagonal(squares, np.inf)
    moves[2] = 0.5 * np.sqrt(np.maximum(squares.min(axis=1), 0.0)) * (1.0 - 2.0**-40)
    return moves
