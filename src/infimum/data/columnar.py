"""Parquet and Arrow files, which know their columns' types already."""

import io

import polars as pl

from infimum.data.assembly import assemble
from infimum.data.table import Table
from infimum.errors import DataError

__all__ = ["read_arrow", "read_parquet"]

_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def read_parquet(content: bytes, source: str) -> Table:
    """Return a table from a Parquet file."""
    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except _FAILURES as error:
        raise DataError(f"{source} is not a complete Parquet file.") from error
    return assemble(frame, source)


def read_arrow(content: bytes, source: str) -> Table:
    """Return a table from an Arrow (Feather) file, or an Arrow stream."""
    read = pl.read_ipc if content.startswith(b"ARROW1") else pl.read_ipc_stream
    try:
        frame = read(io.BytesIO(content))
    except _FAILURES as error:
        raise DataError(f"{source} is not a complete Arrow file.") from error
    return assemble(frame, source)
