"""Type inference for short columns in plain Python, for wide tables.

polars takes dozens of microseconds for every look at a column, however short it is; a
table of 100,000 columns is looked at millions of times. What is clear at a glance is
said here, by the same rules; everything else is left to those who look closely.
"""

import re

import polars as pl

from infimum.data.missing_words import MISSING_WORDS, read_as_missing

__all__ = ["at_a_glance", "is_short"]

#: Up to so many rows, Python is done before polars has begun.
_SHORT = 256
#: Whole numbers that are no codes and fit into 64 bits, and reals that are not huge.
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_REAL = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,20})?(?:[eE]-?\d)?", re.ASCII)
#: Digits that name something, as a zero in front shows.
_CODE = re.compile(r"0\d{1,17}", re.ASCII)
#: Begins with a letter, ends in no space, and holds no year that could make it a date.
_WORD = re.compile(r"(?!.*\d{4})[^\W\d_](?:.*\S)?", re.DOTALL)
_TRUTHS = {"true": True, "false": False}
#: So small a share of words among numbers is looked at more closely.
_FEW_WORDS = 0.1
#: Words that are numbers.
_INFINITE = frozenset({"inf", "infinity"})


def is_short(series: pl.Series) -> bool:
    """Tell whether a column of words or numbers is better looked at in Python."""
    dtype = series.dtype
    return len(series) <= _SHORT and (dtype == pl.String or dtype.is_numeric())


def at_a_glance(series: pl.Series) -> tuple[pl.Series, str] | None:
    """Return numbers, truths or mere words, and a remark; None for all others.

    None too for columns that are not short.
    """
    if not is_short(series):
        return None
    cells = [cell and cell.strip(" ") for cell in series.to_list()]
    gaps = {
        cell for cell in cells if cell is not None and cell.lower() in MISSING_WORDS
    }
    known = [None if cell in gaps else cell for cell in cells]
    values = {cell for cell in known if cell is not None}
    if not values or {*map(str.lower, values)} <= {*_TRUTHS}:
        return _column(series, [_truth(cell) for cell in known], pl.Boolean), ""
    words = _column(series, known, pl.String)
    if all(map(_WHOLE.fullmatch, values)):
        return words.cast(pl.Int64), ""
    if all(map(_REAL.fullmatch, values)):
        return words.cast(pl.Float64), ""
    if all(map(_CODE.fullmatch, values)) or _are_words(known, values):
        return words, read_as_missing(gaps)
    return None


def _are_words(known: list[str | None], values: set[str]) -> bool:
    """Tell whether nothing but words is there, or enough of them among numbers."""
    mere = {value for value in values if _WORD.fullmatch(value)}
    if not all(map(_REAL.fullmatch, values - mere)):
        return False
    special = not {*map(str.lower, mere)}.isdisjoint(_INFINITE)
    filled = sum(cell is not None for cell in known)
    return not special and sum(cell in mere for cell in known) > _FEW_WORDS * filled


def _truth(cell: str | None) -> bool | None:
    return _TRUTHS.get(cell.lower()) if cell is not None else None


def _column(
    series: pl.Series, cells: list[object], dtype: type[pl.DataType]
) -> pl.Series:
    return pl.Series(series.name, cells, dtype=dtype)
