"""Arrays and dataframes of dask as rows: their chunks are spooled once, in order."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from infimum.data.streams import Scan
from infimum.data.streams.first_pass import Layout
from infimum.data.streams.frames import kinds_of
from infimum.errors import DataError

__all__ = ["collected"]

TARGET, WEIGHT = "\0target", "\0weight"


def collected(
    X: Any, y: Any = None, sample_weight: Any = None, *, spool: Any = None
) -> Scan:
    """Return the rows of a dask array or dataframe, to be streamed by ``fit(rows)``.

    Parameters
    ----------
    X : dask array or dataframe
        Samples; an array is cut along the rows only.
    y, sample_weight : dask array, series or arrays, optional
        Targets and weights of the rows.
    spool : path, optional
        The folder for the encoded copy, which all workers must see.
    """
    named = hasattr(X, "columns")
    blocks = _delayed(X, "X")
    extras = {
        name: _parts(values, X, len(blocks), what)
        for name, values, what in (
            (TARGET, y, "y"),
            (WEIGHT, sample_weight, "sample_weight"),
        )
        if values is not None
    }

    def frames() -> Iterator[pl.DataFrame]:
        for k, block in enumerate(blocks):
            parts = [block, *(extra[k] for extra in extras.values())]
            found = import_module("dask").compute(*parts)
            yield _frame(found[0], dict(zip(extras, found[1:], strict=True)), X)

    first = next(frames(), None)
    if first is None or not first.width:
        raise DataError("The collection has no rows.")
    guess = kinds_of(dict(first.schema), "the collection")
    target = TARGET if y is not None else None
    weight = WEIGHT if sample_weight is not None else None
    layout = Layout([], guess, target, weight, (), frames, named)
    return Scan(layout, spool)


def _delayed(values: Any, what: str) -> list[Any]:
    """Return the chunks of a collection, one after another."""
    found = np.asarray(values.to_delayed())
    if found.ndim > 1 and found.shape[1] > 1:
        raise DataError(
            f"{what} is cut along the columns too: {what}.rechunk({{1: -1}}) puts them "
            "together."
        )
    if hasattr(values, "ndim") and values.ndim not in (1, 2):
        raise DataError(f"{what} must have rows and columns, got {values.ndim} axes.")
    return list(found.ravel())


def _parts(values: Any, X: Any, count: int, what: str) -> list[Any]:
    """Return targets or weights chunk by chunk, as X is cut."""
    known = getattr(X, "chunks", None)
    lengths = None if known is None or np.isnan(known[0]).any() else known[0]
    if not hasattr(values, "to_delayed"):
        if lengths is None:
            raise DataError(f"{what} must be a dask collection, cut as X is.")
        cuts = np.cumsum([0, *lengths])
        if len(values) != cuts[-1]:
            raise DataError(f"{what} has {len(values)} rows, but X has {cuts[-1]}.")
        array = np.asarray(values)
        return [array[a:b] for a, b in pairwise(cuts)]
    if lengths is not None and getattr(values, "chunks", None) != (lengths,):
        own = getattr(values, "shape", (None,))[0]
        if hasattr(values, "rechunk") and own == sum(lengths):
            values = values.rechunk((lengths,))
    found = _delayed(values, what)
    if len(found) != count:
        raise DataError(f"{what} has {len(found)} chunks, but X has {count}.")
    return found


def _frame(block: Any, extras: dict[str, Any], X: Any) -> pl.DataFrame:
    """Return one chunk as a frame, its target and weight beside it."""
    if hasattr(X, "columns"):
        frame = pl.DataFrame(
            {str(n): pl.Series(block[n].to_numpy()) for n in X.columns}
        )
    else:
        block = block.toarray() if hasattr(block, "toarray") else np.asarray(block)
        names = [f"x{j}" for j in range(block.shape[1])]
        frame = pl.DataFrame(np.asarray(block, dtype=np.float64), schema=names)
    for name, values in extras.items():
        column = np.asarray(values)
        if len(column) != frame.height:
            raise DataError(
                f"A chunk of X has {frame.height} rows, but that of the "
                f"{name[1:]} {len(column)}."
            )
        kind = column.dtype.kind
        series = pl.Series(name, column if kind in "biuf" else column.astype(str))
        frame = frame.with_columns(series)
    return frame
