"""The door of sequences: lists of tables, or one table and the lengths in it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.data.doors.weights import weighed
from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Sequences", "sequences"]


class Sequences(NamedTuple):
    """Rows of all sequences one below the other, and where each of them ends."""

    X: Matrix
    lengths: Indices
    weights: Vector
    #: Whether the user gave a list, and wants one back.
    listed: bool

    def split(self, values: Any) -> Any:
        """Return what belongs to the rows in the form in which the rows came."""
        if not self.listed:
            return values
        return np.split(values, np.cumsum(self.lengths)[:-1])


def sequences(
    owner: str, X: Any, lengths: Any = None, sample_weight: Any = None
) -> Sequences:
    """Admit sequences of numbers; NaN is a missing value.

    A list, tuple or generator holds one table for each sequence; a sequence of plain
    numbers is a table of one column. A single table is one sequence, or several if
    `lengths` are given. Weights are of sequences.
    """
    listed = not hasattr(X, "shape") and not _is_table(X)
    if listed:
        if lengths is not None:
            raise DataError(f"{owner} takes lengths with one table, not with a list.")
        tables = [_table(owner, each) for each in X]
        if not tables:
            raise DataError(f"{owner} needs one sequence or more.")
        sizes = np.array([len(each) for each in tables])
        widths = {each.shape[1] for each in tables}
        if len(widths) > 1:
            raise DataError(
                f"{owner} needs sequences with the same columns, got {sorted(widths)}."
            )
        rows = np.concatenate(tables)
    else:
        rows = _table(owner, X)
        sizes = np.array([len(rows)]) if lengths is None else _sizes(owner, lengths)
        if sizes.sum() != len(rows):
            raise DataError(
                f"{owner}: lengths sum to {sizes.sum()}, there are {len(rows)} rows."
            )
    if sizes.min() < 1:
        raise DataError(f"{owner}: sequence {int(sizes.argmin())} is empty.")
    weights = weighed(sample_weight, np.zeros((len(sizes), 1)))
    weights = np.ones(len(sizes)) if weights is None else weights
    return Sequences(rows, sizes.astype(np.int64), weights, listed)


def _is_table(X: Any) -> bool:
    """Tell whether a plain list is one table: rows of numbers."""
    if not isinstance(X, list | tuple) or len(X) == 0:
        return False
    first = X[0]
    return isinstance(first, list | tuple) and all(np.ndim(v) == 0 for v in first)


def _table(owner: str, given: Any) -> Matrix:
    try:
        rows = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{owner} needs sequences of numbers.") from None
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] == 0:  # noqa: PLR2004
        raise DataError(
            f"{owner} needs tables with a row for each step, got shape {rows.shape}."
        )
    if np.isinf(rows).any():
        raise DataError(f"{owner} needs finite numbers, or NaN for what is missing.")
    return np.ascontiguousarray(rows)


def _sizes(owner: str, lengths: Any) -> Indices:
    sizes = np.asarray(lengths)
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or len(sizes) == 0:
        raise DataError(f"{owner} needs whole numbers as lengths.")
    return sizes
