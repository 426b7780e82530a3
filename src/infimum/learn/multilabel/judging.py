"""How good answers about several labels are: on average, and label by label."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import area_under_roc, clopper_pearson
from infimum.learn.problem import Problem
from infimum.learn.result import Exam
from infimum.learn.scoring import Predictions, measure
from infimum.learn.uncertainty import metric_intervals

__all__ = ["examine_labels"]

CONFIDENCE = 0.95


def examine_labels(
    problem: Problem, y: NDArray[Any], said: Predictions, trained_on: NDArray[Any]
) -> Exam:
    """Test on rows that nobody has seen; the bounds hold for all labels together.

    Each label's interval is a little wider than one alone would need, so that the
    chance that any of them fails is at most 5 % (union bound).
    """
    metrics = measure(y, said, problem.classes)
    usual = trained_on.mean(axis=0) > 1 / 2
    metrics["baseline_hamming"] = float(np.mean(y != usual))
    count = len(problem.classes)
    each = 1 - (1 - CONFIDENCE) / count
    labels = [
        _label(str(name), y[:, k], said.scores[:, k], said.verdicts[:, k], each)
        for k, name in enumerate(problem.classes)
    ]
    bound = {"kind": "label error rates", "labels": labels, "confidence": CONFIDENCE}
    curves = {"intervals": metric_intervals(y, said, problem.classes, CONFIDENCE)}
    return Exam(len(y), metrics, bound, curves)


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
        "f1": _f1(y, verdicts),
        "errors": wrong,
        **clopper_pearson(wrong, len(y), confidence)._asdict(),
    }


def _f1(y: NDArray[Any], verdicts: NDArray[Any]) -> float | None:
    positive = int(y.sum() + verdicts.sum())
    return float(2 * np.sum(y * verdicts) / positive) if positive else None
