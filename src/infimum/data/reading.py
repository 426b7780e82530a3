"""The reader: one function for every file and object that holds a table."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike
from scipy import sparse

from infimum.data.columnar import read_arrow, read_parquet
from infimum.data.delimited import read_delimited
from infimum.data.files import bare, format_of, load_bytes, locate, utf8
from infimum.data.json_records import read_json
from infimum.data.sources import from_memory, name_of
from infimum.data.sparse_table import SparseTable, from_matrix
from infimum.data.svmlight import looks_like_svmlight, read_svmlight
from infimum.data.table import Table
from infimum.data.target import check_target
from infimum.data.unpacking import MOST_UNPACKED
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain, whole

__all__ = ["read_table"]

#: How files begin whose name does not say what they hold.
_MAGIC = {
    re.compile(rb"PAR1"): "parquet",
    re.compile(rb"ARROW1"): "arrow",
    re.compile(rb"\s*(?:\[\s*)?\{"): "json",
}

_NAMELESS = "standard input"

_FORMATS = Choice((None, "csv", "tsv", "parquet", "arrow", "json", "svmlight"))


def read_table(
    source: Any,
    *,
    target: str | ArrayLike | None = None,
    format: str | None = None,  # noqa: A002
    max_unpacked: int = MOST_UNPACKED,
) -> Table | SparseTable:
    """Read a table from a file or an object, and understand its columns.

    Parameters
    ----------
    source : path or object
        A CSV, TSV, Parquet, Arrow/Feather, JSON-lines or svmlight file, also compressed
        by gzip, bzip2, xz or zip; a file that is open for reading bytes; or a pandas,
        polars or pyarrow table, a NumPy array, a SciPy sparse matrix, a dict of
        columns, a list of records.
    target : str or array, optional
        The column to predict. It is checked as :func:`check_target` does, and rows
        without it are dropped with a warning. For a sparse matrix, its labels.
    format : str, optional
        ``csv``, ``tsv``, ``parquet``, ``arrow``, ``json`` or ``svmlight``; by default
        the file's ending says.
    max_unpacked : int, default=2,000,000,000
        Bytes that a compressed file may unpack to; more are refused.

    Returns
    -------
    Table or SparseTable
        Sparse for svmlight files and SciPy matrices, which are never made dense.

    Raises
    ------
    DataError
        One sentence that says where and why the table cannot be read.

    Examples
    --------
    >>> from infimum.data import read_table
    >>> table = read_table({"size": [50, 75, 80], "sold": ["yes", "no", "yes"]})
    >>> [(column.name, str(column.kind)) for column in table.columns]
    [('size', 'numeric'), ('sold', 'boolean')]
    """
    check_domain("read_table.format", format, _FORMATS)
    check_domain("read_table.max_unpacked", max_unpacked, whole(1))
    if sparse.issparse(source):
        return _checked(from_matrix(source, name_of(source), target=target))
    table: Table | SparseTable
    if isinstance(source, str | os.PathLike):
        table = _from_file(Path(source), format, max_unpacked)
    # A frame may have a column of that name.
    elif callable(getattr(source, "read", None)):
        table = _from_stream(source, format, max_unpacked)
    elif isinstance(source, Table | SparseTable):
        table = source
    else:
        table = from_memory(source)
    if target is None:
        return table
    if isinstance(table, SparseTable):
        raise DataError(
            f"{table.source} carries its target as the first number of every line; "
            "leave target= out."
        )
    if not isinstance(target, str):
        raise DataError("The target of a table is the name of a column.")
    return check_target(table, target).table


def _checked(table: SparseTable) -> SparseTable:
    if table.target is None:
        return table
    return check_target(table).table


def _from_file(path: Path, format: str | None, most: int) -> Table | SparseTable:  # noqa: A002
    """Read a file by its format; if its name does not say, by its first line."""
    path = locate(path.expanduser())
    kind = format or format_of(path)
    return _from_bytes(load_bytes(path, most), path.name, kind, most)


def _from_stream(stream: Any, format: str | None, most: int) -> Table | SparseTable:  # noqa: A002
    """Read an open file to its end; its first bytes say its format."""
    named = getattr(stream, "name", None)
    # Standard input calls itself <stdin>, a bare descriptor by its number.
    known = isinstance(named, str) and named != "<stdin>"
    name = Path(str(named)).name if known else _NAMELESS
    return _from_bytes(bare(_all_of(stream, name), name, most), name, format, most)


def _all_of(stream: Any, name: str) -> bytes:
    content = stream.read()
    if not isinstance(content, bytes):
        raise DataError(f"{name} is open for text; open it for bytes (mode 'rb').")
    if not content:
        raise DataError(f"{name} is empty.")
    return content


def _from_bytes(
    content: bytes, source: str, kind: str | None, most: int
) -> Table | SparseTable:
    kind = kind or _by_first_bytes(content)
    if kind == "parquet":
        return read_parquet(content, source, most)
    if kind == "arrow":
        return read_arrow(content, source, most)
    text, note = utf8(content, source)
    # Whoever reads the text is the last to hold it, and can let it go early.
    held = [text]
    del content, text
    table = _from_text(held, source, kind)
    return replace(table, warnings=(note, *table.warnings)) if note else table


def _from_text(text: list[bytes], source: str, kind: str | None) -> Table | SparseTable:
    if kind == "json":
        return read_json(text.pop(), source)
    if kind == "svmlight" or (kind is None and looks_like_svmlight(text[0])):
        return read_svmlight(text.pop(), source)
    separator = "\t" if kind == "tsv" else None
    return read_delimited(text.pop(), source, separator=separator)


def _by_first_bytes(content: bytes) -> str | None:
    """Return the format of a file whose name does not say it, if that is clear."""
    for magic, kind in _MAGIC.items():
        if magic.match(content):
            return kind
    return None
