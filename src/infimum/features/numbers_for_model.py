"""The columns of a table that a fitted model knows, as numbers."""

from typing import Any

import numpy as np
import polars as pl
from scipy import sparse
from sklearn.utils import get_tags

from infimum.data import SparseTable, Table
from infimum.data.spelling import did_you_mean, quoted
from infimum.errors import DataError
from infimum.features._column_values import as_numbers

__all__ = ["numbers_for"]


def numbers_for(model: Any, table: Table | SparseTable) -> Any:
    """Return the columns that a fitted model knows as numbers, in its order.

    They are found by name where the model was fitted on names; else the table must have
    as many columns as the model takes. DataError says what is missing.
    """
    if not hasattr(model, "predict"):
        raise DataError(f"A {type(model).__name__} predicts nothing.")
    if isinstance(table, SparseTable):
        return _as_wide(sparse.csr_matrix(table.matrix), model, table.source)
    columns = _columns(model, table)
    X = np.column_stack([as_numbers(column) for column in columns])
    gaps = np.isnan(X)
    if gaps.any() and not get_tags(model).input_tags.allow_nan:
        row, place = (int(k) for k in np.argwhere(gaps)[0])
        raise DataError(
            f"Column {quoted(columns[place].name)} of {table.source} has no value in "
            f"row {row + 1}, and {type(model).__name__} takes no missing values."
        )
    # Whoever was fitted on names wants to see them again.
    named = hasattr(model, "feature_names_in_")
    return pl.DataFrame(X, schema=[column.name for column in columns]) if named else X


def _columns(model: Any, table: Table) -> list[pl.Series]:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        wanted = getattr(model, "n_features_in_", len(table.names))
        if wanted != len(table.names):
            raise DataError(
                f"The model takes {wanted} columns of numbers, and {table.source} has "
                f"{len(table.names)}; keep those that it was fitted on, in their order."
            )
        return table.frame.get_columns()
    known = {column.name: column for column in table.frame.get_columns()}
    for name in names:
        if name not in known:
            hint = did_you_mean(str(name), known)
            raise DataError(f"{table.source} has no column {quoted(name)}{hint}")
    return [known[name] for name in names]


def _as_wide(rows: Any, model: Any, source: str) -> Any:
    """Add the last columns of a sparse table that no row of it mentions."""
    wanted = getattr(model, "n_features_in_", rows.shape[1])
    if rows.shape[1] > wanted:
        raise DataError(
            f"The model takes {wanted} columns, and {source} has {rows.shape[1]}."
        )
    rows.resize(rows.shape[0], wanted)
    return rows
