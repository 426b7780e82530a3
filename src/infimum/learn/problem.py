"""The learning problem: rows, targets and how the columns are to be read."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from sklearn.preprocessing import MaxAbsScaler

from infimum.data import SparseTable, Table, Target, Task, check_target, read_table
from infimum.errors import DataError
from infimum.evaluation import Split, hold_out
from infimum.features import TableEncoder
from infimum.learn.result import ColumnNote

__all__ = ["TEST_FRACTION", "Problem", "pose", "split_off_test"]

TEST_FRACTION = 0.2
#: Rows that two classes need, so that the test set and every fold get some.
_FEWEST = 5


@dataclass(frozen=True)
class Problem:
    """What is to be learned, ready for splitting.

    Attributes
    ----------
    rows : polars.DataFrame or scipy.sparse.csr_matrix
        The rows without their target; both are indexed by positions.
    y : ndarray
        One target a row.
    classes : ndarray
        The labels in order; empty for regression.
    encoder : estimator
        Unfitted; turns `rows` into a matrix.
    """

    rows: Any
    y: NDArray[Any]
    task: str
    classes: NDArray[Any]
    target: str
    encoder: Any
    kinds: dict[str, str]
    columns: tuple[ColumnNote, ...]
    source: str
    fingerprint: str
    warnings: tuple[str, ...]

    def only(self, positions: NDArray[Any]) -> "Problem":
        """Return the same problem with these rows alone."""
        return Problem(
            **{**vars(self), "rows": self.rows[positions], "y": self.y[positions]}
        )


def pose(data: Any, target: str | None = None, task: str = "auto") -> Problem:
    """Read `data` (a table, a frame or a path) and check that it can be learned."""
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    fingerprint = table.fingerprint
    if isinstance(table, Table) and target is None:
        where = os.fspath(data) if isinstance(data, os.PathLike) else table.source
        names = ", ".join(table.names[:12]) + (", …" if len(table.names) > 12 else "")  # noqa: PLR2004
        raise DataError(f"Say which column of {where} to predict; it has {names}.")
    checked: Target[Any] = check_target(table, target, task)
    classes = np.array(checked.classes)
    if len(classes):
        _check_counts(checked)
    shared = {
        "y": checked.values,
        "task": str(checked.task),
        "classes": classes,
        "target": checked.name,
        "source": table.source,
        "fingerprint": fingerprint,
        "warnings": tuple(checked.table.warnings),
    }
    if isinstance(checked.table, SparseTable):
        return _from_sparse(checked.table, shared)
    return _from_table(checked.table, checked.name, shared)


def split_off_test(problem: Problem, seed: int) -> Split:
    """Return the rows to learn from and the rows to test on, the same for a seed."""
    classify = problem.task == Task.CLASSIFICATION
    return hold_out(problem.y, TEST_FRACTION, seed, classes=classify)


def _from_table(table: Table, target: str, shared: dict[str, Any]) -> Problem:
    used = [column.name for column in table.features(target)]
    if not used:
        raise DataError(
            f"{table.source} has no column to learn from: besides {target!r} all are "
            "identifiers or constant."
        )
    kinds = {
        column.name: str(column.kind)
        for column in table.columns
        if column.name != target
    }
    notes = tuple(
        ColumnNote(
            column.name,
            str(column.kind),
            column.missing,
            column.distinct,
            column.note,
            used=column.name in used,
        )
        for column in table.columns
    )
    return Problem(
        rows=table.frame.select(pl.exclude(target)),
        encoder=TableEncoder(kinds),
        kinds=kinds,
        columns=notes,
        **shared,
    )


def _from_sparse(table: SparseTable, shared: dict[str, Any]) -> Problem:
    return Problem(
        rows=sparse.csr_matrix(table.matrix, dtype=np.float64),
        encoder=MaxAbsScaler(),
        kinds={},
        columns=(),
        **shared,
    )


def _check_counts(checked: Target[Any]) -> None:
    labels, counts = np.unique(checked.values, return_counts=True)
    second = np.sort(counts)[-2]
    if second < _FEWEST:
        label = labels[np.argsort(counts)[-2]].item()
        raise DataError(
            f"Class {label!r} of column {checked.name!r} has {second} "
            f"row{'s' if second > 1 else ''}; learning and testing need at least "
            f"{_FEWEST} rows of two classes."
        )
