"""Several labels at once: raced together, judged one by one, proved by a sum.

Their risks add up, and so do the bounds.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.certificates import Certificate
from infimum.data import SparseTable, Table, read_table
from infimum.errors import DataError
from infimum.evaluation import clopper_pearson, measure_coverage
from infimum.evaluation.conformal import Strata
from infimum.evaluation.scoring import (
    Criterion,
    Predictions,
    criterion_for,
    measure,
    predict_all,
)
from infimum.evaluation.uncertainty.areas import area_influence, area_interval
from infimum.evaluation.uncertainty.metrics import (
    f1_interval,
    metric_intervals,
    share_mean_interval,
)
from infimum.evaluation.uncertainty.weighing import effective_rows
from infimum.learn.choose.refit import proof_of
from infimum.learn.choose.verdict import Verdict
from infimum.learn.evidence import Section
from infimum.learn.evidence.case import CONFIDENCE, Case
from infimum.learn.evidence.columns import importance
from infimum.learn.evidence.groups import fairness, one_by_one
from infimum.learn.evidence.promises import (
    bounded,
    comparisons,
    counts_of,
    halves,
    says_something,
    told_coverage,
)
from infimum.learn.final_test import share_at, share_of
from infimum.learn.job import Job
from infimum.learn.multilabel.posing import columns_named, pose_labels, split_labels
from infimum.learn.options import Options
from infimum.learn.problem import Opened, Posed, Problem
from infimum.learn.result import Exam, Proof
from infimum.learn.warnings_about_data import noting_copies
from infimum.typing import Mask, Vector

__all__ = [
    "MultilabelJob",
    "certify_labels",
    "examine_labels",
    "joint_certificate",
    "label_fairness",
    "label_guarantees",
    "label_sets",
]

_FEWEST = 5


def examine_labels(
    problem: Problem,
    y: NDArray[Any],
    said: Predictions,
    trained_on: NDArray[Any],
    weights: Vector | None = None,
    trained_weights: Vector | None = None,
) -> Exam:
    """Test on rows that nobody has seen; the bounds hold for all labels together.

    Each label's interval is a little wider than one alone would need, so that the
    chance that any of them fails is at most 5 % (union bound).
    """
    if weights is not None and not weights.any():
        weights = None
    metrics = measure(y, said, problem.classes, weights=weights)
    usual = np.average(trained_on, axis=0, weights=trained_weights) > 1 / 2
    misses = np.mean(y != usual, axis=1)
    metrics["baseline_hamming"] = float(np.average(misses, weights=weights))
    count = len(problem.classes)
    each = 1 - (1 - CONFIDENCE) / count
    labels = [
        _label(
            str(name), y[:, k], said.scores[:, k], said.verdicts[:, k], each, weights
        )
        for k, name in enumerate(problem.classes)
    ]
    bound = {"kind": "label error rates", "labels": labels, "confidence": CONFIDENCE}
    curves = {"intervals": _intervals(problem, y, said, misses, weights)}
    exam = Exam(len(y), metrics, bound, curves)
    if weights is None:
        return exam
    counted = {
        "column": problem.options.weights,
        "effective_rows": effective_rows(weights),
    }
    return replace(exam, weights=counted)


def _intervals(
    problem: Problem,
    y: NDArray[Any],
    said: Predictions,
    misses: Vector,
    weights: Vector | None,
) -> dict[str, list[float | None]]:
    found = metric_intervals(y, said, problem.classes, CONFIDENCE, None, weights)
    right = np.all(y == said.verdicts, axis=1)
    whole, _ = share_of(right, weights)
    found["all_right"] = [whole.low, whole.high]
    if right.all():  # a row that is wrong has at most all its answers wrong
        found["hamming"] = [0.0, 1 - whole.low]
    if len(y) >= _FEWEST and np.ptp(misses) > 0:
        ends = share_mean_interval(misses, CONFIDENCE, weights)
        found["baseline_hamming"] = [*ends]
    return found


def _label(
    name: str,
    y: NDArray[Any],
    scores: NDArray[Any],
    verdicts: NDArray[Any],
    confidence: float,
    weights: Vector | None,
) -> dict[str, Any]:
    wrong = y != verdicts
    counts = np.ones(len(y)) if weights is None else weights
    yes, no = counts * (y == 1), counts * (y != 1)
    known = bool(yes.any() and no.any())
    sure, basis = share_at(wrong, confidence, weights)
    return {
        "label": name,
        "share": float(np.average(y, weights=weights)),
        "auc": area_influence(yes, no, scores)[0] if known else None,
        "auc_interval": area_interval(y == 1, scores, confidence, weights)
        if known
        else None,
        "f1": _f1(y, verdicts, counts),
        "f1_interval": f1_interval(y, verdicts, confidence, weights),
        "errors": int(np.sum(wrong)),
        **sure._asdict(),
        **basis,
    }


def _f1(y: NDArray[Any], verdicts: NDArray[Any], counts: Vector) -> float | None:
    positive = float(counts @ (y + verdicts))
    return float(2 * (counts @ (y * verdicts)) / positive) if positive else None


#: Seconds for promises even if the time of the job is up.
_GRACE = 2.0
_COVERAGE = 0.9


def label_guarantees(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Bound how often an answer, and how often a row, is wrong on rows of this kind."""
    case.affordable(0.5, case.n_rows, case.n_rows, grace=_GRACE)
    missed = np.asarray(case.model.predict(case.rows)) != case.y
    answers, rows = missed.mean(axis=1), missed.any(axis=1).astype(float)
    made = []
    for models in comparisons(case):
        made += [
            bounded(case, answers, "answer error rate", comparisons=models),
            bounded(case, rows, "row error rate", comparisons=models),
        ]
    return {
        "bounds": [each.to_dict() for each in made if says_something(each)],
        "vacuous": [each.to_dict() for each in made if not says_something(each)],
        "models_compared": case.models_compared,
        "notes": [],
    }


