"""From strings to numbers, truth values and dates, where every value allows it.

A column of strings is read the same way whether it comes from a CSV file, a JSON
record or a pandas column of objects. Spaces around a value do not count. A column
becomes numeric, boolean or a date only if *all* its values do, a few stray words among
very many numbers excepted; otherwise it stays strings. Whole numbers with a leading
zero (``02134``) or too long for 64 bits are codes, not quantities, and stay strings
too.
"""

from enum import Enum
from typing import NamedTuple

import numpy as np
import polars as pl

from infimum.data.dates import as_dates
from infimum.data.formatted_numbers import parse_formatted
from infimum.data.missing_words import MISSING_WORDS, read_as_missing
from infimum.data.spelling import quoted

__all__ = ["Commas", "Reading", "as_booleans", "interpret"]

#: Pairs of words for true and false, in lower case.
TRUTH_WORDS = (
    *(("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f")),
    *(("ja", "nein"), ("oui", "non"), ("sí", "no"), ("si", "no"), ("sì", "no")),
    *(("wahr", "falsch"), ("vrai", "faux")),
)

_TRUE = {true for true, _ in TRUTH_WORDS} | {"1", "1.0"}
_FALSE = {false for _, false in TRUTH_WORDS} | {"0", "0.0"}
#: Above this share of numbers, the words among them are probably mistakes.
_MOSTLY = 0.9
#: So few rows with so few different words do not make words of so many numbers.
_STRAY, _STRAYS, _MANY = 0.05, 3, 20
#: Whole numbers from here on do not fit into 64 bits.
_LARGEST = 2.0**63
_DECIMAL_COMMA = r"^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$"
_THOUSANDS_COMMA = r"^[+-]?[1-9]\d{0,2},\d{3}$"
#: 12%, $5, 1,234 and 1'234.50: numbers to a person.
_DRESSED = r"^[$€£]?\s?[+-]?\d[\d.,' ]*\s?[%$€£]?$"


class Reading(NamedTuple):
    """A column of strings, read; and what a careful reader should know about it."""

    values: pl.Series
    note: str = ""


class Commas(Enum):
    """What ``1,5`` means: words, a decimal, or a decimal unless it may be 1500."""

    WORDS = "words"
    DECIMAL = "decimal"
    DECIMAL_IF_CLEAR = "decimal if clear"


def interpret(series: pl.Series, *, commas: Commas = Commas.WORDS) -> Reading:
    """Read a column of strings as what all its values are."""
    numbers = _as_plain_numbers(series)
    if numbers is not None:
        return Reading(numbers)
    words = series.str.strip_chars()
    pointed = _with_points(words, commas)
    numbers = _as_numbers(pointed)
    if numbers is not None:
        return Reading(numbers)
    known = words.unique().drop_nulls()
    gaps = known.filter(known.str.to_lowercase().is_in(list(MISSING_WORDS)))
    if len(gaps):
        words = words.set(words.is_in(gaps.to_list()), None)
    dates = as_dates(words)
    if dates is not None:
        return Reading(dates.values, dates.note)
    if set(known.str.to_lowercase()) - MISSING_WORDS <= {"true", "false"}:
        return Reading(as_booleans(words))
    return _as_quantities(words, pointed) or Reading(words, _doubts(words, gaps))


def as_booleans(series: pl.Series) -> pl.Series:
    """Return truth values, numbers 0 and 1, or words such as yes and no as booleans.

    Whatever is none of these becomes missing.
    """
    if series.dtype == pl.Boolean:
        return series
    words = series.cast(pl.String).str.strip_chars().str.to_lowercase()
    true, false = words.is_in(list(_TRUE)), words.is_in(list(_FALSE))
    return true.set(~(true | false), None).rename(series.name)


def _as_plain_numbers(words: pl.Series) -> pl.Series | None:
    """Return reals if nothing but reals is there, as in most columns of wide tables.

    NumPy looks at a short column in a hundredth of the time that polars takes.
    """
    if words.cast(pl.Int64, strict=False).null_count() == words.null_count():
        return None
    reals = words.cast(pl.Float64, strict=False)
    if reals.null_count() > words.null_count():
        return None
    values = reals.to_numpy()
    gaps = int(np.isnan(values).sum())
    plain = (
        gaps == reals.null_count() and np.nanmax(np.abs(values), initial=0.0) < _LARGEST
    )
    return reals if gaps < len(values) and plain else None


def _as_numbers(words: pl.Series) -> pl.Series | None:
    """Return Int64 or Float64 values if every word is a number or means missing."""
    whole = words.cast(pl.Int64, strict=False)
    reals = words.cast(pl.Float64, strict=False)
    strange = words.filter(reals.is_null() & words.is_not_null()).unique()
    if not set(strange.str.to_lowercase()) <= MISSING_WORDS:
        return None
    numbers = reals.fill_nan(None)
    if numbers.null_count() == len(words):
        return None
    if whole.null_count() == numbers.null_count():
        return None if _are_codes(words) else whole
    long = words.filter(numbers.abs() >= _LARGEST)
    return None if long.str.contains(r"^[+-]?\d+$").any() else numbers


def _are_codes(words: pl.Series) -> bool:
    """Tell whether digits stand for a name, as a leading zero shows."""
    zeros = words.filter(words.str.starts_with("0"))
    return bool(zeros.str.contains(r"^0\d").any())


def _as_quantities(words: pl.Series, pointed: pl.Series) -> Reading | None:
    """Read what a person would take for numbers: $1,200, 12 %, and a stray word."""
    bare = parse_formatted(words)
    if bare is not None:
        row = int(words.is_not_null().arg_true()[0])
        return Reading(
            bare, f"is read as numbers, {quoted(words[row])} as {bare[row]:.15g}"
        )
    filled = pointed.filter(words.is_not_null())
    strange = filled.filter(filled.cast(pl.Float64, strict=False).is_null())
    if len(strange) > _STRAY * len(filled) or strange.n_unique() > _STRAYS:
        return None
    numbers = _as_numbers(pointed.set(pointed.is_in(strange.unique().to_list()), None))
    if numbers is None or numbers.n_unique() < _MANY:
        return None
    return Reading(
        numbers,
        f"reads as numbers but for {len(strange)} of {len(filled)} values, for example "
        f"{quoted(strange[0])}, which count as missing",
    )


def _with_points(words: pl.Series, commas: Commas) -> pl.Series:
    """Write 1,5 as 1.5 if that is what the comma means in all of the column."""
    if commas is Commas.WORDS:
        return words
    parted = words.filter(words.str.contains(",", literal=True))
    if not len(parted) or not parted.str.contains(_DECIMAL_COMMA).all():
        return words
    if words.str.contains(r"^[+-]?\d+\.\d").any():
        return words
    unclear = parted.str.contains(_THOUSANDS_COMMA).all()
    if commas is Commas.DECIMAL_IF_CLEAR and unclear:
        return words
    return words.str.replace(",", ".", literal=True)


def _doubts(words: pl.Series, gaps: pl.Series) -> str:
    """Say what may have been misread in a column that stays strings."""
    filled = words.drop_nulls()
    rest = filled.filter(filled.cast(pl.Float64, strict=False).is_null())
    if 0 < len(rest) <= (1 - _MOSTLY) * len(filled):
        return (
            f"reads as numbers but for {len(rest)} of {len(filled)} values, "
            f"for example {quoted(rest[0])}"
        )
    if len(rest) and rest.str.contains(_DRESSED).all():
        return f"holds words that look like numbers, for example {quoted(rest[0])}"
    return read_as_missing(gaps)
