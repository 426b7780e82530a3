"""How good answers about several labels are: on average, and label by label."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation.uncertainty.areas import area_influence, area_interval
from infimum.evaluation.uncertainty.weighing import effective_rows
from infimum.learn.exam import share_at, share_of
from infimum.learn.problem import Problem
from infimum.learn.result import Exam
from infimum.learn.scoring import Predictions, measure
from infimum.learn.uncertainty import (
    f1_interval,
    metric_intervals,
    share_mean_interval,
)
from infimum.typing import Vector

__all__ = ["examine_labels"]

CONFIDENCE = 0.95
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
        "column": problem.wishes.weights,
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
