"""Comparisons: pairs of items and who won, counted once for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from infimum.errors import DataError
from infimum.models.ranking._reading import (
    are_numbers,
    coded,
    columns_of,
    names_of,
    numbered,
    outcomes_of,
    weights_of,
    width_of,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Comparisons", "accept_comparisons", "decode_pairs", "encode_pairs"]

#: Pairs from which on chains of wins are looked for by a few sweeps first.
MANY, SWEEPS = 2_000, 20
#: The kind of a game that its left item won; 0 is a loss, 1 a tie.
WIN = 2


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Counts of wins, losses and ties of each left item against each right one.

    Attributes
    ----------
    items : list
        Names, in the order of their numbers.
    left, right : ndarray of shape (n_pairs,)
        Numbers of the items of a pair; each ordered pair occurs once.
    wins, losses, ties : ndarray of shape (n_pairs,)
        How often the left item won, lost and tied, or the weight of that.

    Examples
    --------
    >>> games = Comparisons.of([("ann", "bob"), ("bob", "cid"), ("ann", "bob")])
    >>> games.items, games.matrix().tolist()
    (['ann', 'bob', 'cid'], [[0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    """

    items: list[Any]
    left: Indices
    right: Indices
    wins: Vector
    losses: Vector
    ties: Vector

    @classmethod
    def of(
        cls,
        pairs: Any,
        sample_weight: Any = None,
        items: Sequence[Any] | None = None,
        *,
        unordered: bool = False,
    ) -> Comparisons:
        """Count pairs (winner, loser), of names or numbers.

        With `unordered` the lower number of a pair stands on the left.
        """
        if items is None and are_numbers(pairs):
            known, (i, j) = coded(np.ascontiguousarray(pairs.T))
            return cls._of_codes(known, i, j, None, sample_weight, unordered=unordered)
        one, other = columns_of(pairs, 2)
        return cls.of_columns(
            one, other, None, sample_weight, items, unordered=unordered
        )

    @classmethod
    def of_columns(
        cls,
        left: Any,
        right: Any,
        outcome: Any = None,
        sample_weight: Any = None,
        items: Sequence[Any] | None = None,
        *,
        unordered: bool = False,
    ) -> Comparisons:
        """Count games given by columns.

        Outcomes are 1 if the left item won, 0 if the right one did, 0.5 for a tie; or
        the words win, loss, tie; or the name of the winner. None: the left one won.
        """
        one, other = names_of(left), names_of(right)
        if len(one) != len(other):
            raise DataError(
                f"Comparisons: {len(one)} left items and {len(other)} right ones."
            )
        if not one:
            raise DataError("Comparisons need a game.")
        results = outcomes_of(outcome, one, other)
        known, place = numbered(one, other, items)
        i = np.array([place[name] for name in one], dtype=np.intp)
        j = np.array([place[name] for name in other], dtype=np.intp)
        return cls._of_codes(known, i, j, results, sample_weight, unordered=unordered)

    @classmethod
    def _of_codes(
        cls,
        known: list[Any],
        i: Any,
        j: Any,
        results: Vector | None,
        sample_weight: Any,
        *,
        unordered: bool,
    ) -> Comparisons:
        same = i == j
        if same.any():
            name = known[int(i[same][0])]
            raise DataError(f"Comparisons: {name!r} is compared with itself.")
        kinds = WIN if results is None else (2.0 * results).astype(np.int64)
        if unordered:
            kinds = np.where(i > j, WIN - kinds, kinds)
            i, j = np.minimum(i, j), np.maximum(i, j)
        return cls._merged(known, i, j, kinds, weights_of(sample_weight, len(i)))

    @classmethod
    def of_matrix(cls, wins: Any, items: Sequence[Any] | None = None) -> Comparisons:
        """Read a matrix whose entry (i, j) counts how often i beat j."""
        W = np.asarray(wins, dtype=np.float64)
        if W.ndim != 2 or W.shape[0] != W.shape[1]:  # noqa: PLR2004
            raise DataError(f"Comparisons: wins must be square, got shape {W.shape}.")
        if not np.isfinite(W).all() or W.min(initial=0.0) < 0:
            raise DataError("Comparisons: counts must be finite and not negative.")
        if np.diag(W).any():
            raise DataError("Comparisons: an item is compared with itself.")
        names = list(range(len(W))) if items is None else list(items)
        if len(names) != len(W):
            raise DataError(f"Comparisons: {len(names)} names for {len(W)} items.")
        i, j = np.nonzero(W)
        if not len(i):
            raise DataError("Comparisons need a game.")
        return cls._merged(names, i, j, WIN, W[i, j])

    @classmethod
    def _merged(
        cls, items: list[Any], i: Indices, j: Indices, kinds: Any, weights: Any
    ) -> Comparisons:
        n = len(items)
        games = ((i * n + j) << 2) + kinds  # 0 a loss, 1 a tie, 2 a win of the left
        if weights is None:
            games.sort()
            starts = _rises(games)
            codes, counts = games[starts], np.diff(starts, append=len(games))
        else:
            codes, places = np.unique(games, return_inverse=True)
            counts = np.bincount(places, weights, minlength=len(codes))
        pairs = codes >> 2
        first = _rises(pairs)
        row = np.repeat(np.arange(len(first)), np.diff(first, append=len(pairs)))
        table = np.zeros((3, len(first)))
        table[codes & 3, row] = counts
        pairs = pairs[first]
        own = np.diff(np.searchsorted(pairs, n * np.arange(n + 1)))
        left = np.repeat(np.arange(n), own)
        return cls(items, left, pairs - n * left, table[2], table[0], table[1])

    @property
    def total(self) -> float:
        """The number of games."""
        return float((self.wins + self.losses + self.ties).sum())

    def matrix(self) -> Matrix:
        """Return how often each item beat each other one; a tie is half a win."""
        n = len(self.items)
        W = np.zeros((n, n))
        np.add.at(W, (self.left, self.right), self.wins + 0.5 * self.ties)
        np.add.at(W, (self.right, self.left), self.losses + 0.5 * self.ties)
        return W

    def signs(self) -> Matrix:
        """Return 1 where i beat j more often than the reverse, -1 where less, or 0."""
        W = self.matrix()
        return np.sign(W - W.T)

    def unordered(self) -> Comparisons:
        """Return the same games, each pair with its lower number on the left."""
        swap = self.left > self.right
        left = np.where(swap, self.right, self.left)
        right = np.where(swap, self.left, self.right)
        wins = np.where(swap, self.losses, self.wins)
        losses = np.where(swap, self.wins, self.losses)
        keys, places = np.unique(left * len(self.items) + right, return_inverse=True)
        counts: list[Any] = [
            np.bincount(places, count, minlength=len(keys))
            for count in (wins, losses, self.ties)
        ]
        first, second = np.divmod(keys, len(self.items))
        return Comparisons(self.items, first, second, *counts)

    def _all_reached(self) -> bool:
        """Tell whether a few sweeps over a large league find all chains of wins."""
        if len(self.left) < MANY:
            return False
        from infimum.compiled.graphs.compared_pairs import all_reached

        up, down = self.wins + self.ties, self.losses + self.ties
        return all_reached(self.left, self.right, up, down, len(self.items), SWEEPS)

    def obstacle(self) -> str | None:
        """Tell why no finite scores are likeliest; None if there are such.

        They are finite if and only if every item can be reached from every other by a
        chain of wins and ties.
        """
        n = len(self.items)
        if self._all_reached():
            return None
        beaten = np.concatenate([self.wins + self.ties, self.losses + self.ties])
        winners = np.concatenate([self.left, self.right])
        losers = np.concatenate([self.right, self.left])
        held = beaten > 0
        edges = sparse.csr_array(
            (beaten[held], (winners[held], losers[held])), shape=(n, n)
        )
        parts, own = csgraph.connected_components(edges, directed=False)
        if parts > 1:
            return _parted(self.items, own, parts)
        count, own = csgraph.connected_components(edges, connection="strong")
        if count == 1:
            return None
        crossing = own[winners[held]] != own[losers[held]]
        lost = set(own[losers[held]][crossing].tolist())
        won = set(own[winners[held]][crossing].tolist())
        top = [self.items[i] for i in range(n) if own[i] not in lost]
        low = [self.items[i] for i in range(n) if own[i] not in won]
        return (
            f"{_listed(top)} never lost to the others, and {_listed(low)} never won "
            "against them"
        )


