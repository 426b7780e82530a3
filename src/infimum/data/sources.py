"""Tables from objects in memory: pandas, polars, Arrow, NumPy, plain columns.

pandas and pyarrow are never imported: whoever passes their objects has them loaded.
"""

import datetime as dt
import decimal
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.data.assembly import assemble, check_names, not_flat
from infimum.data.spelling import first_line, quoted
from infimum.data.table import Table
from infimum.errors import DataError

__all__ = ["frame_of_columns", "frame_of_records", "from_memory", "name_of"]

_DATES = (dt.date, dt.datetime, np.datetime64)
_TRUTHS = (bool, np.bool_)
_NESTED = (list, tuple, Mapping, set, np.ndarray, pl.Series)
#: Records may leave out names, but not make a small file a huge table.
_MANY_CELLS, _MOSTLY_EMPTY = 20_000_000, 100


def from_memory(source: Any) -> Table:
    """Return the table an object in memory holds; DataError if it holds none."""
    name = name_of(source)
    if isinstance(source, pl.DataFrame | pl.LazyFrame | pl.Series):
        return assemble(_from_polars(source), name)
    if _is_pandas(source):
        return _from_pandas(source, name)
    if isinstance(source, np.ndarray):
        return _from_numpy(source, name)
    if isinstance(source, Mapping):
        return _from_columns(source, name)
    if hasattr(source, "__arrow_c_stream__"):
        return _from_arrow(source, name)
    if isinstance(source, list) and source and isinstance(source[0], Mapping):
        return assemble(frame_of_records(source, name), name)
    raise DataError(
        f"{name} is no table; give a file's path, a pandas, polars or Arrow table, "
        "a NumPy array, a SciPy sparse matrix or a dict of columns."
    )


def name_of(source: Any) -> str:
    """Return what to call an object in messages, such as ``pandas.DataFrame``."""
    kind = type(source)
    room = kind.__module__.partition(".")[0].lstrip("_")
    return kind.__qualname__ if room == "builtins" else f"{room}.{kind.__qualname__}"


def frame_of_columns(columns: Mapping[str, Any], source: str) -> pl.DataFrame:
    """Return lists or arrays of equal lengths as a frame."""
    series = [_as_series(name, values, source) for name, values in columns.items()]
    for each in series[1:]:
        if len(each) != len(series[0]):
            raise DataError(
                f"Column {each.name!r} of {source} has {len(each)} values, but column "
                f"{series[0].name!r} has {len(series[0])}."
            )
    return pl.DataFrame(series)


def frame_of_records(records: list[Any], source: str) -> pl.DataFrame:
    """Return mappings from names to values, one a row, as a frame."""
    for position, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            raise DataError(
                f"Entry {position} of {source} is not an object with a value per "
                "column, so it is no row of a table."
            )
    names = dict.fromkeys(name for record in records for name in record)
    given, cells = sum(map(len, records)), len(names) * len(records)
    if cells > max(_MANY_CELLS, _MOSTLY_EMPTY * given):
        raise DataError(
            f"{source} has {len(names):,} columns in {len(records):,} rows, nearly all "
            "of it empty; write what is not zero as svmlight."
        )
    columns = {str(name): [row.get(name) for row in records] for name in names}
    return frame_of_columns(columns, source)


def _as_series(name: str, values: Any, source: str) -> pl.Series:
    """Return one column, of one type; numbers among words are taken as words."""
    if isinstance(values, pl.Series):
        return values.rename(name)
    array = values if isinstance(values, np.ndarray) else None
    if array is not None and array.ndim != 1:
        raise DataError(f"Column {name!r} of {source} has {array.ndim} dimensions.")
    if array is not None and array.dtype.kind in "biufM":
        return _from_typed(name, array)
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise DataError(f"Column {name!r} of {source} is {quoted(values)}, not a list.")
    cells = [_plain(cell) for cell in values]
    _check_flat(name, cells, source)
    if _are_mixed(cells):
        cells = [None if cell is None else str(cell) for cell in cells]
    try:
        return pl.Series(name, cells, strict=False)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise DataError(
            f"Column {name!r} of {source} holds values that are neither numbers, "
            "words nor dates."
        ) from error


