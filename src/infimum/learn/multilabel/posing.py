"""The problem with several targets, each a column of yes and no."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.data import SparseTable, Table, Task, as_booleans, read_table
from infimum.data.spelling import quoted
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import Split
from infimum.features import TableEncoder
from infimum.learn.options import (
    Options,
    RowsToExplain,
    check_name,
    moments_of,
    rows_to_explain,
    weights_of,
)
from infimum.learn.problem import (
    Problem,
    column_notes,
    split_off_test,
    splits_of,
)
from infimum.learn.warnings_about_data import suspicions

__all__ = ["columns_named", "pose_labels", "split_labels"]

#: Rows that each answer of a label needs, and a pattern of labels to be kept in shares.
_FEWEST, _FREQUENT = 5, 10


def columns_named(table: Any, target: str | Sequence[str]) -> tuple[str, ...]:
    """Return the columns that a target names; a name with commas may be one column."""
    if not isinstance(target, str):
        return tuple(target)
    if not isinstance(table, Table) or target in table.names:
        return (target,)
    return tuple(name.strip() for name in target.split(",") if name.strip())


def pose_labels(data: Any, targets: Sequence[str], options: Options) -> Problem:
    """Read `data` and check that every target is a column of yes and no."""
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    if isinstance(table, SparseTable):
        raise IncompatibleError(
            f"Several targets need a table with named columns; {table.source} has none."
        )
    fingerprint = table.fingerprint
    table = options.declared(table)
    y = np.column_stack([_answers(table, name) for name in targets])
    for name in targets:
        options.check(table, name)
    used = _used_columns(table, targets, options)
    kinds = {c.name: str(c.kind) for c in table.columns if c.name in used}
    return Problem(
        rows=table.without(targets),
        y=y,
        task="multilabel",
        goal="multilabel",
        classes=np.array(targets, dtype=object),
        target=", ".join(targets),
        encoder=TableEncoder(kinds),
        tree_encoder=TableEncoder(kinds, view="trees"),
        kinds=kinds,
        columns=column_notes(table, used),
        source=table.source,
        fingerprint=fingerprint,
        warnings=(*table.warnings, *_about_labels(table, targets, y, used, options)),
        weights=weights_of(table, options.weights),
        groups=None if options.group is None else table.frame[options.group].to_numpy(),
        moments=moments_of(table, options.time),
        numbers=np.arange(1, len(y) + 1),
        to_explain=_asked(table, targets, y, options),
        options=options,
    )


def _asked(
    table: Table, targets: Sequence[str], y: NDArray[Any], options: Options
) -> RowsToExplain | None:
    asked = rows_to_explain(table, options.explain_row, targets)
    if asked is None:
        return None
    # However the table writes them, answers are compared as 0 and 1.
    truths = tuple(tuple(y[number - 1].tolist()) for number in asked.numbers)
    return replace(asked, truths=truths)


def split_labels(problem: Problem, seed: int) -> tuple[Split, list[Split]]:
    """Return the test and the folds; frequent patterns of labels keep their shares."""
    patterns, codes, counts = np.unique(
        problem.y, axis=0, return_inverse=True, return_counts=True
    )
    codes = np.asarray(codes).ravel()
    often = np.argmax(counts)
    known = np.where(counts >= _FREQUENT, np.arange(len(patterns)), often)
    codes = known[codes]
    several = len(np.unique(codes)) > 1
    proxy = Problem(
        **{
            **vars(problem),
            "y": codes,
            "classes": np.unique(codes) if several else np.array([]),
            "task": "classification" if several else "regression",
        }
    )
    split = split_off_test(proxy, seed)
    return split, splits_of(proxy.only(split.train), seed)


def _used_columns(table: Table, targets: Sequence[str], options: Options) -> list[str]:
    used = [
        column.name
        for column in table.features()
        if options.learnable(column.name) and column.name not in targets
    ]
    if not used:
        raise DataError(
            f"{table.source} has no column to learn from: besides the targets all are "
            "left out, identifiers or constant."
        )
    return used


def _about_labels(
    table: Table, targets: Sequence[str], y: Any, used: list[str], options: Options
) -> tuple[str, ...]:
    """Return what is suspicious about the labels, once each, and the caveats."""
    found = [
        suspicions(table, name, y[:, k], Task.CLASSIFICATION, used, options.time)
        for k, name in enumerate(targets)
    ]
    said = dict.fromkeys(sentence for told in found for sentence in told)
    return (*said, *options.caveats())


def _answers(table: Table, name: str) -> NDArray[np.intp]:
    """Return 0 and 1; DataError if the column holds something else."""
    check_name(table, name)
    series = table.frame[name]
    if series.null_count():
        row = int(series.is_null().arg_true()[0]) + 1
        raise DataError(f"Column {name!r} is missing in row {row}; a target needs all.")
    read = as_booleans(series)
    lost = read.is_null().arg_true()
    if len(lost):
        row = int(lost[0])
        raise DataError(
            f"Column {name!r} must hold yes and no (or 0 and 1) to be one of several "
            f"targets; row {row + 1} holds {quoted(str(series[row]))}."
        )
    answers = read.cast(pl.Int64).to_numpy()
    fewest = int(min(answers.sum(), len(answers) - answers.sum()))
    if fewest < _FEWEST:
        raise DataError(
            f"Column {name!r} has {fewest} rows of one answer; learning and testing "
            f"need at least {_FEWEST} of each."
        )
    return np.asarray(answers)
