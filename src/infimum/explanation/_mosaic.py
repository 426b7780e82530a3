"""Synthetic rows that combine values which a table already has."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["Mosaic", "column_groups"]

#: The most entries of a sparse matrix that may be spelled out.
_MOST_SPELLED_OUT = 50_000_000


class Mosaic:
    """A table (array, pandas or polars frame) whose columns can be exchanged.

    Everything an explanation shows to a model is made by taking each column's value
    from some row of the table. So no value is invented, whatever its type, and
    missing values stay missing.
    """

    def __init__(self, X: Any) -> None:
        self.kind = _kind(X)
        if self.kind == "sparse" and X.shape[0] * X.shape[1] > _MOST_SPELLED_OUT:
            raise DataError(
                f"A sparse matrix of shape {X.shape} is too large to explain column "
                "by column; give fewer rows."
            )
        spelled = X.toarray() if self.kind == "sparse" else X
        self.X: Any = np.asarray(X) if self.kind == "array" else spelled
        self._columns: dict[int, NDArray[Any]] = {}
        if np.ndim(self.X) != 2 or len(self.X) == 0:  # noqa: PLR2004
            raise DataError(
                f"An explanation needs rows and columns, got shape {np.shape(self.X)}."
            )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns; ``x0``, ``x1``, ... for arrays."""
        if self.kind in ("pandas", "polars"):
            return tuple(str(name) for name in self.X.columns)
        return tuple(f"x{place}" for place in range(self.X.shape[1]))

    def place(self, column: Any) -> int:
        """Return the position of a column that is given by name or position."""
        names = self.names
        if isinstance(column, str) and column in names:
            return names.index(column)
        whole = isinstance(column, int | np.integer) and not isinstance(column, bool)
        if whole and -len(names) <= column < len(names):
            return int(column) % len(names)
        shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")  # noqa: PLR2004
        raise DataError(f"There is no column {column!r}; the table has {shown}.")

    def column(self, place: int) -> NDArray[Any]:
        """Return a column's values: floats if it is numeric, else objects."""
        if place not in self._columns:
            self._columns[place] = self._read(place)
        return self._columns[place]

    def _read(self, place: int) -> NDArray[Any]:
        if self.kind == "pandas":
            series = self.X.iloc[:, place]
            values = series.to_numpy(dtype=object, na_value=None)
        elif self.kind == "polars":
            values = np.array(self.X[:, place].to_list(), dtype=object)
        else:
            values = self.X[:, place]
        return _as_numbers(values)

    def numeric(self, place: int) -> bool:
        """Tell whether a column holds numbers that have an order."""
        return bool(self.column(place).dtype.kind == "f")

    def rows(self, positions: Indices | Sequence[int]) -> Any:
        """Return some rows as a table of the same kind."""
        sources = np.repeat(np.asarray(positions)[:, None], len(self.names), axis=1)
        return self.pieced(sources)

    def pieced(self, sources: Indices) -> Any:
        """Return the table whose entry (i, j) is this one's (sources[i, j], j)."""
        if self.kind == "pandas":
            return self._pieced_pandas(sources)
        if self.kind == "polars":
            return self.X.clear().vstack(
                type(self.X)(
                    [
                        self.X[:, place][sources[:, place]]
                        for place in range(sources.shape[1])
                    ]
                )
            )
        made = self.X[sources, np.arange(sources.shape[1])]
        if self.kind == "sparse":
            from scipy.sparse import csr_matrix

            return csr_matrix(made)
        return made

    def joined(self, other: Any) -> "Mosaic":
        """Return this table with the rows of another one of its kind below."""
        below = Mosaic(other)
        if below.names != self.names or below.kind != self.kind:
            raise DataError(
                f"The background has columns {', '.join(below.names[:8])} and the rows "
                f"have {', '.join(self.names[:8])}: they must be alike."
            )
        if self.kind == "pandas":
            import pandas as pd

            return Mosaic(pd.concat([self.X, below.X], ignore_index=True))
        if self.kind == "polars":
            return Mosaic(self.X.vstack(below.X))
        both = Mosaic(np.concatenate([self.X, below.X]))
        both.kind = self.kind
        return both

    def _pieced_pandas(self, sources: Indices) -> Any:
        import pandas as pd

        columns = [
            self.X.iloc[sources[:, place], place].reset_index(drop=True)
            for place in range(sources.shape[1])
        ]
        made = pd.concat(columns, axis=1)
        made.columns = self.X.columns
        return made


def column_groups(
    table: Mosaic, groups: Mapping[str, Sequence[Any]] | None
) -> dict[str, list[int]]:
    """Return the positions of the columns of each group; by default one a column."""
    if groups is None:
        return {name: [place] for place, name in enumerate(table.names)}
    found = {
        name: [table.place(c) for c in columns] for name, columns in groups.items()
    }
    if not found or not all(found.values()):
        raise DataError("Groups of columns must not be empty.")
    return found


def _kind(X: Any) -> str:
    module = type(X).__module__.partition(".")[0]
    if module in ("pandas", "polars") and hasattr(X, "columns"):
        return module
    return "sparse" if hasattr(X, "toarray") else "array"


def _as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "fiu":
        return values.astype(np.float64)
    if values.dtype.kind == "b":
        return values.astype(object)
    known = [v for v in values.tolist() if v is not None and v == v]  # noqa: PLR0124
    if known and all(_is_number(value) for value in known):
        floats = [np.nan if v is None or v != v else float(v) for v in values.tolist()]  # noqa: PLR0124
        return np.array(floats)
    return values.astype(object)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
