"""The LIBSVM (svmlight) format: ``label index:value index:value ...`` per line.

Indices start at 1; what is not listed is zero; ``#`` starts a comment; ``qid:3``
after the label says which query a row belongs to. The whole file is split in compiled
code, and a malformed line is named by its number.
"""

import re

import numpy as np
import polars as pl
from scipy import sparse

from infimum.data.sparse_table import SparseTable
from infimum.data.spelling import quoted
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["looks_like_svmlight", "read_svmlight"]

_LINE = re.compile(
    rb"\s*[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?:\s+qid:\d+)?(?:\s+\d+:[^\s:]+)+\s*(?:#.*)?$"
)
_LARGEST = 2**31 - 1


def looks_like_svmlight(text: bytes) -> bool:
    """Tell whether the first line of a file is a label with index:value pairs."""
    first = text[: text.find(b"\n") % (len(text) + 1)]
    return _LINE.match(first.rstrip(b"\r")) is not None


def read_svmlight(text: bytes, source: str) -> SparseTable:
    """Return a sparse table from UTF-8 text; DataError names the line that is wrong."""
    lines = pl.Series("line", text.decode().split("\n"))
    bare = lines.str.replace(r"#.*", "").str.strip_chars()
    rows = (
        pl.DataFrame({"number": np.arange(1, len(bare) + 1), "line": bare})
        .filter(pl.col("line") != "")
        .with_row_index("row")
        .with_columns(pl.col("line").str.extract_all(r"\S+").alias("tokens"))
    )
    if not rows.height:
        raise DataError(f"{source} has no rows.")
    labels = _labels(rows, source)
    pairs = (
        rows.select("row", "number", pl.col("tokens").list.slice(1))
        .explode("tokens")
        .drop_nulls()
        .with_columns(pl.col("tokens").str.splitn(":", 2).alias("halves"))
        .unnest("halves")
    )
    queries = pairs.filter(pl.col("field_0") == "qid")
    pairs = pairs.filter(pl.col("field_0") != "qid")
    groups = _groups(queries, rows.height, source)
    matrix = _matrix(pairs, rows.height, source)
    return SparseTable(matrix, labels, source, groups=groups)


def _labels(rows: pl.DataFrame, source: str) -> Vector:
    words = rows["tokens"].list.first()
    labels = words.cast(pl.Float64, strict=False)
    wrong = labels.is_null() | ~labels.is_finite()
    if wrong.any():
        at = wrong.arg_true()[0]
        raise DataError(
            f"Line {rows['number'][at]} of {source} starts with {quoted(words[at])}, "
            "where its label should be a number."
        )
    numbers = labels.to_numpy()
    whole = np.abs(numbers).max() < 2.0**53 and (numbers == np.round(numbers)).all()
    return numbers.astype(np.int64) if whole else numbers


def _groups(queries: pl.DataFrame, n: int, source: str) -> Vector | None:
    if not queries.height:
        return None
    numbers = queries["field_1"].cast(pl.Int64, strict=False)
    _refuse(queries, numbers.is_null(), source, "is no query number")
    if queries["row"].n_unique() != n or queries.height != n:
        raise DataError(f"{source} says the query (qid) of some rows, but not of each.")
    return numbers.to_numpy()


def _matrix(pairs: pl.DataFrame, n: int, source: str) -> sparse.csr_array:
    """Return the entries as rows of a matrix, after checking each of them."""
    indices = pairs["field_0"].cast(pl.Int64, strict=False)
    values = pairs["field_1"].cast(pl.Float64, strict=False)
    malformed = indices.is_null() | values.is_null()
    _refuse(pairs, malformed, source, "is not of the form index:value")
    _refuse(pairs, indices < 1, source, "has an index below 1; indices start at 1")
    _refuse(pairs, indices > _LARGEST, source, f"has an index above {_LARGEST}")
    _refuse(pairs, ~values.is_finite(), source, "is not a finite number")
    if not pairs.height:
        raise DataError(f"{source} lists no features at all.")
    cells = pl.DataFrame({"row": pairs["row"], "index": indices})
    _refuse(pairs, ~cells.is_unique(), source, "lists its index twice")
    entries = (values.to_numpy(), (pairs["row"].to_numpy(), indices.to_numpy() - 1))
    matrix = sparse.csr_array(entries, shape=(n, int(indices.max())))  # type: ignore[arg-type]
    matrix.sort_indices()
    return matrix


def _refuse(pairs: pl.DataFrame, wrong: pl.Series, source: str, why: str) -> None:
    if wrong.any():
        at = wrong.arg_true()[0]
        line, token = pairs["number"][at], pairs["tokens"][at]
        raise DataError(f"Line {line} of {source} is malformed: {quoted(token)} {why}.")
