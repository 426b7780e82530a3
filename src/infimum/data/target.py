"""The column to predict: whether it can be learned, and as which task."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from infimum.data.column import ColumnKind
from infimum.data.sparse_table import SparseTable
from infimum.data.spelling import quoted
from infimum.data.table import Table
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain

__all__ = ["Target", "Task", "check_target"]

#: Whole numbers are classes if there are few and each is seen a few times.
_FEW_CLASSES, _SIGHTINGS = 10, 3
#: Classes of numbers that are no counts need so many rows each beyond a few classes.
_MANY_CLASSES = 30
#: Whole numbers from 0 up, of so many values, are counts if the larger are the rarer:
#: by this rank correlation at most, and by so many times in all.
_FEWEST_COUNTS, _FALLS, _RARER = 4, -0.7, 5
#: Below this share the rarest class is a warning.
_RARE = 0.01

AnyTable = TypeVar("AnyTable", Table, SparseTable)


class Task(StrEnum):
    """What learning means for a target: naming a class, or estimating a number."""

    CLASSIFICATION = "classification"
    REGRESSION = "regression"


@dataclass(frozen=True, eq=False)
class Target(Generic[AnyTable]):
    """A target that can be learned.

    Attributes
    ----------
    table : Table or SparseTable
        The rows that have a target, with a warning about those that had none.
    name : str
        The target's column.
    task : Task
        Classification or regression.
    values : ndarray
        One value per row of `table`: labels as the table has them, or float64.
    classes : tuple
        The sorted labels; empty for a regression.
    """

    table: AnyTable
    name: str
    task: Task
    values: NDArray[Any]
    classes: tuple[Any, ...]


@overload
def check_target(
    table: Table, target: str | None = ..., task: str = ...
) -> Target[Table]: ...
@overload
def check_target(
    table: SparseTable, target: str | None = ..., task: str = ...
) -> Target[SparseTable]: ...
def check_target(
    table: Table | SparseTable, target: str | None = None, task: str = "auto"
) -> Target[Any]:
    """Return the target of a table and its task; DataError if it cannot be learned.

    Words, truth values and whole numbers with at most ten different values, each seen
    three times on average, are classes; all other numbers are quantities. So are whole
    numbers from 0 up whose larger values become ever rarer, as counts do.

    Parameters
    ----------
    table : Table or SparseTable
        The table to learn from.
    target : str, optional
        The column to predict; a sparse table carries its target itself.
    task : {"auto", "classification", "regression"}
        What to learn, if it should not be inferred.
    """
    check_domain("check_target.task", task, Choice(("auto", *map(str, Task))))
    owner, values, kept = _observed(table, target)
    if len(values) == 0:
        raise DataError(f"{owner} is missing in every row, so it cannot be learned.")
    distinct = np.unique(values)
    if len(distinct) == 1:
        raise DataError(
            f"{owner} has one class only, {_say(distinct[0])}; "
            "learning needs at least two."
        )
    chosen = _chosen_task(owner, values, distinct, task)
    warnings = [*_dropped(owner, len(table), len(values))]
    classes: tuple[Any, ...] = ()
    if chosen is Task.CLASSIFICATION:
        classes = tuple(distinct.tolist())
        warnings += _imbalance(owner, values)
    else:
        values = values.astype(np.float64)
    kept = replace(kept, warnings=(*kept.warnings, *warnings))
    return Target(kept, target or "target", chosen, values, classes)


def _observed(
    table: Table | SparseTable, target: str | None
) -> tuple[str, NDArray[Any], Table | SparseTable]:
    """Return what to call the target, its values, and the rows that have one."""
    if isinstance(table, SparseTable):
        if target is not None:
            raise DataError(
                f"{table.source} has no columns with names such as {target!r}; it "
                "carries its own target, so name none."
            )
        return _observed_sparse(table)
    if target is None:
        raise DataError(f"Say which column of {table.source} to predict.")
    _check_kind(table, target)
    series = table.frame[target]
    if series.null_count():
        table = table.rows(series.is_not_null().arg_true().to_numpy())
    values = table.frame[target].to_numpy()
    owner = f"Column {target!r} of {table.source}"
    return owner, values.astype(str) if values.dtype == object else values, table


def _observed_sparse(table: SparseTable) -> tuple[str, NDArray[Any], SparseTable]:
    owner = f"The target of {table.source}"
    if table.target is None:
        raise DataError(f"{table.source} has no target to learn.")
    values = table.target
    if values.dtype == object:
        values = values.astype(str)
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0]) + 1
        raise DataError(f"{owner} is infinite in row {row}.")
    if values.dtype.kind == "f" and np.isnan(values).any():
        table = table.rows(np.flatnonzero(~np.isnan(values)))
        values = values[~np.isnan(values)]
    return owner, values, table


def _check_kind(table: Table, target: str) -> None:
    """Refuse targets that name a row, a day or a story instead of an outcome."""
    column = table.column(target)
    owner = f"Column {target!r} of {table.source}"
    reasons = {
        ColumnKind.IDENTIFIER: "is an identifier, different in every row",
        ColumnKind.DATE: "holds dates",
        ColumnKind.TEXT: "holds free text",
    }
    if column.kind in reasons:
        raise DataError(
            f"{owner} {reasons[column.kind]}, so it cannot be learned; "
            "choose a column of classes or numbers."
        )


def _chosen_task(
    owner: str, values: NDArray[Any], distinct: NDArray[Any], task: str
) -> Task:
    """Infer the task, or check that the one asked for is possible."""
    words = values.dtype.kind not in "biuf"
    whole = not words and bool((distinct == np.round(distinct)).all())
    few = len(distinct) <= _FEW_CLASSES and _SIGHTINGS * len(distinct) <= len(values)
    pair = values.dtype.kind == "b" or set(distinct.tolist()) == {0, 1}
    if task == "auto":
        counted = not words and _are_counts(values, distinct)
        classes = words or pair or (whole and few and not counted)
        return Task.CLASSIFICATION if classes else Task.REGRESSION
    if task == Task.REGRESSION and words:
        raise DataError(
            f"{owner} holds words such as {_say(distinct[0])}, so it cannot be "
            "estimated as a number; use task='classification'."
        )
    if task == Task.CLASSIFICATION and not words:
        _check_labels(owner, values, distinct, whole=whole, few=few)
    return Task(task)


def _are_counts(values: NDArray[Any], distinct: NDArray[Any]) -> bool:
    """Whether numbers are 0, 1, 2, ... and become ever rarer, as counts do."""
    if len(distinct) < _FEWEST_COUNTS or distinct[0] != 0:
        return False
    if not (distinct == np.round(distinct)).all():
        return False
    often = np.unique(values, return_counts=True)[1]
    ranks = np.argsort(np.argsort(often, kind="stable"), kind="stable")
    falls = float(np.corrcoef(np.arange(len(often)), ranks)[0, 1])
    return falls <= _FALLS and bool(often[0] >= _RARER * often[-1])


def _check_labels(
    owner: str,
    values: NDArray[Any],
    distinct: NDArray[Any],
    *,
    whole: bool,
    few: bool,
) -> None:
    """Refuse numbers that measure something as names of classes."""
    if not (whole or few):
        raise DataError(
            f"{owner} holds {len(distinct)} different real numbers, not classes; "
            "use task='regression'."
        )
    many = len(distinct) > _MANY_CLASSES
    if many and _MANY_CLASSES * len(distinct) > len(values):
        raise DataError(
            f"{owner} holds {len(distinct)} different numbers in {len(values)} rows, "
            "too many for classes; use task='regression', or give it the kind "
            "'category' if they are codes."
        )


def _dropped(owner: str, n: int, kept: int) -> list[str]:
    if kept == n:
        return []
    return [f"{owner} is missing in {n - kept} of {n} rows, which are left out."]


def _imbalance(owner: str, values: NDArray[Any]) -> list[str]:
    label, count = Counter(values.tolist()).most_common()[-1]
    if count > 1 and count >= _RARE * len(values):
        return []
    return [f"{owner} has class {_say(label)} in {count} of {len(values)} rows only."]


def _say(label: Any) -> str:
    return quoted(label.item() if isinstance(label, np.generic) else label)
