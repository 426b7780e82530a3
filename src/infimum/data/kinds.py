"""Kinds of columns, inferred from their values by the rules of `ColumnKind`."""

import re
from typing import Any

import polars as pl

from infimum.data.column import Column, ColumnKind
from infimum.data.parsing import TRUTH_WORDS
from infimum.data.short_columns import is_short

__all__ = ["describe"]

#: Fewer rows than this say nothing about whether values repeat.
_ENOUGH_ROWS = 20
#: Text: this many words or characters on average, and mostly distinct values.
_TEXT_WORDS, _TEXT_LENGTH, _TEXT_DISTINCT = 4.0, 30.0, 0.5
#: More categories than this deserve a remark.
_MANY_CATEGORIES = 1000
_HALF = 0.5
#: Nearly all: a person may stand in a table twice.
_NEARLY_ALL = 0.95
#: yes, Yes, YES and the same for no: more spellings are no longer two words.
_SPELLINGS = 6
#: ``id``, ``user_id``, ``userId``, ``uuid``, ``row number``, ``Unnamed: 0``, ...
_IDENTIFIER_NAME = re.compile(
    r"(?i:(?:^|[\W_])(?:id|uuid|guid|index|key|row_?names?|row ?_?(?:no|num|number)))$"
    r"|[a-z0-9](?:Id|ID)$|^Unnamed: 0$"
)
#: ``name``, ``full_name``, ``lastName``: who or what a row is about.
_NAME = re.compile(r"(?i:(?:^|[\W_])name)$|[a-z0-9]Name$")


def describe(series: pl.Series, *, declared: bool = False, note: str = "") -> Column:
    """Return what a settled column is; `declared` ones are categorical as they say."""
    filled = _filled(series)
    distinct = len(_values(filled)) if is_short(filled) else filled.n_unique()
    missing = len(series) - len(filled)
    kind = _kind(series, filled, distinct, declared=declared)
    note = note or _remark(series, kind, missing, distinct)
    return Column(series.name, kind, missing, distinct, note)


def _filled(series: pl.Series) -> pl.Series:
    if not series.null_count():
        return series
    if not is_short(series):
        return series.drop_nulls()
    known = [value for value in series.to_list() if value is not None]
    return pl.Series(series.name, known, dtype=series.dtype)


def _kind(
    series: pl.Series, filled: pl.Series, distinct: int, *, declared: bool
) -> ColumnKind:
    dtype = series.dtype
    if distinct == 0 or (distinct == 1 and len(filled) == len(series)):
        return ColumnKind.CONSTANT
    if declared:
        return ColumnKind.CATEGORICAL
    if dtype == pl.Boolean:
        return ColumnKind.BOOLEAN
    if dtype.is_temporal():
        return ColumnKind.DATE
    if dtype.is_numeric():
        return _kind_of_numbers(filled, distinct)
    return _kind_of_words(filled, distinct)


def _kind_of_numbers(filled: pl.Series, distinct: int) -> ColumnKind:
    if distinct <= 2 and _values(filled) <= {0, 1}:  # noqa: PLR2004
        return ColumnKind.BOOLEAN
    unique = distinct == len(filled)
    if unique and filled.dtype.is_integer() and _IDENTIFIER_NAME.search(filled.name):
        return ColumnKind.IDENTIFIER
    return ColumnKind.NUMERIC


def _kind_of_words(filled: pl.Series, distinct: int) -> ColumnKind:
    if distinct <= _SPELLINGS:
        words = {value.lower() for value in _values(filled)}
        if any(words <= set(pair) for pair in TRUTH_WORDS):
            return ColumnKind.BOOLEAN
    wordy = _words_per_value(filled)
    if distinct == len(filled) and wordy < 2:  # noqa: PLR2004
        named = _IDENTIFIER_NAME.search(filled.name)
        short = _length(filled) < 2 * _TEXT_LENGTH
        if named or (len(filled) >= _ENOUGH_ROWS and short):
            return ColumnKind.IDENTIFIER
    if _names_rows(filled, distinct, wordy):
        return ColumnKind.IDENTIFIER
    long = wordy >= _TEXT_WORDS or _length(filled) >= _TEXT_LENGTH
    if long and distinct > _TEXT_DISTINCT * len(filled):
        return ColumnKind.TEXT
    return ColumnKind.CATEGORICAL


def _names_rows(filled: pl.Series, distinct: int, wordy: float) -> bool:
    """Whether short strings tell every row apart, so that none comes again.

    Under a name such as ``name`` a few may be alike, and the words be more.
    """
    if len(filled) < _ENOUGH_ROWS or _length(filled) >= _TEXT_LENGTH:
        return False
    if _NAME.search(filled.name) or _IDENTIFIER_NAME.search(filled.name):
        return distinct >= _NEARLY_ALL * len(filled)
    return distinct == len(filled) and wordy < _TEXT_WORDS


def _values(filled: pl.Series) -> set[Any]:
    return {*(filled if is_short(filled) else filled.unique()).to_list()}


def _words_per_value(filled: pl.Series) -> float:
    if is_short(filled):
        return sum(len(value.split()) for value in filled.to_list()) / len(filled)
    return float(filled.str.count_matches(r"\S+").mean() or 0)  # type: ignore[arg-type]


def _length(filled: pl.Series) -> float:
    if is_short(filled):
        return sum(map(len, filled.to_list())) / len(filled)
    return float(filled.str.len_chars().mean() or 0)  # type: ignore[arg-type]


def _remark(series: pl.Series, kind: ColumnKind, missing: int, distinct: int) -> str:
    """Say what to know about a column, or nothing."""
    if missing == len(series):
        return "has no values at all"
    if kind is ColumnKind.CONSTANT:
        return "has the same value in every row"
    if kind is ColumnKind.IDENTIFIER:
        every = "every" if distinct == len(series) - missing else "almost every"
        return f"looks like an identifier, different in {every} row"
    if missing >= _HALF * len(series):
        return f"is missing in {missing} of {len(series)} rows"
    if kind is ColumnKind.CATEGORICAL and distinct > _MANY_CATEGORIES:
        return f"has {distinct} different categories"
    counting = kind is ColumnKind.NUMERIC and _counts_rows(series)
    return "only counts the rows" if counting else ""


def _counts_rows(series: pl.Series) -> bool:
    if not series.dtype.is_integer() or len(series) < _ENOUGH_ROWS:
        return False
    if series[0] not in (0, 1) or series.null_count():
        return False
    return bool((series.cast(pl.Int64).diff().slice(1) == 1).all())
