"""The values of a column as numbers, words or days, or a refusal."""

import numpy as np
import polars as pl

from infimum.data.dates import as_dates
from infimum.data.spelling import quoted
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["as_days", "as_numbers", "as_words"]


def as_numbers(column: pl.Series) -> Vector:
    """Return float64 with NaN for missing and infinite; DataError for words."""
    if column.dtype.is_temporal():
        raise DataError(
            f"Column {column.name!r} holds dates where numbers are expected."
        )
    if not column.dtype.is_numeric():
        numbers = column.cast(pl.Float64, strict=False)
        _check_read(column, numbers, "numbers are")
        column = numbers
    values = np.array(column.to_numpy(), dtype=float)  # NaN where missing
    values[~np.isfinite(values)] = np.nan
    return values


def as_words(column: pl.Series) -> pl.Series:
    """Write every value as text, whole numbers alike whether stored as 1 or 1.0."""
    if not column.dtype.is_numeric():
        return column.cast(pl.String)
    numbers = column.cast(pl.Float64).fill_nan(None)
    whole = (numbers == numbers.floor()).fill_null(value=False)
    integers = numbers.cast(pl.Int64, strict=False).cast(pl.String)
    return integers.zip_with(whole & integers.is_not_null(), numbers.cast(pl.String))


def as_days(column: pl.Series) -> Vector:
    """Return days since 1970 with fraction, NaN where missing; DataError for others."""
    moments = column
    if column.dtype == pl.String:
        read = as_dates(column)
        moments = _lenient(column) if read is None else read.values
        _check_read(column, moments, "dates are")
    elif not column.dtype.is_temporal() and column.null_count() < len(column):
        raise DataError(
            f"Column {column.name!r} holds numbers where dates are expected."
        )
    microseconds = moments.cast(pl.Datetime("us")).cast(pl.Int64)
    ticks = microseconds.cast(pl.Float64).fill_null(float("nan"))
    return np.asarray(ticks.to_numpy() / 86_400e6, dtype=float)


def _lenient(column: pl.Series) -> pl.Series:
    try:
        return column.str.to_datetime(strict=False)
    except pl.exceptions.PolarsError:
        return pl.Series(column.name, [None] * len(column), dtype=pl.Datetime)


def _check_read(column: pl.Series, read: pl.Series, expected: str) -> None:
    """Refuse values that were there and cannot be read."""
    lost = (read.is_null() & column.is_not_null()).arg_true()
    if len(lost):
        row = int(lost[0])
        raise DataError(
            f"Column {column.name!r} holds {quoted(column[row])} in row {row + 1} "
            f"where {expected} expected; correct it or leave the cell empty."
        )
