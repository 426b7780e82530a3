"""The exam: one look at the test rows, after everything has been decided."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import (
    calibration_curve,
    clopper_pearson,
    confusion_matrix,
    error_limit,
    roc_curve,
    summarize_residuals,
)
from infimum.learn.result import Exam
from infimum.learn.scoring import Criterion, Predictions, measure, predict_all
from infimum.learn.uncertainty import (
    area_interval,
    metric_intervals,
    residual_intervals,
)
from infimum.typing import Vector

__all__ = ["examine"]

CONFIDENCE, COVERAGE = 0.95, 0.9
_MOST_POINTS, _MOST_CURVES, _TWO_CLASSES = 400, 8, 2


def examine(
    model: Any,
    rows: Any,
    y: NDArray[Any],
    trained_on: NDArray[Any],
    classes: NDArray[Any],
    criterion: Criterion | None = None,
) -> Exam:
    """Test a model on rows that it has not seen, and bound its error on all others."""
    said = predict_all(model, rows, classes)
    metrics = measure(y, said, classes, criterion)
    if len(classes) == 0:
        return _regression_exam(y, said, trained_on, metrics, criterion)
    labels, counts = np.unique(trained_on, return_counts=True)
    missed = clopper_pearson(
        int(np.sum(y != labels[np.argmax(counts)])), len(y), CONFIDENCE
    )
    metrics["baseline_error"] = missed.estimate
    wrong = int(np.sum(said.verdicts != y))
    interval = clopper_pearson(wrong, len(y), CONFIDENCE)
    bound = {"kind": "error rate", "errors": wrong, **interval._asdict()}
    curves = {
        "confusion": confusion_matrix(y, said.verdicts, classes.tolist()).tolist(),
        "roc": _roc_curves(y, said, classes),
        "calibration": _calibration(y, said, classes),
        "intervals": {
            **metric_intervals(y, said, classes, CONFIDENCE, criterion),
            "baseline_error": [missed.low, missed.high],
        },
    }
    return Exam(len(y), metrics, bound, curves)


def _regression_exam(
    y: NDArray[Any],
    said: Predictions,
    trained_on: NDArray[Any],
    metrics: dict[str, float | None],
    criterion: Criterion | None,
) -> Exam:
    guess = np.full(len(y), np.mean(trained_on))
    metrics["baseline_rmse"] = summarize_residuals(y, guess).root_mean_square
    summary = summarize_residuals(y, said.verdicts)
    metrics["median_absolute"] = summary.median_absolute
    metrics["bias"] = summary.bias
    metrics["share_below"] = float(np.mean(y <= said.verdicts))
    bound = {
        "kind": "error size",
        "limit": error_limit(y - said.verdicts, COVERAGE, CONFIDENCE),
        "coverage": COVERAGE,
        "confidence": CONFIDENCE,
    }
    # Evenly over the range of predictions, so that thinning hides no region.
    order = np.argsort(said.verdicts, kind="stable")[_thinned(len(y))]
    points = {"predicted": said.verdicts[order].tolist(), "true": y[order].tolist()}
    edges: Vector = np.histogram_bin_edges(y - said.verdicts, bins=24)
    counts, _ = np.histogram(y - said.verdicts, edges)
    histogram = {"edges": edges.tolist(), "counts": counts.tolist()}
    curves: dict[str, Any] = {
        "points": points,
        "histogram": histogram,
        "intervals": {
            **metric_intervals(y, said, np.array([]), CONFIDENCE, criterion),
            **residual_intervals(y - said.verdicts, y - guess, CONFIDENCE),
        },
    }
    below = clopper_pearson(int(np.sum(y <= said.verdicts)), len(y), CONFIDENCE)
    curves["intervals"]["share_below"] = [below.low, below.high]
    return Exam(len(y), metrics, bound, curves)


def _roc_curves(
    y: NDArray[Any], said: Predictions, classes: NDArray[Any]
) -> list[dict[str, Any]]:
    shown = classes[-1:] if said.scores.shape[1] == 1 else classes
    curves = []
    for label, scores in zip(shown, said.scores.T, strict=True):
        if not 0 < np.sum(y == label) < len(y):
            continue
        curve = roc_curve(y == label, scores)
        low, high = area_interval(y == label, scores, CONFIDENCE)
        kept = _thinned(len(curve.thresholds))
        curves.append(
            {
                "label": str(label),
                "false_positive_rate": curve.false_positive_rate[kept].tolist(),
                "true_positive_rate": curve.true_positive_rate[kept].tolist(),
                "area": curve.area,
                "low": low,
                "high": high,
            }
        )
    return curves[:_MOST_CURVES]


def _calibration(
    y: NDArray[Any], said: Predictions, classes: NDArray[Any]
) -> dict[str, Any] | None:
    if said.probabilities is None:
        return None
    if len(classes) == _TWO_CLASSES:
        happened, promised = y == classes[-1], said.probabilities[:, -1]
    else:
        happened, promised = said.verdicts == y, said.probabilities.max(axis=1)
    curve = calibration_curve(happened, promised, groups=min(10, max(1, len(y) // 10)))
    counts = curve.counts.astype(int).tolist()
    spans = [
        clopper_pearson(round(share * n), n, CONFIDENCE)
        for share, n in zip(curve.observed.tolist(), counts, strict=True)
    ]
    return {
        "promised": curve.promised.tolist(),
        "observed": curve.observed.tolist(),
        "low": [span.low for span in spans],
        "high": [span.high for span in spans],
        "counts": counts,
        "expected_error": curve.expected_error,
        "of": str(classes[-1]) if len(classes) == _TWO_CLASSES else "",
    }


def _thinned(n: int) -> NDArray[Any]:
    return np.unique(np.linspace(0, n - 1, min(n, _MOST_POINTS)).round().astype(int))