def _rises(values: Indices) -> Indices:
    """Return the places of a sorted list where a new value begins."""
    return np.append(0, 1 + np.flatnonzero(values[1:] != values[:-1]))


def accept_comparisons(
    owner: str, games: Any, sample_weight: Any = None, *, unordered: bool = False
) -> Comparisons:
    """Admit games: Comparisons, pairs (winner, loser), or (left, right, outcome).

    With `unordered` the lower number of a pair stands on the left.
    """
    if isinstance(games, Comparisons):
        if sample_weight is not None:
            raise DataError(f"{owner}: Comparisons have their weights already.")
        return games.unordered() if unordered else games
    width = width_of(games)
    if width == 2:  # noqa: PLR2004
        return Comparisons.of(games, sample_weight, unordered=unordered)
    if width == 3:  # noqa: PLR2004
        left, right, outcome = columns_of(games, 3)
        return Comparisons.of_columns(
            left, right, outcome, sample_weight, unordered=unordered
        )
    raise DataError(
        f"{owner} takes pairs (winner, loser), triples (left, right, outcome) or "
        f"Comparisons, got {width} columns."
    )


def encode_pairs(order: Any) -> tuple[Indices, Indices]:
    """Return all pairs i < j of an order, and +1 where i comes before j, else -1.

    Parameters
    ----------
    order : array-like of shape (n_items,)
        The items, the first one first.

    Examples
    --------
    >>> pairs, y = encode_pairs([1, 0, 2])
    >>> pairs.tolist(), y.tolist()
    ([[0, 1], [0, 2], [1, 2]], [-1, 1, 1])
    """
    places = np.argsort(np.asarray(order, dtype=np.intp))
    i, j = np.triu_indices(len(places), 1)
    return np.column_stack([i, j]), np.where(places[i] < places[j], 1, -1)