def label_sets(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Answer yes, no or both about every label, so that all hold the truth together.

    A row is as strange as its strangest label: by that the half of the test rows that
    calibrates ranks a new row, and the promise is about all its labels at once.
    """
    case.affordable(0.5, case.n_rows, case.n_rows, grace=_GRACE)
    here, there = halves(case)
    present = np.asarray(case.model.predict_proba(case.rows), dtype=float)
    doubt = np.where(case.y == 1, 1 - present, present)
    counts, worst = counts_of(case, here), doubt[here].max(axis=1)
    strata = Strata.of(worst, None, counts, case.heaviest)
    limit = strata.thresholds(_COVERAGE, None, 1)[0]
    # The likelier answer always stays: an answer that is neither says nothing.
    yes = (1 - present[there] <= limit) | (present[there] >= 1 / 2)
    no = (present[there] <= limit) | (present[there] < 1 / 2)
    covered: Mask = np.all(np.where(case.y[there] == 1, yes, no), axis=1)
    both = yes & no
    coverage = measure_coverage(
        covered[:, None],
        np.ones(len(there)),
        _COVERAGE,
        classes=[1],
        n_calibration=len(here),
    )
    coverage = replace(coverage, size=float(both.sum(axis=1).mean()))
    return {
        "kind": "labels",
        "coverage": told_coverage(case, coverage, covered, here, there),
        "calibration_rows": len(here),
        "labels": [
            {"label": str(name), **_share(both[:, place])}
            for place, name in enumerate(case.classes.tolist())
        ],
    }


def label_fairness(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Compare the groups of every sensitive column, label by label."""
    told: dict[str, Any] = {"columns": [], "task": "decisions"}
    for name, each in one_by_one(case):
        one = fairness(each, found)
        if "reason" in one:
            return one
        told["columns"] += [
            {**column, "label": name, "outcome": name} for column in one["columns"]
        ]
    return told


def _share(flags: Any) -> dict[str, float]:
    sure = clopper_pearson(int(flags.sum()), len(flags), CONFIDENCE)
    return {"open": sure.estimate, "low": sure.low, "high": sure.high}


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
