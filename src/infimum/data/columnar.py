"""Parquet and Arrow files, which know their columns' types already."""

import io

import polars as pl

from infimum.data.assembly import assemble
from infimum.data.table import Table
from infimum.data.unpacking import check_unpacked
from infimum.errors import DataError

__all__ = ["read_arrow", "read_parquet"]

_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def read_parquet(content: bytes, source: str, most: int) -> Table:
    """Return a table from a Parquet file."""
    try:
        _check_size(pl.scan_parquet(io.BytesIO(content)), source, most)
        frame = pl.read_parquet(io.BytesIO(content))
    except _FAILURES as error:
        raise DataError(f"{source} is not a complete Parquet file.") from error
    return assemble(frame, source)


def read_arrow(content: bytes, source: str, most: int) -> Table:
    """Return a table from an Arrow (Feather) file, or an Arrow stream."""
    whole = content.startswith(b"ARROW1")
    read = pl.read_ipc if whole else pl.read_ipc_stream
    try:
        if whole:  # a stream does not say how long it is
            _check_size(pl.scan_ipc(io.BytesIO(content)), source, most)
        frame = read(io.BytesIO(content))
    except _FAILURES as error:
        raise DataError(f"{source} is not a complete Arrow file.") from error
    return assemble(frame, source)


def _check_size(lazy: pl.LazyFrame, source: str, most: int) -> None:
    """Refuse by its header a file whose cells take too much, at eight bytes each."""
    rows = int(lazy.select(pl.len()).collect().item())
    check_unpacked(8 * rows * len(lazy.collect_schema()), source, most)