def decode_pairs(pairs: Any, y: Any) -> Indices:
    """Return the order that all pairs tell; raise DataError if they contradict.

    Examples
    --------
    >>> decode_pairs([[0, 1], [0, 2], [1, 2]], [-1, 1, 1]).tolist()
    [1, 0, 2]
    """
    told, signs = np.asarray(pairs, dtype=np.intp), np.asarray(y)
    n = int(told.max()) + 1
    before = np.where((signs > 0)[:, None], told, told[:, ::-1])
    order = np.argsort(np.bincount(before[:, 1], minlength=n), kind="stable")
    places = np.argsort(order)
    if (places[before[:, 0]] > places[before[:, 1]]).any():
        raise DataError("decode_pairs: the pairs contradict each other.")
    return order


def _parted(items: list[Any], own: Any, parts: int) -> str:
    groups = [
        _listed([items[i] for i in np.flatnonzero(own == part)])
        for part in range(min(parts, 3))
    ]
    more = f" and {parts - 3} more" if parts > 3 else ""  # noqa: PLR2004
    return f"the items fall into {parts} groups that never met: " + (
        "; ".join(groups) + more
    )


def _listed(names: list[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:4])
    return shown + (f" and {len(names) - 4} others" if len(names) > 4 else "")  # noqa: PLR2004