def _check_flat(name: str, cells: list[Any], source: str) -> None:
    """Refuse lists and records before polars asks what is in them, however deep."""
    for cell in cells:
        if isinstance(cell, _NESTED):
            held = "records" if isinstance(cell, Mapping) else "lists"
            raise not_flat(name, source, held)


def _from_typed(name: str, array: NDArray[Any]) -> pl.Series:
    if array.dtype.kind == "M":
        array = array.astype("datetime64[us]")
    native = array.dtype.newbyteorder("=")
    return pl.Series(name, np.ascontiguousarray(array, dtype=native))


def _plain(cell: Any) -> Any:
    """Return a cell as a Python value; NaN, NaT and NA are None."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if isinstance(cell, np.generic):
        cell = cell.item()
    # NaN, NaT and pandas.NA are the only cells that do not equal themselves.
    same = cell == cell  # noqa: PLR0124
    if isinstance(same, _TRUTHS) and not same:
        return None
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    return float(cell) if isinstance(cell, decimal.Decimal) else cell


def _are_mixed(cells: list[Any]) -> bool:
    kinds = {_sort(cell) for cell in cells if cell is not None}
    return len(kinds) > 1 and "other" not in kinds


def _sort(cell: Any) -> str:
    if isinstance(cell, str):
        return "word"
    if isinstance(cell, _TRUTHS):
        return "truth"
    if isinstance(cell, _DATES):
        return "date"
    return "number" if isinstance(cell, Real) else "other"


def _from_polars(frame: pl.DataFrame | pl.LazyFrame | pl.Series) -> pl.DataFrame:
    if isinstance(frame, pl.Series):
        return frame.rename(frame.name or "x0").to_frame()
    if isinstance(frame, pl.DataFrame):
        return frame
    try:
        return frame.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        why = first_line(error)
        raise DataError(f"The polars.LazyFrame cannot be collected: {why}.") from error


def _is_pandas(source: Any) -> bool:
    return any(
        kind.__module__.partition(".")[0] == "pandas"
        and kind.__name__ in ("DataFrame", "Series")
        for kind in type(source).__mro__
    )


def _from_pandas(source: Any, name: str) -> Table:
    """Read column by column; the index is not data."""
    frame = source.to_frame() if source.ndim == 1 else source
    names = [str(each) for each in frame.columns]
    check_names(names, name)
    declared: list[str] = []
    columns: dict[str, Any] = {}
    for position, column_name in enumerate(names):
        column = frame.iloc[:, position]
        kind = type(column.dtype).__name__
        if kind == "CategoricalDtype":
            declared.append(column_name)
            column = column.astype(object).map(str, na_action="ignore")
        if kind == "DatetimeTZDtype":
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        columns[column_name] = _pandas_cells(column)
    return assemble(frame_of_columns(columns, name), name, declared=declared)


def _pandas_cells(column: Any) -> Any:
    values = column.to_numpy()
    if values.dtype.kind in "biufM":
        return values
    # Nullable columns arrive as objects; their NA becomes None.
    return [
        None if absent else cell
        for cell, absent in zip(column.to_list(), column.isna().to_numpy(), strict=True)
    ]


def _from_numpy(array: NDArray[Any], name: str) -> Table:
    """Read fields of a structured array, or the columns of a plain one as x0, x1."""
    if array.dtype.names:
        fields = {field: array[field] for field in array.dtype.names}
        return assemble(frame_of_columns(fields, name), name)
    if array.dtype.kind == "c":
        raise DataError(f"{name} holds complex numbers; give real ones.")
    if array.ndim not in (1, 2):
        raise DataError(
            f"{name} has {array.ndim} dimensions; a table has one column or two "
            "dimensions."
        )
    grid = array[:, None] if array.ndim == 1 else array
    columns = {f"x{position}": grid[:, position] for position in range(grid.shape[1])}
    return assemble(frame_of_columns(columns, name), name)


def _from_columns(source: Mapping[Any, Any], name: str) -> Table:
    check_names((str(key) for key in source), name)
    columns = {str(key): values for key, values in source.items()}
    return assemble(frame_of_columns(columns, name), name)


def _from_arrow(source: Any, name: str) -> Table:
    names = [str(each) for each in getattr(source, "column_names", ())]
    check_names(names, name)
    try:
        frame = pl.DataFrame(source)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        why = first_line(error)
        raise DataError(f"{name} cannot be read as a table: {why}.") from error
    return assemble(frame, name)
