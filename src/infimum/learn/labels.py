"""Several labels at once: each its own yes or no, one family for all of them.

Their risks add up, and so do the bounds.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.certificates import Certificate
from infimum.data import SparseTable, Table, Task, as_booleans, read_table
from infimum.data.spelling import quoted
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion, criterion_for, predict_all
from infimum.features import TableEncoder
from infimum.learn.choose.refit import proof_of
from infimum.learn.choose.verdict import Verdict
from infimum.learn.evidence import Section
from infimum.learn.evidence.columns import importance
from infimum.learn.evidence.groups import (
    label_fairness,
    label_guarantees,
    label_sets,
)
from infimum.learn.final_test import examine_labels
from infimum.learn.folds import split_off_test, splits_of
from infimum.learn.job import Job
from infimum.learn.options import (
    Options,
    RowsToExplain,
    check_name,
    moments_of,
    rows_to_explain,
    weights_of,
)
from infimum.learn.problem import Opened, Posed, Problem, column_notes
from infimum.learn.result import Exam, Proof
from infimum.learn.tasks import noting_copies, suspicions
from infimum.typing import Vector

__all__ = [
    "MultilabelJob",
    "certify_labels",
    "columns_named",
    "joint_certificate",
    "pose_labels",
    "split_labels",
]


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
    said = dict.fromkeys(sentence for finding in found for sentence in finding)
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


def joint_certificate(parts: Sequence[Certificate | None]) -> Certificate | None:
    """Return the certificate of the sum of the risks; None if one part has none.

    Examples
    --------
    >>> one = Certificate(primal=2.0, dual=1.5, scale=1.0)
    >>> both = joint_certificate([one, one])
    >>> both.primal, both.dual, both.scale, both.slack
    (4.0, 3.0, 2.0, 0.0)
    """
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return Certificate(
        primal=sum(part.primal for part in known),
        dual=sum(part.dual for part in known),
        scale=sum(part.scale for part in known),
        tolerance=max(part.tolerance for part in known),
        reason=known[0].reason,
        slack=sum(part.slack for part in known),
    )


def certify_labels(
    model: Any,
    X: Any,
    y: NDArray[Any],
    weights: Vector | None = None,
    *,
    rigorous: bool = False,
) -> Certificate | None:
    """Compute the proof of every label again, from its weights and the data."""
    if not all(hasattr(each, "certify") for each in model.estimators_):
        return None
    given = () if weights is None else (weights,)
    return joint_certificate(
        [
            each.certify(X, y[:, k], *given, rigorous=rigorous)
            for k, each in enumerate(model.estimators_)
        ]
    )


#: What is gathered about several labels, the most wanted first.
_SECTIONS: dict[str, Section] = {
    "guarantees": label_guarantees,
    "conformal": label_sets,
    "fairness": label_fairness,
    "importance": importance,
}


class MultilabelJob(Job):
    """One run through all stages, for a table with several targets."""

    def posed(self, data: Any, target: Any, task: str, options: Options) -> Posed:
        """Read the table, check every target, and split by their patterns."""
        self.sections = _SECTIONS
        table = data if isinstance(data, Table | SparseTable) else read_table(data)
        targets = columns_named(table, target or ())
        _check_targets(target, targets)
        problem = pose_labels(table, targets, options)
        split, splits = split_labels(problem, self.seed)
        problem = noting_copies(problem, split).locating(split.held_back)
        return Posed(problem, problem.only(split.train), split, splits)

    def criterion(self, problem: Problem) -> Criterion:
        """Return what families are chosen by."""
        return criterion_for(problem.classes, "multilabel")

    def tested(
        self, verdict: Verdict, posed: Posed, criterion: Criterion, test: Opened
    ) -> tuple[Verdict, Exam]:
        """Test all labels on rows that nobody has seen."""
        problem, training = posed.problem, posed.training
        pipeline = verdict.final.pipeline
        # The model file has to know what its columns are called.
        pipeline[-1].label_names_ = [str(name) for name in problem.classes]
        rows, y, counts = test
        said = predict_all(pipeline, rows, problem.classes)
        exam = examine_labels(problem, y, said, training.y, counts, training.weights)
        return verdict, exam

    def proof(self, model: Any) -> Proof | None:
        """Return the certificate of the sum of the risks."""
        parts = [getattr(each, "certificate_", None) for each in model.estimators_]
        return proof_of(joint_certificate(parts))


def _check_targets(target: Any, targets: tuple[str, ...]) -> None:
    if not targets:
        raise DataError(f"{target!r} names no column; give several, as in a,b,c.")
    if len(targets) == 1:
        raise DataError(
            f"{targets[0]!r} is one target; several, as in --target a,b,c, are learned "
            "together."
        )
    for name in targets:
        if targets.count(name) > 1:
            raise DataError(f"Column {name!r} is named twice as a target.")
