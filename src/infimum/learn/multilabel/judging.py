"""How good answers about several labels are: on average, and label by label."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import (
    area_under_roc,
    bootstrap_distribution,
    clopper_pearson,
)
from infimum.learn.exam import share_of
from infimum.learn.problem import Problem
from infimum.learn.result import Exam
from infimum.learn.scoring import Predictions, measure
from infimum.learn.uncertainty import area_interval, mean_interval, metric_intervals
from infimum.learn.weighing import effective_rows, weighted_share
from infimum.typing import Vector

__all__ = ["examine_labels"]

CONFIDENCE = 0.95
#: Draws for an interval, at most and at least, and the rows of all of them together.
_MOST_DRAWS, _FEWEST_DRAWS, _ROW_BUDGET, _FEWEST = 1000, 100, 2_000_000, 5


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
        _label(str(name), y[:, k], said.scores[:, k], said.verdicts[:, k], each)
        for k, name in enumerate(problem.classes)
    ]
    ends = _f1_ends(y, said.verdicts, each)
    labels = [{**label, "f1_interval": ends[k]} for k, label in enumerate(labels)]
    if weights is not None:
        labels = _weighed(labels, y, said.verdicts, weights, each)
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
        low, high = mean_interval(misses, CONFIDENCE, weights)
        found["baseline_hamming"] = [max(0.0, low), min(1.0, high)]
    return found


def _weighed(
    labels: list[dict[str, Any]],
    y: NDArray[Any],
    verdicts: NDArray[Any],
    weights: Vector,
    confidence: float,
) -> list[dict[str, Any]]:
    """Return the labels with weighted shares; areas and F1 count each row once."""
    basis = {"weighted": True, "effective_rows": effective_rows(weights)}
    return [
        {
            **label,
            **weighted_share(y[:, k] != verdicts[:, k], weights, confidence)._asdict(),
            "share": float(np.average(y[:, k], weights=weights)),
            **basis,
        }
        for k, label in enumerate(labels)
    ]


def _label(
    name: str,
    y: NDArray[Any],
    scores: NDArray[Any],
    verdicts: NDArray[Any],
    confidence: float,
) -> dict[str, Any]:
    wrong = int(np.sum(y != verdicts))
    known = 0 < y.sum() < len(y)
    return {
        "label": name,
        "share": float(y.mean()),
        "auc": area_under_roc(y, scores, np.array([0, 1])) if known else None,
        "auc_interval": area_interval(y == 1, scores, confidence) if known else None,
        "f1": _f1(y, verdicts),
        "errors": wrong,
        **clopper_pearson(wrong, len(y), confidence)._asdict(),
    }


def _f1(y: NDArray[Any], verdicts: NDArray[Any]) -> float | None:
    positive = int(y.sum() + verdicts.sum())
    return float(2 * np.sum(y * verdicts) / positive) if positive else None


def _f1_ends(
    y: NDArray[Any], verdicts: NDArray[Any], confidence: float
) -> list[list[float] | None]:
    """Return the bootstrap interval of every label's F1; None where it has none.

    A draw of the test rows without a yes, neither true nor said, has no F1; draws that
    all have the same know nothing of the rows that did not come.
    """
    if len(y) < _FEWEST:
        return [None] * y.shape[1]
    both = np.stack([y, verdicts], axis=-1)
    draws = int(np.clip(_ROW_BUDGET // len(y), _FEWEST_DRAWS, _MOST_DRAWS))
    found = bootstrap_distribution(_f1s, both, n_resamples=draws)
    tail = 50 * (1 - confidence)
    return [
        np.percentile(drawn[np.isfinite(drawn)], [tail, 100 - tail]).tolist()
        if len(np.unique(drawn[np.isfinite(drawn)])) > 1
        else None
        for drawn in found.estimates.T
    ]


def _f1s(both: NDArray[Any]) -> NDArray[Any]:
    hits, yes = both.prod(axis=-1).sum(axis=0), both.sum(axis=(0, -1))
    unknown = np.full(len(yes), np.nan)
    return np.asarray(np.divide(2 * hits, yes, out=unknown, where=yes > 0))
