"""Shapley values of any model: all coalitions, or orders drawn in opposite pairs."""

from collections.abc import Mapping, Sequence
from math import factorial
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.explanation._mosaic import Mosaic, column_groups
from infimum.explanation._response import Response, respond_to
from infimum.explanation.attribution import Attribution
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["model_shapley"]

#: Up to here all coalitions are tried without being asked to; and at most here.
_FEW, _MOST = 6, 14


def model_shapley(
    model: Any,
    X: Any,
    background: Any = 32,
    *,
    method: str = "auto",
    groups: Mapping[str, Sequence[Any]] | None = None,
    rounds: int = 2,
    response: str = "auto",
    target: Any = None,
    seed: int = 0,
) -> Attribution:
    r"""Share a model's answers out among the columns, by asking it only.

    A coalition of columns takes its values from the row, the others take theirs from a
    background row z; the value of a column is what it adds when it joins, averaged over
    all orders of joining and all background rows. "exact" tries all :math:`2^d`
    coalitions. "sampled" draws orders, each with its reverse (antithetic), the same
    number for every background row, so that the values add up exactly; the errors are
    the luck of the orders and of the background rows.

    Parameters
    ----------
    model : fitted estimator, or a function of tables
    X : rows to explain: array, sparse matrix, pandas or polars frame
    background : int or rows, default=32
        Rows that stand for not knowing a column's value, or how many to draw from `X`.
    method : {"auto", "exact", "sampled"}, default="auto"
        "auto" is exact up to 6 columns.
    groups : mapping from name to columns, optional
        Columns that join together; the others join alone.
    rounds : int, default=2
        Pairs of orders for each background row.
    response, target : see `partial_dependence`
    seed : int, default=0

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import model_shapley
    >>> X = np.array([[1.0, 1.0], [0.0, 0.0]])
    >>> found = model_shapley(lambda X: X[:, 0] * X[:, 1], X[:1], X[1:])
    >>> found.base, found.values
    (0.0, array([[0.5, 0.5]]))

    References
    ----------
    L. Shapley (1953), A value for n-person games. R. Mitchell et al. (2022), Sampling
    permutations for Shapley value estimation, JMLR 23.
    """
    methods = Choice(("auto", "exact", "sampled"))
    check_domain("model_shapley's method", method, methods)
    check_domain("model_shapley's rounds", rounds, whole(1))
    table, rows, others = _tables(X, background, seed)
    players = _players(table, groups)
    exact = method == "exact" or (method == "auto" and len(players) <= _FEW)
    if exact and len(players) > _MOST:
        raise DataError(
            f"{len(players)} columns have too many coalitions to try them all; use "
            "method='sampled' or groups of columns."
        )
    ask = Response(model, response, target)
    game = _Game(ask, table, others, list(players.values()))
    plan = _orders(len(players), len(others), rounds, seed)
    shares = [game.exactly(row) if exact else game.sampled(row, plan) for row in rows]
    base = float(ask(table.rows(others)).mean())
    return Attribution(
        names=tuple(players),
        base=base,
        values=np.array([values for values, _ in shares]),
        errors=np.array([errors for _, errors in shares]),
        answers=ask(table.rows(rows)),
        response=ask.name,
        method="exact" if exact else "sampled",
    )


class _Game:
    """The game of the columns: coalitions of a row's columns, filled from others."""

    def __init__(
        self, ask: Response, table: Mosaic, others: Indices, players: list[list[int]]
    ) -> None:
        self.ask, self.table, self.others = ask, table, others
        self.n_players = len(players)
        self.owner = np.empty(len(table.names), dtype=np.intp)
        for player, columns in enumerate(players):
            self.owner[columns] = player

    def exactly(self, row: int) -> tuple[Vector, Vector]:
        """Return the values of a row from all coalitions, and that errors are 0."""
        d = self.n_players
        codes = np.arange(1 << d)
        members = (codes[:, None] >> np.arange(d)) & 1 == 1
        worth = self._worth(row, np.repeat(members, len(self.others), axis=0)).mean(1)
        sizes = members.sum(axis=1)
        weights = np.array(
            [factorial(k) * factorial(d - k - 1) / factorial(d) for k in range(d)]
        )
        values = np.empty(d)
        for player in range(d):
            without = codes[~members[:, player]]
            gains = worth[without | (1 << player)] - worth[without]
            values[player] = weights[sizes[without]] @ gains
        return values, np.zeros(d)

    def sampled(self, row: int, orders: Indices) -> tuple[Vector, Vector]:
        """Return values and standard errors; axes of orders: background, round."""
        n_others, rounds, d = orders.shape
        both = np.stack([orders, d - 1 - orders], axis=2)  # ranks, and reversed ranks
        steps = np.arange(d + 1)
        # Axes: round, direction, step, background row, player.
        joined = both.transpose(1, 2, 0, 3)[:, :, None] < steps[:, None, None]
        worth = self._worth(row, joined.reshape(-1, d))
        gains = np.diff(worth.reshape(rounds, 2, d + 1, n_others), axis=2)
        ranks = both.transpose(1, 2, 3, 0)
        shares = np.take_along_axis(gains, ranks, axis=2).mean(axis=1)
        # shares: round, player, background row; pairs are averaged already.
        values = shares.mean(axis=(0, 2))
        if n_others > 1:
            # Which rows are in the background is luck too; and a few orders alone may
            # agree by chance, so that their scatter would promise too much.
            spread = shares.mean(axis=0).var(axis=1, ddof=1) / n_others
        elif rounds > 1:
            spread = shares[:, :, 0].var(axis=0, ddof=1) / rounds
        else:
            spread = np.zeros(d)
        return values, np.sqrt(spread)

    def _worth(self, row: int, members: Mask) -> Matrix:
        """Return the answers to coalitions, one column a background row."""
        fill = np.tile(self.others, len(members) // len(self.others))
        sources = np.where(members[:, self.owner], row, fill[:, None])
        said = respond_to(self.ask, self.table, sources)
        return said.reshape(-1, len(self.others))


def _orders(n_players: int, n_others: int, rounds: int, seed: int) -> Indices:
    """Draw the rank of each player in each order: background row, round, player."""
    generator = np.random.default_rng(seed)
    draws = generator.uniform(size=(n_others, rounds, n_players))
    return np.argsort(np.argsort(draws, axis=2), axis=2)


def _tables(X: Any, background: Any, seed: int) -> tuple[Mosaic, Indices, Indices]:
    table = Mosaic(X)
    rows = np.arange(table.n_rows)
    if isinstance(background, int | np.integer):
        check_domain("model_shapley's background", background, whole(1))
        order = np.random.default_rng([seed, 1]).permutation(table.n_rows)
        return table, rows, np.sort(order[:background])
    joined = table.joined(background)
    return joined, rows, np.arange(table.n_rows, joined.n_rows)


def _players(
    table: Mosaic, groups: Mapping[str, Sequence[Any]] | None
) -> dict[str, list[int]]:
    players = column_groups(table, groups)
    taken = [place for places in players.values() for place in places]
    if len(set(taken)) != len(taken):
        raise DataError("A column can join with one group only.")
    alone = {n: [p] for p, n in enumerate(table.names) if p not in set(taken)}
    return players | alone
