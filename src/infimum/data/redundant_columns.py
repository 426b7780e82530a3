"""Columns that repeat another column."""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from infimum.typing import Indices

__all__ = ["MOST_COLUMNS", "find_redundant"]

#: A first look at so many rows rules almost every pair out.
_GLANCE = 500
#: More columns than this are not compared pair by pair.
MOST_COLUMNS = 60
#: A column with a value of its own in most rows determines every other trivially.
_MOSTLY = 0.5
_SAME_LINE = 1 - 1e-10


def find_redundant(frame: pl.DataFrame) -> dict[str, str]:
    """Return the columns that are a function of another, and of which.

    A column of few values is a function of another if equal values there always go
    with equal values here; numbers of many values if they lie on a line. Of two
    columns that determine each other the first is kept.

    Examples
    --------
    >>> import polars as pl
    >>> from infimum.data.redundant_columns import find_redundant
    >>> frame = pl.DataFrame({"m": [1.5, 2.5, 4.0], "cm": [150.0, 250.0, 400.0]})
    >>> find_redundant(frame)
    {'cm': 'm'}
    """
    names = frame.columns[:MOST_COLUMNS]
    columns = {name: _Column.of(frame[name]) for name in names}
    lines = _on_lines(frame, names)
    found: dict[str, str] = {}
    for name, other in permutations(reversed(names), 2):
        if name in found or found.get(other) == name:
            continue
        if _follows(columns[name], columns[other]) or (name, other) in lines:
            found[name] = other
    return {name: found[name] for name in names if name in found}


class _Column(NamedTuple):
    """Codes of the values of a column, 0 where missing, and how many there are."""

    codes: Indices
    glanced: int
    distinct: int

    @classmethod
    def of(cls, column: pl.Series) -> "_Column":
        ranks = column.rank("dense").fill_null(0).to_numpy()
        codes = np.asarray(ranks, dtype=np.int64)
        return cls(codes, _distinct(codes[:_GLANCE]), _distinct(codes))


def _follows(column: _Column, other: _Column) -> bool:
    """Whether the one is a function of the other, which has to repeat values."""
    if other.distinct > _MOSTLY * len(other.codes):
        return False
    if column.codes.max(initial=0) < 2 and not (column.codes == 0).any():  # noqa: PLR2004
        return False
    looks = ((slice(_GLANCE), other.glanced), (slice(None), other.distinct))
    width = int(other.codes.max(initial=0)) + 1
    return all(
        _distinct(column.codes[rows] * width + other.codes[rows]) == known
        for rows, known in looks
    )


def _distinct(codes: Indices) -> int:
    return len(np.unique(codes))


def _on_lines(frame: pl.DataFrame, names: list[str]) -> set[tuple[str, str]]:
    """Return the pairs of numbers that lie on a line, the later column first."""
    numeric = [name for name in names if frame[name].dtype.is_numeric()]
    if not numeric:
        return set()
    table = np.column_stack([_of_length_one(frame[name]) for name in numeric])
    near = np.abs(table.T @ table) >= _SAME_LINE
    return {
        (name, numeric[before])
        for place, name in enumerate(numeric)
        if frame[name].dtype.is_float()
        for before in range(place)
        if near[place, before]
    }


def _of_length_one(column: pl.Series) -> Any:
    """Return a column around its mean, 0 if it is constant."""
    x = column.cast(pl.Float64).fill_null(strategy="mean").fill_null(0.0).to_numpy()
    x = x / (float(np.abs(x).max(initial=0.0)) or 1.0)
    x = x - x.mean()
    return x / (float(np.sqrt(x @ x)) or 1.0)
