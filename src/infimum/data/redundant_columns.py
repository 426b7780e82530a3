"""Columns that repeat another column."""

from itertools import permutations
from typing import Any

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
    codes = {name: _codes(frame[name]) for name in names}
    found: dict[str, str] = {}
    for name, other in permutations(reversed(names), 2):
        if name in found or found.get(other) == name:
            continue
        if _follows(codes[name], codes[other]) or _on_a_line(
            frame[name], frame[other], first=names.index(other) < names.index(name)
        ):
            found[name] = other
    return {name: found[name] for name in names if name in found}


def _codes(column: pl.Series) -> Indices:
    return np.asarray(column.rank("dense").fill_null(0).to_numpy(), dtype=np.int64)


def _follows(codes: Indices, other: Indices) -> bool:
    """Whether the one is a function of the other, which has to repeat values."""
    if codes.max(initial=0) < 2 and not (codes == 0).any():  # noqa: PLR2004
        return False
    for rows in (slice(_GLANCE), slice(None)):
        pairs = _distinct(codes[rows] * (int(other.max(initial=0)) + 1) + other[rows])
        if pairs != _distinct(other[rows]):
            return False
    return _distinct(other) <= _MOSTLY * len(other)


def _distinct(codes: Indices) -> int:
    return len(np.unique(codes))


def _on_a_line(column: pl.Series, other: pl.Series, *, first: bool) -> bool:
    if not first or not column.dtype.is_float() or not other.dtype.is_numeric():
        return False
    x, y = (_centred(each) for each in (column, other))
    size = float(np.sqrt((x @ x) * (y @ y)))
    return size > 0 and abs(float(x @ y)) >= _SAME_LINE * size


def _centred(column: pl.Series) -> Any:
    x = column.cast(pl.Float64).fill_null(strategy="mean").fill_null(0.0).to_numpy()
    x = x / (float(np.abs(x).max(initial=0.0)) or 1.0)
    return x - x.mean()
