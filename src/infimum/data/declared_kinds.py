"""Kinds of columns that a user states, against or for what the reader thought."""

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from infimum.data.column import Column, ColumnKind
from infimum.data.dates import as_dates
from infimum.data.parsing import as_booleans
from infimum.data.spelling import quoted
from infimum.data.table import Table
from infimum.errors import DataError, InvalidParameterError

__all__ = ["declare_kinds"]


def declare_kinds(table: Table, kinds: Mapping[str, str]) -> Table:
    """Return the table with some columns read as the user says.

    Values are converted where the kind needs it: to numbers, to truth values, to dates.
    The reader's remark on such a column, and the warning it gave, are withdrawn.

    Parameters
    ----------
    table : Table
        As the reader understood it.
    kinds : mapping from str to str
        Kinds of `ColumnKind` by the names of columns.

    Raises
    ------
    DataError
        If there is no such column or a value cannot be read that way.

    Examples
    --------
    >>> from infimum.data import declare_kinds, read_table
    >>> table = read_table({"ward": [1, 2, 7, 2], "size": [1.5, 2.5, 4.0, 3.0]})
    >>> [str(c.kind) for c in declare_kinds(table, {"ward": "categorical"}).columns]
    ['categorical', 'numeric']
    """
    frame, columns, warnings = table.frame, list(table.columns), list(table.warnings)
    for name, wanted in kinds.items():
        column = table.column(name)
        if wanted not in list(ColumnKind):
            known = ", ".join(repr(str(kind)) for kind in ColumnKind)
            raise InvalidParameterError(
                f"The kind of column {name!r} must be one of {known}, got {wanted!r}."
            )
        if column.kind == wanted:
            continue
        series = _converted(frame[name], ColumnKind(wanted), table.source)
        frame = frame.with_columns(series)
        columns[columns.index(column)] = _described(column, series, wanted)
        said = f"Column {name!r} {column.note}."
        warnings = [sentence for sentence in warnings if sentence != said]
    return replace(table, frame=frame, columns=tuple(columns), warnings=tuple(warnings))


def _described(column: Column, series: pl.Series, wanted: str) -> Column:
    missing, distinct = series.null_count(), series.drop_nulls().n_unique()
    return Column(column.name, ColumnKind(wanted), missing, distinct)


def _converted(series: pl.Series, kind: ColumnKind, source: str) -> pl.Series:
    """Return the values as the kind needs them; DataError for one that does not fit."""
    if kind is ColumnKind.NUMERIC and not series.dtype.is_numeric():
        read = _nothing(series)
        if not series.dtype.is_temporal():
            read = series.cast(pl.Float64, strict=False).fill_nan(None)
        return _complete(series, read, kind, source)
    if kind is ColumnKind.BOOLEAN:
        return _complete(series, as_booleans(series), kind, source)
    if kind is ColumnKind.DATE and not series.dtype.is_temporal():
        dates = as_dates(series.cast(pl.String))
        read = _nothing(series) if dates is None else dates.values
        return _complete(series, read, kind, source)
    return series.cast(pl.String) if kind is ColumnKind.TEXT else series


def _nothing(series: pl.Series) -> pl.Series:
    return series.clear(len(series))


def _complete(
    series: pl.Series, read: pl.Series, kind: ColumnKind, source: str
) -> pl.Series:
    lost = (read.is_null() & series.is_not_null()).arg_true()
    if len(lost):
        row = int(lost[0])
        raise DataError(
            f"Column {series.name!r} of {source} cannot be {kind}: row {row + 1} holds "
            f"{quoted(str(series[row]))}."
        )
    return read.rename(series.name)
