"""A table: rows of samples under named, typed columns, and where they came from."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from infimum.data.column import Column, ColumnKind
from infimum.data.rows import row_positions
from infimum.data.short_columns import is_short
from infimum.data.spelling import did_you_mean
from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["Table"]

_USELESS = frozenset({ColumnKind.IDENTIFIER, ColumnKind.CONSTANT})


@dataclass(frozen=True, eq=False)
class Table:
    """Samples as rows, under columns whose kind has been understood.

    Made by :func:`infimum.data.read_table`. Missing values are nulls, whatever the
    source wrote; no value is infinite; column names are distinct.

    Attributes
    ----------
    frame : polars.DataFrame
        The values: numbers, booleans, dates or strings.
    columns : tuple of Column
        One description per column of the frame, in its order.
    source : str
        The file's name, or the type of the object that was read.
    warnings : tuple of str
        What a careful reader should know before learning from this table.
    """

    frame: pl.DataFrame
    columns: tuple[Column, ...]
    source: str
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.frame.height

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """Return the description of one column; DataError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        hint = did_you_mean(str(name), self.names)
        raise DataError(f"No column {name!r} in {self.source}{hint}")

    def features(self, target: str | None = None) -> tuple[Column, ...]:
        """Return the columns to learn from: not the target, identifiers, constants."""
        if target is not None:
            self.column(target)
        return tuple(
            column
            for column in self.columns
            if column.name != target and column.kind not in _USELESS
        )

    def without(self, names: Collection[str]) -> pl.DataFrame:
        """Return the values of all columns but the named ones."""
        # By a list of names, which polars does not take for patterns.
        return self.frame[[name for name in self.names if name not in names]]

    def rows(self, indices: Sequence[int] | Indices) -> "Table":
        """Return the given rows as a table; kinds stay, counts are computed again."""
        frame = self.frame[row_positions(indices, len(self), self.source)]
        columns = tuple(
            replace(
                column,
                missing=frame[column.name].null_count(),
                distinct=frame[column.name].drop_nulls().n_unique(),
            )
            for column in self.columns
        )
        return Table(frame, columns, self.source, self.warnings)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names and values, the same whichever file format held them."""
        digest = hashlib.sha256()
        for series in self.frame.iter_columns():
            _absorb(digest, series)
        return digest.hexdigest()


def _absorb(digest: "hashlib._Hash", series: pl.Series) -> None:
    """Feed one column: name, kind of number, which are missing, then the values."""
    dtype = series.dtype
    if dtype == pl.String:
        kind, payload = "words", _letters(series)
    elif dtype.is_float():
        # Adding zero gives -0.0 and 0.0, which are equal, the same bytes.
        kind, values = "reals", np.array(series.to_numpy(), dtype="<f8")
        values[np.isnan(values)] = 0.0  # where missing
        payload = (values + 0.0).tobytes()
    else:
        moments = series.cast(pl.Datetime("us")) if dtype.is_temporal() else series
        kind = "dates" if dtype.is_temporal() else "whole numbers"
        whole = moments.cast(pl.Int64, wrap_numerical=True)
        whole = whole.fill_null(0) if whole.null_count() else whole
        payload = whole.to_numpy().tobytes()
    missing = np.zeros(len(series), dtype=bool)
    if series.null_count():
        missing = series.is_null().to_numpy()
    digest.update(f"{series.name}\0{kind}\0{len(series)}\0".encode())
    digest.update(np.packbits(missing).tobytes())
    digest.update(payload)


def _letters(series: pl.Series) -> bytes:
    """Return how long all words are, then the words."""
    if is_short(series):
        words = [(word or "").encode() for word in series.to_list()]
        return np.array([*map(len, words)], dtype="<u4").tobytes() + b"".join(words)
    lengths, letters = series.str.len_bytes(), series.str.join("")
    payload = lengths.fill_null(0).to_numpy().astype("<u4").tobytes()
    return payload + (letters.item() or "").encode()
