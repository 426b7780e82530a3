"""The exam: one look at the test rows, after everything has been decided."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import (
    calibration_curve,
    clopper_pearson,
    confusion_matrix,
    error_limit,
    roc_curve,
)
from infimum.evaluation.scoring import Criterion, Predictions, measure, predict_all
from infimum.evaluation.uncertainty.areas import area_influence, area_interval
from infimum.evaluation.uncertainty.metrics import (
    f1_interval,
    metric_intervals,
    residual_intervals,
    share_mean_interval,
)
from infimum.evaluation.uncertainty.weighing import (
    effective_rows,
    weighted_limit,
    weighted_quantiles,
    weighted_share,
)
from infimum.learn.choose.refit import Refit
from infimum.learn.choose.small_models import imitate
from infimum.learn.evidence.case import CONFIDENCE
from infimum.learn.problem import Problem
from infimum.learn.result import Exam
from infimum.theory.intervals import BinomialInterval
from infimum.typing import Vector

__all__ = ["examine", "examine_labels", "share_at", "share_of"]


COVERAGE = 0.9
_MOST_POINTS, _MOST_CURVES, _TWO_CLASSES = 400, 8, 2


def examine(
    model: Any,
    rows: Any,
    y: NDArray[Any],
    training: Problem,
    criterion: Criterion | None = None,
    weights: Vector | None = None,
) -> Exam:
    """Test a model on rows that it has not seen, and bound its error on all others.

    With `weights` the numbers are weighted averages, and shares are bounded as if there
    were as many rows as scatter like them; pictures show every row once.
    """
    if weights is not None and not weights.any():
        weights = None
    said = predict_all(model, rows, training.classes)
    metrics = measure(y, said, training.classes, criterion, weights)
    examined = _of_classes if len(training.classes) else _of_numbers
    exam = examined(y, said, training, metrics, criterion, weights)
    return _counted(exam, training, weights)


def _counted(exam: Exam, problem: Problem, weights: Vector | None) -> Exam:
    """Add which column weighs the rows, and for how many of equal weight they stand."""
    if weights is None:
        return exam
    counted = {
        "column": problem.options.weights,
        "effective_rows": effective_rows(weights),
    }
    return replace(exam, weights=counted)


def share_of(
    happened: NDArray[Any], weights: Vector | None = None
) -> tuple[BinomialInterval, dict[str, Any]]:
    """Return how often something happened, and what its bound rests on."""
    return share_at(happened, CONFIDENCE, weights)


def share_at(
    happened: NDArray[Any], confidence: float, weights: Vector | None = None
) -> tuple[BinomialInterval, dict[str, Any]]:
    """Return the same at another confidence."""
    if weights is None:
        return clopper_pearson(int(happened.sum()), len(happened), confidence), {}
    basis = {"weighted": True, "effective_rows": effective_rows(weights)}
    return weighted_share(happened, weights, confidence), basis


def _of_classes(
    y: NDArray[Any],
    said: Predictions,
    training: Problem,
    metrics: dict[str, float | None],
    criterion: Criterion | None,
    weights: Vector | None,
) -> Exam:
    classes = training.classes
    missed, _ = share_of(y != _most_frequent(training), weights)
    metrics["baseline_error"] = missed.estimate
    wrong = said.verdicts != y
    interval, basis = share_of(wrong, weights)
    errors = int(np.sum(wrong))
    bound = {"kind": "error rate", "errors": errors, **interval._asdict(), **basis}
    curves = {
        "confusion": confusion_matrix(y, said.verdicts, classes.tolist()).tolist(),
        "roc": _roc_curves(y, said, classes),
        "calibration": _calibration(y, said, classes),
        "intervals": {
            **metric_intervals(y, said, classes, CONFIDENCE, criterion, weights),
            "error": [interval.low, interval.high],
            "accuracy": [1 - interval.high, 1 - interval.low],
            "baseline_error": [missed.low, missed.high],
        },
    }
    return Exam(len(y), metrics, bound, curves)


def _most_frequent(training: Problem) -> Any:
    labels, codes = np.unique(training.y, return_inverse=True)
    return labels[np.argmax(np.bincount(codes, weights=training.weights))]


def _of_numbers(
    y: NDArray[Any],
    said: Predictions,
    training: Problem,
    metrics: dict[str, float | None],
    criterion: Criterion | None,
    weights: Vector | None,
) -> Exam:
    left = y - said.verdicts
    guessed = y - np.average(training.y, weights=training.weights)
    metrics["baseline_rmse"] = _average(np.square(guessed), weights) ** 0.5
    metrics["median_absolute"] = _middle(np.abs(left), weights)
    metrics["bias"] = _average(left, weights)
    below, basis = share_of(y <= said.verdicts, weights)
    metrics["share_below"] = below.estimate
    bound = {
        "kind": "error size",
        "limit": _limit(left, weights),
        "coverage": COVERAGE,
        "confidence": CONFIDENCE,
        **basis,
    }
    curves = _pictures(y, said)
    curves["intervals"] = {
        **metric_intervals(y, said, np.array([]), CONFIDENCE, criterion, weights),
        **residual_intervals(left, guessed, CONFIDENCE, weights),
        "share_below": [below.low, below.high],
    }
    return Exam(len(y), metrics, bound, curves)


def _pictures(y: NDArray[Any], said: Predictions) -> dict[str, Any]:
    # Evenly over the range of predictions, so that thinning hides no region.
    order = np.argsort(said.verdicts, kind="stable")[_thinned(len(y))]
    edges: Vector = np.histogram_bin_edges(y - said.verdicts, bins=24)
    counts, _ = np.histogram(y - said.verdicts, edges)
    return {
        "points": {
            "predicted": said.verdicts[order].tolist(),
            "true": y[order].tolist(),
        },
        "histogram": {"edges": edges.tolist(), "counts": counts.tolist()},
    }


def _limit(left: Vector, weights: Vector | None) -> float | None:
    if weights is None:
        return error_limit(left, COVERAGE, CONFIDENCE)
    return weighted_limit(np.abs(left), weights, COVERAGE, CONFIDENCE)


def _average(values: Vector, weights: Vector | None) -> float:
    return float(np.average(values, weights=weights))


def _middle(sizes: Vector, weights: Vector | None) -> float:
    if weights is None:
        return float(np.median(sizes))
    return weighted_quantiles(sizes, weights, [0.5])[0]


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
    # The classes ranked worst are those to look at.
    order = np.argsort([curve["area"] for curve in curves], kind="stable")
    return [curves[place] for place in sorted(order[:_MOST_CURVES].tolist())]


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
    return _counted(Exam(len(y), metrics, bound, curves), problem, weights)


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


_BINS = 20


def examine_alarms(
    final: Refit, problem: Problem, rows: Any, criterion: Criterion, seed: int
) -> Exam:
    """Count the alarms among rows that neither detector nor calibration has seen."""
    encoder, watch = final.pipeline[0], final.pipeline[-1]
    X = encoder.transform(problem.rows[rows])
    p_values = watch.p_values(X)
    alarms = int(np.sum(p_values <= watch.alarm_rate))
    fake = imitate(problem.rows, problem.kinds, 2_000, seed + 1)
    X_fake = encoder.transform(fake)
    said = predict_all(watch, np.vstack([X, X_fake]), problem.classes)
    y = np.concatenate([np.zeros(len(rows)), np.ones(fake.height)])
    caught = int(np.sum(watch.p_values(X_fake) <= watch.alarm_rate))
    metrics = measure(y, said, problem.classes, criterion)
    metrics |= {
        "alarm_rate": alarms / max(1, len(rows)),
        "caught": caught / fake.height,
    }
    interval = clopper_pearson(alarms, max(1, len(rows)), CONFIDENCE)
    bound = {
        "kind": "alarm rate",
        "promised": float(watch.alarm_rate),
        "alarms": alarms,
        "calibration_rows": len(watch.calibration_scores_),
        **interval._asdict(),
    }
    counts, edges = np.histogram(p_values, bins=_BINS, range=(0.0, 1.0))
    caught_ends = clopper_pearson(caught, fake.height, CONFIDENCE)
    curves = {
        "p_values": {"edges": edges.tolist(), "counts": counts.tolist()},
        "intervals": {"caught": [caught_ends.low, caught_ends.high]},
    }
    return Exam(len(rows), metrics, bound, curves)
