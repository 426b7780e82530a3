"""Rows to begin with: drawn by weight, by squared distance, or each the farthest.

Draws run along an order of the rows that depends on their values only. So the rows may
come in any order, and a row of weight 2 is two rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.random import RandomState

from infimum.compiled.clusters.few_rows import spread_few
from infimum.models.clustering.centres._dense_assignment import DenseRows
from infimum.models.clustering.centres._sparse_assignment import SparseRows
from infimum.typing import Indices, Vector

__all__ = ["draw_rows", "farthest_rows", "spread_rows", "trials_for"]

#: Proposals measured at once.
PROPOSALS = 128
#: Entries of a table on which one loop is done before matrices have been laid out.
FEW = 2**16
Rows = DenseRows | SparseRows


def trials_for(k: int) -> int:
    """Return how many candidates each centre is the best of."""
    return 2 + int(math.log(k))


def spread_rows(rows: Rows, k: int, draw: RandomState, trials: int) -> Indices:
    """Return k rows, each drawn with odds by squared distance to those before.

    Each is the best of several such draws: it leaves the least sum of squares.
    """
    if isinstance(rows, DenseRows) and rows.n * rows.d <= FEW:
        return _spread_few(rows, k, draw, trials)
    search = _Spread(rows, k, draw, trials)
    search.begin()
    while len(search.chosen) < k and search.propose():
        search.consume()
    return search.finish()


def draw_rows(rows: Rows, k: int, draw: RandomState) -> Indices:
    """Return k rows at different places, drawn by weight."""
    order = rows.order
    chosen: list[int] = []
    left = _weights(rows)
    while len(chosen) < k:
        if not left.any():
            return _fill(chosen, order, k)
        chosen.append(int(_pick(order, left, draw.uniform(size=1))[0]))
        left = np.where(rows.measure(np.array(chosen[-1:]))[0] <= 0.0, 0.0, left)
    return np.array(chosen)


def farthest_rows(rows: Rows, k: int, draw: RandomState) -> Indices:
    """Return k rows: any, and then always the one farthest from those before."""
    order = rows.order
    chosen = [int(_pick(order, _weights(rows), draw.uniform(size=1))[0])]
    nearest = rows.measure(np.array(chosen))[0]
    while len(chosen) < k:
        row = int(order[np.argmax(nearest[order])])
        if nearest[row] <= 0.0:
            return _fill(chosen, order, k)
        chosen.append(row)
        np.minimum(nearest, rows.measure(np.array([row]))[0], out=nearest)
    return np.array(chosen)


@dataclass
class _Spread:
    """k-means++ that measures many proposals at once.

    Odds only fall as centres are added. So a row drawn by the odds of a while ago, and
    kept with the probability (odds now) / (odds then), is a draw by the odds of now:
    proposals of many steps can share one product of matrices. Of each proposal only
    the rows are kept that are nearer to it than to all centres, which are few.
    """

    rows: Rows
    k: int
    draw: RandomState
    trials: int
    chosen: list[int] = field(default_factory=list)
    waiting: list[tuple[int, Indices, Vector]] = field(default_factory=list)

    def begin(self) -> None:
        """Choose the first row, by weight."""
        self.order = self.rows.order
        self.weights = _weights(self.rows)
        name = int(_pick(self.order, self.weights, self.draw.uniform(size=1))[0])
        self.nearest = self.rows.measure(np.array([name]))[0]
        self.chosen.append(name)

    def propose(self) -> bool:
        """Draw and measure proposals; tell whether any row is away from all centres."""
        odds = self.weights * self.nearest
        if not odds.any():
            return False
        count = _at_once(self.trials, len(self.chosen), self.k)
        self.names = _pick(self.order, odds, self.draw.uniform(size=count))
        self.then = self.nearest[self.names].astype(np.float64)
        self.ends, self.near, self.squares = self.rows.nearer(self.names, self.nearest)
        self.coins = self.draw.uniform(size=count)
        return True

    def consume(self) -> None:
        """Take proposals by the odds of now; choose the best of each few."""
        for place, name in enumerate(self.names):
            if self.coins[place] * self.then[place] >= self.nearest[name]:
                continue
            found = slice(self.ends[place - 1] if place else 0, self.ends[place])
            self.waiting.append((int(name), self.near[found], self.squares[found]))
            if len(self.waiting) == self.trials:
                self._choose()
            if len(self.chosen) == self.k:
                return

    def finish(self) -> Indices:
        """Return the rows chosen; copies of them if there are too few places."""
        return _fill(self.chosen, self.order, self.k)

    def _choose(self) -> None:
        """Make a centre of the candidate that lowers the sum of squares most."""
        gains = [self._gain(rows, squares) for _, rows, squares in self.waiting]
        name, rows, squares = self.waiting[int(np.argmax(gains))]
        self.nearest[rows] = np.minimum(self.nearest[rows], squares)
        self.chosen.append(name)
        self.waiting = []

    def _gain(self, rows: Indices, squares: Vector) -> float:
        lower = np.maximum(self.nearest[rows] - squares, 0.0)
        return float(lower @ self.weights[rows])


def _spread_few(rows: DenseRows, k: int, draw: RandomState, trials: int) -> Indices:
    """Return the same by one loop, which measures each proposal in its turn."""
    order, inner = rows.order, rows.inner
    first = int(_pick(order, _weights(rows), draw.uniform(size=1))[0])
    nearest = np.sum((inner - inner[first]) ** 2, axis=1)
    chosen, counts = np.full(k, first, np.intp), np.array([1, 0])
    waiting, away = np.empty(trials, np.intp), bool(nearest.any())
    while away and counts[0] < k:
        count = _at_once(trials, int(counts[0]), k)
        draws = draw.uniform(size=(2, count))
        away = spread_few(
            inner, rows.weights, order, nearest, draws, waiting, chosen, counts
        )
    return _fill(chosen[: counts[0]].tolist(), order, k)


def _at_once(trials: int, chosen: int, k: int) -> int:
    """Return how many proposals are drawn by the odds of one moment."""
    return trials * min(max(1, PROPOSALS // trials), max(1, chosen // 4), k - chosen)


def _weights(rows: Rows) -> Vector:
    return rows.weights if rows.weights.size else np.ones(rows.n)


def _pick(order: Indices, odds: Vector, levels: Vector) -> Indices:
    """Return the rows in which the summed odds reach shares `levels` of their total."""
    summed = np.cumsum(odds[order], dtype=np.float64)
    places = np.searchsorted(summed, levels * summed[-1], side="right")
    return np.asarray(order[np.minimum(places, len(order) - 1)])


def _fill(chosen: list[int], order: Indices, k: int) -> Indices:
    spare = order[~np.isin(order, chosen)][: k - len(chosen)]
    return np.concatenate([np.array(chosen, dtype=np.intp), spare])
