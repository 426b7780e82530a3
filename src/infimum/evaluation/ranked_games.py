"""A table of games in, a proved ranking out, as plain data for a page."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from infimum.certificates import Certificate
from infimum.data import read_table
from infimum.data.table import Table
from infimum.errors import DataError
from infimum.models.ranking import BradleyTerryRanker, Comparisons, KemenyRanker
from infimum.typing import Matrix

__all__ = ["Columns", "RankedGames", "certify_ranking", "rank_games"]


Plain = dict[str, Any]
#: Items of which the page shows who beat whom, and pairs that it suggests.
_MATRIX, _NEXT = 14, 5
#: Items up to which orders are searched for the fewest contradictions.
_ORDERED = 300


class Columns(NamedTuple):
    """The names of the columns of a table of games."""

    left: str
    right: str
    outcome: str | None = None
    weight: str | None = None


class RankedGames(NamedTuple):
    """A fitted ranker, what to tell of it, and what its file must remember."""

    model: BradleyTerryRanker
    result: Plain
    extra: Plain


def rank_games(data: Any, columns: Columns, **settings: Any) -> RankedGames:
    """Rank the items of a table of games.

    Parameters
    ----------
    data : path or table
    columns : Columns
    **settings
        Of `BradleyTerryRanker`.
    """
    table, games = _games(data, columns)
    model = BradleyTerryRanker(**settings).fit(games)
    extra = {
        "task": "ranking",
        "columns": columns._asdict(),
        "fingerprint": table.fingerprint,
    }
    result = {
        "source": table.source,
        "rows": len(table),
        "games": _number(games.total),
        "settings": settings,
        "items": _items(model, games),
        "matrix": _matrix(model, games),
        "contradictions": _contradictions(model, games),
        "next": _next_pairs(model),
        "home": model.home_ if model.home else None,
        "tie": model.tie_ if model.ties != "half" else None,
        "proof": _proof(model.certificate_),
    }
    return RankedGames(model, result, extra)


def certify_ranking(
    model: BradleyTerryRanker, data: Any, extra: Plain
) -> tuple[Certificate, bool, int]:
    """Prove a ranking again from its scores and the table of games."""
    table, games = _games(data, Columns(**extra["columns"]))
    same = table.fingerprint == extra["fingerprint"]
    return model.certify(games), same, len(table)


def _games(data: Any, columns: Columns) -> tuple[Table, Comparisons]:
    table = data if isinstance(data, Table) else read_table(_path(data))
    if not isinstance(table, Table):
        raise DataError("Games are read from a table with named columns.")
    for name in columns:
        if name is not None:
            table.column(name)
    frame = table.frame
    told = None if columns.outcome is None else frame[columns.outcome].to_list()
    weight = None if columns.weight is None else frame[columns.weight].to_list()
    games = Comparisons.of_columns(
        frame[columns.left].to_list(), frame[columns.right].to_list(), told, weight
    )
    return table, games


def _path(data: Any) -> Any:
    return Path(data) if isinstance(data, str | PathLike) else data


def _items(model: BradleyTerryRanker, games: Comparisons) -> list[Plain]:
    from infimum.models.ranking.bradley_terry_ranker import ELO

    ends = model.intervals() - model.scores_.mean()
    ranks = model.rank_sets()
    n = len(model.items_)
    counts = np.zeros((3, n))
    for kind, count in enumerate((games.wins, games.losses, games.ties)):
        other = (1, 0, 2)[kind]
        counts[kind] += np.bincount(games.left, count, minlength=n)
        counts[other] += np.bincount(games.right, count, minlength=n)
    return [
        {
            "name": str(model.items_[i]),
            "elo": float(model.elo_[i]),
            "low": float(1500.0 + ELO * ends[i, 0]),
            "high": float(1500.0 + ELO * ends[i, 1]),
            "best": int(ranks[i, 0]),
            "worst": int(ranks[i, 1]),
            "wins": _number(counts[0, i]),
            "losses": _number(counts[1, i]),
            "ties": _number(counts[2, i]),
        }
        for i in model.order_
    ]


def _matrix(model: BradleyTerryRanker, games: Comparisons) -> Plain | None:
    if len(model.items_) > _MATRIX:
        return None
    order = model.order_
    wins = games.matrix()[np.ix_(order, order)]
    total = wins + wins.T
    names = [str(model.items_[i]) for i in order]
    rows = [
        {
            "name": names[i],
            "cells": [
                None
                if not total[i, j]
                else {
                    "wins": float(wins[i, j]),
                    "games": float(total[i, j]),
                    "depth": round(100 * wins[i, j] / total[i, j]),
                }
                for j in range(len(names))
            ],
        }
        for i in range(len(names))
    ]
    return {"names": names, "rows": rows}


def _contradictions(model: BradleyTerryRanker, games: Comparisons) -> Plain:
    signs = games.signs() > 0
    cycles = float(np.trace(_steps(signs, 3))) / 3.0
    found: Plain = {"cycles": round(cycles), "example": _cycle(model, signs)}
    if len(model.items_) <= _ORDERED:
        best = KemenyRanker().fit(games)
        found |= {"violations": best.violations_, "bound": best.lower_bound_}
        found["first"] = str(best.ranking_[0])
    return found


def _steps(signs: Any, count: int) -> Matrix:
    return np.asarray(np.linalg.matrix_power(signs.astype(np.float64), count))


def _cycle(model: BradleyTerryRanker, signs: Any) -> list[str]:
    """Return three items that beat each other in a ring, or none."""
    ring = signs & (_steps(signs, 2) > 0).T
    for i, j in np.argwhere(ring)[:1]:
        k = int(np.flatnonzero(signs[j] & signs[:, i])[0])
        return [str(model.items_[p]) for p in (i, j, k)]
    return []


def _next_pairs(model: BradleyTerryRanker) -> list[Plain]:
    """Return the pairs whose next game would tell the most of their order."""
    C, u = model.covariance(), model.scores_
    spread = np.diag(C)[:, None] + np.diag(C)[None, :] - 2.0 * C
    chance = 1.0 / (1.0 + np.exp(-np.abs(u[:, None] - u[None, :])))
    gain = np.triu(spread * chance * (1.0 - chance), 1)
    best = np.argsort(-gain, axis=None)[:_NEXT]
    rows = np.column_stack(np.unravel_index(best, gain.shape)).tolist()
    return [
        {
            "one": str(model.items_[i]),
            "other": str(model.items_[j]),
            "chance": float(chance[i, j] if u[i] >= u[j] else 1.0 - chance[i, j]),
            "spread": float(np.sqrt(max(spread[i, j], 0.0))),
        }
        for i, j in rows
        if gain[i, j] > 0
    ]


def _number(value: Any) -> float:
    """Return a count as a whole number if it is one."""
    return int(value) if float(value).is_integer() else float(value)


def _proof(certificate: Certificate) -> Plain:
    return {
        "primal": certificate.primal,
        "dual": certificate.dual,
        "gap": certificate.gap,
        "relative_gap": certificate.relative_gap,
        "tolerance": certificate.tolerance,
        "closed": certificate.closed,
    }
