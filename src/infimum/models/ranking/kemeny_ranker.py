"""Kemeny's ranking: the order that contradicts the fewest comparisons."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._ranker import Ranker
from infimum.models.ranking.comparisons import accept_comparisons
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Indices, Matrix

__all__ = ["KemenyRanker", "violations"]

#: Items up to which all 2ⁿ sets are tried.
LARGEST = 16


class KemenyRanker(Ranker):
    """The order with the fewest violated comparisons, and a bound on what is possible.

    It is the order of least empirical risk, and the likeliest one if each answer is
    wrong with the same probability. Up to 16 items it is exact, by dynamic programming
    over sets. Beyond, items are moved as long as that helps, and disjoint cycles, each
    of which any order must break, bound the violations from below.

    Parameters
    ----------
    exact_items : int, default=16
        Items up to which the exact method is used, 20 at most.

    Attributes
    ----------
    items_, scores_, order_, ranking_
        Scores are minus the ranks.
    violations_ : float
        The weight of comparisons against the order; a tie is half of one either way.
    lower_bound_ : float
        No order violates less.

    Examples
    --------
    >>> model = KemenyRanker().fit([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")])
    >>> model.ranking_, model.violations_, model.lower_bound_
    (['a', 'b', 'c'], 1.0, 1.0)
    """

    _domains: ClassVar[Domains] = {
        "exact_items": whole(0, 20),
    }

    def __init__(self, *, exact_items: int = LARGEST) -> None:
        self.exact_items = exact_items

    @whole_or_not_at_all
    def fit(self, games: Any, sample_weight: Any = None) -> Self:
        """Find the order; return self. Games are as in `BradleyTerryRanker.fit`."""
        check_parameters(self)
        given = accept_comparisons("KemenyRanker", games, sample_weight)
        W = given.matrix()
        exact = len(W) <= int(self.exact_items)
        order = _best_order(W) if exact else _local_order(W)
        self.items_ = list(given.items)
        self.scores_ = -np.argsort(order).astype(np.float64)
        self.violations_ = violations(W, order)
        self.lower_bound_ = self.violations_ if exact else _cycle_bound(W)
        return self


def violations(wins: Any, order: Any) -> float:
    """Return the weight of comparisons that an order contradicts.

    Parameters
    ----------
    wins : array-like of shape (n_items, n_items)
        How often i beat j.
    order : array-like of shape (n_items,)
        Items, the best first.

    Examples
    --------
    >>> violations([[0, 2], [1, 0]], [0, 1])
    1.0
    """
    W, at = np.asarray(wins, dtype=np.float64), np.asarray(order, dtype=np.intp)
    return float(np.tril(W[np.ix_(at, at)], -1).sum())


def _best_order(W: Matrix) -> Indices:
    """Place items one after another: the cost of the next depends on the set so far."""
    n = len(W)
    size = 1 << n
    # What item i costs when all of a set come before it: its wins against them.
    cost = np.zeros((n, size))
    for j in range(n):
        low = 1 << j
        cost[:, low : 2 * low] = cost[:, :low] + W[:, j][:, None]
    best, last = np.full(size, np.inf), np.full(size, -1, dtype=np.int8)
    best[0] = 0.0
    counts = np.array([bin(mask).count("1") for mask in range(size)], dtype=np.int8)
    by_size = [np.flatnonzero(counts == k) for k in range(n)]
    for masks in by_size:
        for i in range(n):
            free = masks[(masks >> i) & 1 == 0]
            after = free | (1 << i)
            value = best[free] + cost[i, free]
            better = value < best[after]
            best[after[better]], last[after[better]] = value[better], i
    order, mask = [], size - 1
    while mask:
        order.append(int(last[mask]))
        mask &= ~(1 << order[-1])
    return np.array(order[::-1], dtype=np.intp)


def _local_order(W: Matrix) -> Indices:
    """Move single items to their best places until none helps."""
    order = list(np.argsort(-(W.sum(axis=1) - W.sum(axis=0)), kind="stable"))
    margins = W - W.T
    improved = True
    while improved:
        improved = False
        for item in list(order):
            at = order.index(item)
            rest = [other for other in order if other != item]
            # Standing at place k: beaten by those after, beating those before.
            gains = np.concatenate([[0.0], np.cumsum(margins[item, rest])])
            best = int(np.argmin(gains))
            if gains[best] < gains[at] - 1e-12:
                rest.insert(best, item)
                order, improved = rest, True
    return np.array(order, dtype=np.intp)


def _cycle_bound(W: Matrix) -> float:
    """Sum what disjoint cycles of two and of three items force on any order."""
    bound = float(np.minimum(W, W.T).sum()) / 2.0
    left = np.maximum(W - W.T, 0.0)
    for i in range(len(W)):
        for j in np.flatnonzero(left[i] > 0):
            thirds = np.flatnonzero((left[j] > 0) & (left[:, i] > 0))
            for k in thirds:
                least = min(left[i, j], left[j, k], left[k, i])
                if least > 0:
                    bound += least
                    left[i, j] -= least
                    left[j, k] -= least
                    left[k, i] -= least
    return bound
