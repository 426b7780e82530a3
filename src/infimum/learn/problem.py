"""The learning problem: rows, targets and how the columns are to be read."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import MaxAbsScaler

from infimum.data import SparseTable, Table, Target, check_target, read_table
from infimum.data.spelling import quoted
from infimum.errors import DataError
from infimum.evaluation import Split
from infimum.evaluation.decision_costs import cost_matrix
from infimum.features import TableEncoder
from infimum.learn.options import (
    Options,
    RowsToExplain,
    check_name,
    listed,
    moments_of,
    numbers_with_target,
    rows_to_explain,
    weights_of,
)
from infimum.learn.result import ColumnNote
from infimum.learn.tasks import base_task, goal_of, guess_of, suspicions

if TYPE_CHECKING:
    from infimum.learn.compare.contenders import Contender
    from infimum.typing import Vector

__all__ = ["TEST_FRACTION", "Opened", "Posed", "Problem", "column_notes", "pose"]


TEST_FRACTION = 0.2
#: Rows that two classes need, so that the test set and every fold get some.
_FEWEST = 5
#: Sparse columns of which a model can hold a weight each.
_MOST_COLUMNS = 100_000_000


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
    encoder, tree_encoder : estimator
        Unfitted; turn `rows` into a matrix, as linear models or as trees read it.
    goal : str
        What the task is in particular, such as "counts" or "quantile".
    weights, groups, moments : ndarray or None
        How often a row counts, whom it belongs to, and when it happened.
    numbers : ndarray or None
        Which rows of the data these are, counted from 1.
    tested : ndarray or None
        Which rows of the data were put aside for the test, counted from 1.
    drawn : int or None
        How many rows were drawn to learn from, where there is no time for all.
    to_explain : RowsToExplain or None
        Rows that the user wants explained.
    guess : dict or None
        What the target was taken for, in words, and which tasks it could be as well;
        None if the user has said what it is.
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
    goal: str = ""
    tree_encoder: Any = None
    weights: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    moments: NDArray[Any] | None = None
    numbers: NDArray[Any] | None = None
    tested: NDArray[Any] | None = None
    drawn: int | None = None
    to_explain: RowsToExplain | None = None
    options: Options = field(default_factory=Options)
    guess: dict[str, Any] | None = None

    def only(self, positions: NDArray[Any]) -> "Problem":
        """Return the same problem with these rows alone."""
        chosen = {name: getattr(self, name) for name in _BY_ROW}
        parts = {k: None if v is None else v[positions] for k, v in chosen.items()}
        return Problem(**{**vars(self), **parts})

    def locating(self, held: NDArray[Any]) -> "Problem":
        """Return the problem that knows the rows held back, and those asked about."""
        if self.numbers is None:
            return self
        tested = self.numbers[held]
        if self.to_explain is None:
            return replace(self, tested=tested)
        found = {n: place for place, n in enumerate(tested.tolist())}
        places = {n: found[n] for n in self.to_explain.numbers if n in found}
        return replace(
            self, tested=tested, to_explain=replace(self.to_explain, places=places)
        )

    def encoded(self, view: str, rows: Any = None) -> tuple[Any, Any]:
        """Return an encoder of a view fitted to some rows (all), and their matrix."""
        places = slice(None) if rows is None else rows
        encoder = clone(self.encoder_for(view))
        y = None if self.goal == "novelty" else self.y[places]
        # An encoder takes floating-point numbers for a measured target.
        y = y if y is None or len(self.classes) else np.asarray(y, dtype=np.float64)
        return encoder, encoder.fit_transform(self.rows[places], y)

    def encoder_for(self, view: str) -> Any:
        """Return the encoder of a view of the table, unfitted."""
        if view == "trees" and self.tree_encoder is not None:
            return self.tree_encoder
        return self.encoder


_BY_ROW = ("rows", "y", "weights", "groups", "moments", "numbers")


class Posed(NamedTuple):
    """A problem with its test and its folds.

    `raced` are the rows and folds of the race and `warmed` those that machine code is
    made ready by, where these are others; `further` is fitted after the race.
    """

    problem: Problem
    training: Problem
    split: Split
    splits: Sequence[Split]
    raced: tuple[Problem, Sequence[Split]] | None = None
    warmed: Problem | None = None
    further: "tuple[Contender, ...]" = ()


class Opened(NamedTuple):
    """The test rows, once they are opened, and what each of them counts."""

    rows: Any
    y: Any
    counts: "Vector | None"


def pose(
    data: Any,
    target: str | None = None,
    task: str = "auto",
    options: Options | None = None,
) -> Problem:
    """Read `data` (a table, a frame or a path) and check that it can be learned."""
    options = options or Options()
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    fingerprint = table.fingerprint
    if isinstance(table, Table):
        table = options.declared(table)
    if isinstance(table, Table) and target is None:
        where = os.fspath(data) if isinstance(data, os.PathLike) else table.source
        raise DataError(_which_column(table, where))
    if isinstance(table, Table) and target is not None:
        check_name(table, target)
        options.check(table, target)
    elif options.named:
        raise DataError(
            f"{table.source} has no named columns such as {options.named[0]!r}."
        )
    checked: Target[Any] = check_target(table, target, base_task(task))
    classes = np.array(checked.classes)
    _check_learnable(checked, options, table.source)
    shared = {
        "y": checked.values,
        "task": str(checked.task),
        "goal": (goal := goal_of(task, checked.values, classes, checked.name)),
        "guess": guess_of(task, goal, checked.values, classes),
        "options": options,
        "classes": classes,
        "target": checked.name,
        "source": table.source,
        "fingerprint": fingerprint,
        "warnings": _about_columns_in_use(checked.table.warnings, options, table),
        "numbers": numbers_with_target(table, target),
        "to_explain": rows_to_explain(
            table, options.explain_row, [target] if target else []
        ),
    }
    if isinstance(checked.table, SparseTable):
        return _from_sparse(checked.table, shared)
    return _from_table(checked.table, checked.name, shared)


def _about_columns_in_use(
    warnings: Sequence[str], options: Options, table: Table | SparseTable
) -> tuple[str, ...]:
    """Withdraw what the reader remarked on columns that are not learned from."""
    names = table.names if isinstance(table, Table) else ()
    starts = tuple(f"Column {n!r} " for n in names if not options.learnable(n))
    return tuple(each for each in warnings if not each.startswith(starts))


def _which_column(table: Table, where: str) -> str:
    return (
        f"Say which column of {where} to predict (it has {listed(table)}), or look for "
        "strange rows with --novelty."
    )


def _from_table(table: Table, target: str, shared: dict[str, Any]) -> Problem:
    options: Options = shared["options"]
    used = {c.name for c in table.features(target) if options.learnable(c.name)}
    if not used:
        why = "left out, " if options.named else ""
        raise DataError(
            f"{table.source} has no column to learn from: besides {target!r} all are "
            f"{why}identifiers or constant."
        )
    shared["warnings"] += suspicions(
        table, target, shared["y"], shared["task"], used, options.time
    )
    shared["warnings"] += options.caveats()
    kinds = {
        column.name: str(column.kind)
        for column in table.columns
        if column.name != target and options.learnable(column.name)
    }
    return Problem(
        rows=table.without([target]),
        encoder=TableEncoder(kinds),
        tree_encoder=TableEncoder(kinds, view="trees"),
        kinds=kinds,
        columns=column_notes(table, used),
        weights=weights_of(table, options.weights),
        groups=None if options.group is None else table.frame[options.group].to_numpy(),
        moments=moments_of(table, options.time),
        **shared,
    )


def column_notes(table: Table, used: Collection[str]) -> tuple[ColumnNote, ...]:
    """Return what the report says about the columns."""
    return tuple(
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


def _from_sparse(table: SparseTable, shared: dict[str, Any]) -> Problem:
    width = table.matrix.shape[1]
    if width > _MOST_COLUMNS:
        raise DataError(
            f"{table.source} has {width:,} columns, and learning takes at most "
            f"{_MOST_COLUMNS:,}; number only those that occur."
        )
    return Problem(
        rows=sparse.csr_matrix(table.matrix, dtype=np.float64),
        encoder=MaxAbsScaler(),
        kinds={},
        columns=(),
        **shared,
    )


def _check_learnable(checked: Target[Any], options: Options, source: str) -> None:
    """Raise DataError if there are too few rows, or costs of classes there are not."""
    if options.costs and not checked.classes:
        raise DataError(f"--costs needs classes; column {checked.name!r} is a number.")
    if options.costs:
        cost_matrix(options.costs, checked.classes)
    if checked.classes:
        _check_counts(checked)
    elif len(checked.values) < 2 * _FEWEST:
        raise DataError(
            f"{source} has {len(checked.values)} rows with a target; learning "
            f"and testing need at least {2 * _FEWEST}."
        )


def _check_counts(checked: Target[Any]) -> None:
    labels, counts = np.unique(checked.values, return_counts=True)
    second = np.sort(counts)[-2]
    if second < _FEWEST:
        label = labels[np.argsort(counts)[-2]].item()
        raise DataError(
            f"Class {quoted(label)} of column {checked.name!r} has {second} "
            f"row{'s' if second > 1 else ''}; learning and testing need at least "
            f"{_FEWEST} rows of two classes."
        )
