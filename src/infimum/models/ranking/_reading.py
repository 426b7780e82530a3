"""How games are read: names, columns, outcomes and weights, each checked once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = [
    "are_numbers",
    "coded",
    "columns_of",
    "described",
    "names_of",
    "numbered",
    "outcomes_of",
    "weights_of",
    "width_of",
]

#: What an outcome may be called, from the left side's view.
WORDS = {
    **dict.fromkeys(("1", "1.0", "left", "win", "won", "w", "true", "yes"), 1.0),
    **dict.fromkeys(("0", "0.0", "right", "loss", "lost", "l", "false", "no"), 0.0),
    **dict.fromkeys(("0.5", "½", "tie", "draw", "d", "t", "tied", "equal"), 0.5),
}
WIN, TIE, LOSS = 1.0, 0.5, 0.0


def width_of(games: Any) -> int:
    """Return how many entries a game has."""
    if hasattr(games, "shape") and len(games.shape) == 2:  # noqa: PLR2004
        return int(games.shape[1])
    try:
        return len(next(iter(games)))
    except (TypeError, StopIteration):
        raise DataError("Comparisons need a list of games.") from None


def are_numbers(pairs: Any) -> bool:
    """Tell whether pairs are an array of whole numbers, which is coded at once."""
    right = isinstance(pairs, np.ndarray) and pairs.dtype.kind in "iu"
    return right and pairs.ndim == 2 and pairs.shape[1] == 2 and len(pairs) > 0  # noqa: PLR2004


def coded(pairs: Any) -> tuple[list[Any], Any]:
    """Return the numbers that occur, in order, and the place of each entry in them."""
    low, high = int(pairs.min()), int(pairs.max())
    if high - low > 4 * pairs.size:
        names, codes = np.unique(pairs, return_inverse=True)
        return names.tolist(), codes.reshape(pairs.shape)
    shifted = (pairs - low).astype(np.intp)
    present = np.zeros(high - low + 1, dtype=bool)
    present[shifted] = True
    codes = shifted if present.all() else (np.cumsum(present) - 1)[shifted]
    return (np.flatnonzero(present) + low).tolist(), codes


def columns_of(games: Any, width: int) -> list[list[Any]]:
    """Return the columns of a table or list of games."""
    if hasattr(games, "iloc"):
        return [games.iloc[:, c].tolist() for c in range(width)]
    if hasattr(games, "get_columns"):
        return [column.to_list() for column in games.get_columns()]
    rows = [tuple(row) for row in games]
    if any(len(row) != width for row in rows):
        raise DataError(f"Comparisons: every game needs {width} entries.")
    return [list(column) for column in zip(*rows, strict=True)] or [[]] * width


def names_of(column: Any) -> list[Any]:
    """Return names without blanks around them; refuse missing ones."""
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    named = [v.strip() if isinstance(v, str) else v for v in values]
    if any(v is None or v != v or v == "" for v in named):  # noqa: PLR0124
        raise DataError("Comparisons: the name of an item is missing.")
    return named


def numbered(
    one: list[Any], other: list[Any], items: Sequence[Any] | None
) -> tuple[list[Any], dict[Any, int]]:
    """Return the items in order, and the number of each."""
    met = dict.fromkeys([*one, *other])
    if items is None:
        try:
            known = sorted(met)
        except TypeError:
            known = list(met)
    else:
        known = list(items)
        for name in met:
            if name not in known:
                raise DataError(f"Comparisons: {name!r} is not among the items.")
    return known, {name: i for i, name in enumerate(known)}


def outcomes_of(outcome: Any, one: list[Any], other: list[Any]) -> Vector:
    """Return 1, 0 or 0.5 for each game, from numbers or words."""
    if outcome is None:
        return np.ones(len(one))
    told = outcome.tolist() if hasattr(outcome, "tolist") else list(outcome)
    if len(told) != len(one):
        raise DataError(f"Comparisons: {len(told)} outcomes for {len(one)} games.")
    return np.array(
        [_outcome(t, a, b) for t, a, b in zip(told, one, other, strict=True)]
    )


def _outcome(told: Any, left: Any, right: Any) -> float:
    if isinstance(told, str):
        word = told.strip()
        if word in (left, right):
            return WIN if word == left else LOSS
        known = WORDS.get(word.lower())
    else:
        known = float(told) if told in (0, 0.5, 1) else None
    if known is None:
        raise DataError(
            f"Comparisons: the outcome of {left!r} against {right!r} must be 1, 0, "
            f"0.5, win, loss, tie or the winner's name, got {told!r}."
        )
    return known


def weights_of(given: Any, n: int) -> Vector | None:
    """Return weights that are not negative, or None for all alike."""
    if given is None:
        return None
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (n,) or not np.isfinite(weights).all() or weights.min() < 0:
        raise DataError(
            f"Comparisons: sample_weight needs {n} numbers that are not negative."
        )
    if not weights.any():
        raise DataError("Comparisons: sample_weight must not be all zero.")
    return weights


def described(items: list[Any], covariates: Any) -> tuple[list[Any], Matrix | None]:
    """Return all items, and the rows of what is known of them."""
    if covariates is None:
        return list(items), None
    table = dict(covariates.items()) if hasattr(covariates, "items") else {}
    for name in items:
        if name not in table:
            raise DataError(f"BradleyTerryRanker: no covariates of {name!r}.")
    try:
        rows = np.array([np.atleast_1d(row) for row in table.values()], np.float64)
    except (TypeError, ValueError):
        raise DataError(
            "BradleyTerryRanker: covariates need the same numbers for each item."
        ) from None
    if not np.isfinite(rows).all():
        raise DataError("BradleyTerryRanker: covariates must be finite.")
    return list(table), rows
