"""From a raw frame, wherever it came from, to a table whose columns are understood."""

from collections import Counter
from collections.abc import Collection, Iterable

import numpy as np
import polars as pl

from infimum.data.column import Column
from infimum.data.kinds import describe
from infimum.data.parsing import Commas, interpret
from infimum.data.short_columns import at_a_glance
from infimum.data.spelling import quoted
from infimum.data.table import Table
from infimum.errors import DataError

__all__ = ["assemble", "check_names", "check_width", "not_flat"]

#: More columns than this are not read from text: it would take minutes.
_MOST_COLUMNS = 200_000
#: Nor are more columns of dates, formatted numbers and the like.
_MOST_ODD = 10_000
#: Names of columns may be whole questions, but no pages.
_LONGEST_NAME = 2_000


def assemble(
    frame: pl.DataFrame,
    source: str,
    *,
    declared: Collection[str] = (),
    commas: Commas = Commas.WORDS,
    warnings: Iterable[str] = (),
) -> Table:
    """Settle every column's values, infer its kind and collect the warnings.

    Parameters
    ----------
    frame : polars.DataFrame
        Values as the source gave them.
    source : str
        What to call it in messages.
    declared : collection of str
        Columns that the source itself declares as categorical.
    commas : Commas
        Whether ``1,5`` is a number.
    warnings : iterable of str
        What the reader already noticed.
    """
    if not frame.width:
        raise DataError(f"{source} has no columns.")
    if not frame.height:
        raise DataError(f"{source} has column names but no rows.")
    _check_plain(frame.columns, source)
    declared, settled, columns, odd = {*declared}, [], [], 0
    # Column by column the raw values go as the settled ones come; last ones first is
    # how a list lets go of them in no time.
    remaining = frame.get_columns()[::-1]
    del frame
    while remaining:
        raw = remaining.pop()
        categorical = raw.name in declared or raw.dtype in (pl.Categorical, pl.Enum)
        series, note = _settle(raw, source), ""
        if series.dtype == pl.String and not categorical:
            clear = at_a_glance(series)
            odd += clear is None
            _check_odd(odd, series, source)
            series, note = clear or interpret(series, commas=commas)
        settled.append(_finite(series, source))
        columns.append(describe(settled[-1], declared=categorical, note=note))
    # By name, since polars renames a column without one.
    clean = pl.DataFrame({series.name: series for series in settled})
    noticed = (*warnings, *_noticed(clean, columns))
    return Table(clean, tuple(columns), source, noticed)


def check_names(names: Iterable[str], source: str) -> None:
    """Raise DataError if a column name occurs twice, or is no name but a page."""
    names = list(names)
    endless = [name for name in names if len(name) > _LONGEST_NAME]
    if endless:
        raise DataError(
            f"{source} has a column whose name has {len(endless[0]):,} characters "
            f"({quoted(endless[0])}); is its first line really one of names?"
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"{source} has more than one column named {quoted(twice[0])}; "
            "rename one of them."
        )


def check_width(width: int, source: str) -> None:
    """Raise DataError for more columns than are read from text."""
    if width > _MOST_COLUMNS:
        raise DataError(
            f"{source} has {width:,} columns, but at most {_MOST_COLUMNS:,} are read; "
            "keep fewer, or write what is not zero as svmlight."
        )


def _check_odd(odd: int, series: pl.Series, source: str) -> None:
    """Raise DataError if too many columns of words are not clear at a glance."""
    if odd > _MOST_ODD:
        raise DataError(
            f"{source} has more than {_MOST_ODD:,} columns that are neither plain "
            f"numbers nor plain words, the last of them {series.name!r}; write them "
            "plainly, or keep fewer."
        )


def _check_plain(names: Iterable[str], source: str) -> None:
    """Raise DataError for a name that polars takes for a pattern of names."""
    for name in names:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise DataError(
                f"{source} has a column named {name!r}, which stands for other names "
                "too; rename it."
            )


def _settle(series: pl.Series, source: str) -> pl.Series:
    """Reduce the many storage types to whole numbers, reals, truth, dates, words."""
    dtype = series.dtype
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        raise not_flat(series.name, source, _contents(dtype))
    if dtype in (pl.Categorical, pl.Enum, pl.Null):
        return series.cast(pl.String)
    if dtype == pl.Duration:
        return _seconds(series.dt.total_microseconds(), 1e6)
    if dtype == pl.Time:
        return _seconds(series.cast(pl.Int64), 1e9)
    if dtype == pl.Datetime:
        return series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if dtype.is_decimal():
        return series.cast(pl.Float64)
    return series.fill_nan(None) if dtype.is_float() else series


def not_flat(name: str, source: str, held: str) -> DataError:
    """Return the refusal of a column that holds more than one value per row."""
    return DataError(
        f"Column {quoted(name)} of {source} holds {held}, not one number, word or date "
        "per row; leave it out or split it up."
    )


def _seconds(ticks: pl.Series, per_second: float) -> pl.Series:
    # NumPy divides exactly; polars multiplies by the rounded reciprocal.
    seconds = ticks.cast(pl.Float64).to_numpy() / per_second
    return pl.Series(ticks.name, seconds, nan_to_null=True)


def _contents(dtype: pl.DataType) -> str:
    if dtype in (pl.List, pl.Array):
        return "lists"
    return {pl.Struct: "records", pl.Binary: "raw bytes"}.get(
        dtype.base_type(), "objects"
    )


def _finite(series: pl.Series, source: str) -> pl.Series:
    infinite = np.isinf(series.to_numpy()) if series.dtype.is_float() else np.zeros(1)
    if infinite.any():
        row = int(infinite.argmax())
        raise DataError(
            f"Column {series.name!r} of {source} holds an infinite value in row "
            f"{row + 1}; correct it or leave the cell empty."
        )
    return series


def _noticed(frame: pl.DataFrame, columns: list[Column]) -> list[str]:
    """Collect the remarks on single columns, and count the rows that repeat."""
    remarks = [f"Column {each.name!r} {each.note}." for each in columns if each.note]
    repeated = frame.height - frame.hash_rows().n_unique()
    if repeated:
        remarks.append(f"{repeated} of {frame.height} rows repeat an earlier row.")
    return remarks
