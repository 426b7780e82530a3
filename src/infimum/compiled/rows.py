"""Rows of a table, dense or compressed, as loops that read one row at a time take them.

A loop is written once, in terms of `span`, `place`, `entry`, `dot` and `add`; numba
compiles it for each of the two kinds.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from scipy import sparse

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.prefetch import fetch_row
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "DenseRows", "Rows", "SparseRows", "add", "dot", "entry", "fetch", "place",
    "rows_of", "span",
]  # fmt: skip

#: Sums may be reordered, so that they run on vector registers; infinities and NaN
#: keep their meaning.
_REORDER = {"reassoc", "contract", "nsz"}
_U = np.uint64


class DenseRows(NamedTuple):
    """A table whose rows are contiguous."""

    X: Matrix


class SparseRows(NamedTuple):
    """Compressed rows; places are unsigned, so that none counts from the end."""

    starts: Indices
    places: Indices
    entries: Vector


Rows = DenseRows | SparseRows


def rows_of(X: Any, dtype: Any = None) -> Rows:
    """Return a matrix of NumPy or SciPy as rows for loops, with entries of `dtype`."""
    if not sparse.issparse(X):
        return DenseRows(np.ascontiguousarray(X, dtype=dtype))
    held: Any = X
    held = held.tocsr()
    places = held.indices.view(f"u{held.indices.itemsize}")
    return SparseRows(
        held.indptr, places, held.data.astype(dtype or held.dtype, copy=False)
    )


def span(rows: Any, i: Any) -> Any:
    """Return where the entries of row i begin and end."""
    if isinstance(rows, DenseRows):
        return _U(0), _U(rows.X.shape[1])
    return _U(rows.starts[i]), _U(rows.starts[i + 1])


def place(rows: Any, k: Any) -> Any:
    """Return the column of the entry with number k of `span`."""
    return k if isinstance(rows, DenseRows) else rows.places[k]


def entry(rows: Any, i: Any, k: Any) -> Any:
    """Return the entry of row i with number k of `span`."""
    return rows.X[i, k] if isinstance(rows, DenseRows) else rows.entries[k]


def dot(rows: Any, i: Any, w: Any) -> Any:
    """Return the product of row i with a vector."""
    if isinstance(rows, DenseRows):
        return np.dot(rows.X[i], w[: rows.X.shape[1]])
    begin, end = span(rows, i)
    return np.dot(rows.entries[begin:end], w[rows.places[begin:end]])


def fetch(rows: Any, i: Any) -> None:
    """Ask for a dense row before it is needed."""


@inner_loop()
def add(rows: Any, i: Any, change: float, w: Vector) -> None:
    """Add a multiple of row i to a vector."""
    begin, end = span(rows, i)
    for k in range(begin, end):
        w[place(rows, k)] += change * entry(rows, i, k)


def _dense(rows: Any) -> bool:
    return rows.instance_class is DenseRows


@overload(span, strict=False)
def _span(rows: Any, i: Any) -> Any:
    if _dense(rows):
        return lambda rows, i: (_U(0), _U(rows.X.shape[1]))  # noqa: ARG005
    return lambda rows, i: (_U(rows.starts[i]), _U(rows.starts[i + 1]))


@overload(place, strict=False)
def _place(rows: Any, k: Any) -> Any:
    if _dense(rows):
        return lambda rows, k: k  # noqa: ARG005
    return lambda rows, k: rows.places[k]


@overload(entry, strict=False)
def _entry(rows: Any, i: Any, k: Any) -> Any:
    if _dense(rows):
        return lambda rows, i, k: rows.X[i, k]
    return lambda rows, i, k: rows.entries[k]  # noqa: ARG005


@overload(fetch, strict=False)
def _fetch(rows: Any, i: Any) -> Any:
    if _dense(rows):
        return lambda rows, i: fetch_row(rows.X, i)
    return lambda rows, i: None  # noqa: ARG005


@overload(dot, strict=False, jit_options={"fastmath": _REORDER})
def _dot(rows: Any, i: Any, w: Any) -> Any:
    return _dense_dot if _dense(rows) else _sparse_dot


def _dense_dot(rows: Any, i: Any, w: Any) -> Any:
    score = 0.0
    for j in range(_U(rows.X.shape[1])):
        score += rows.X[i, j] * w[j]
    return score


def _sparse_dot(rows: Any, i: Any, w: Any) -> Any:
    # Eight sums: one alone would wait for each addition before the next.
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x, at = rows.entries, rows.places
    k, stop = _U(rows.starts[i]), _U(rows.starts[i + 1])
    while k + _U(8) <= stop:
        a += x[k] * w[at[k]]
        b += x[k + _U(1)] * w[at[k + _U(1)]]
        c += x[k + _U(2)] * w[at[k + _U(2)]]
        d += x[k + _U(3)] * w[at[k + _U(3)]]
        e += x[k + _U(4)] * w[at[k + _U(4)]]
        f += x[k + _U(5)] * w[at[k + _U(5)]]
        g += x[k + _U(6)] * w[at[k + _U(6)]]
        h += x[k + _U(7)] * w[at[k + _U(7)]]
        k += _U(8)
    while k < stop:
        a += x[k] * w[at[k]]
        k += _U(1)
    return ((a + b) + (c + d)) + ((e + f) + (g + h))
