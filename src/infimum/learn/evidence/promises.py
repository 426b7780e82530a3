"""What is promised about rows that nobody has seen, and about decisions by cost."""

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit, log_softmax

from infimum.errors import DataError
from infimum.evaluation import (
    ConformalClassifier,
    ConformalRegressor,
    Guarantee,
    clopper_pearson,
    conformal_rank,
    measure_coverage,
)
from infimum.evaluation.decision_costs import (
    best_threshold,
    cost_matrix,
    expected_costs,
)
from infimum.evaluation.score_probabilities import calibrated_chances
from infimum.evaluation.uncertainty.mean_intervals import mean_interval
from infimum.learn.evidence.case import (
    CONFIDENCE,
    Case,
    bounded,
    comparisons,
    counts_of,
    halves,
    plain_coverage,
    says_something,
)
from infimum.theory import Promises, promises
from infimum.typing import Indices, Vector

__all__ = [
    "calibrated",
    "conformal",
    "costs",
    "cutoffs",
    "guarantees",
    "probabilities",
    "promised_level",
]


_MOST_SHOWN, _MOST_MARGINS = 60, 50_000
#: Shares of rows that may be promised to be covered, the least first.
_LEVELS = (0.9, 0.95, 0.99)
#: Seconds for promises even if the time of the job is up.
_GRACE = 2.0
_NO_RULE = (
    "Bounds from the training rows alone exist for linear, kernel, tree and "
    "stump-boosted models of two classes only."
)
_BY_WEIGHT = (
    "A weight says for how many rows of the population a row stands; bounds that count "
    "each row once, such as those from margins, would be about another one."
)


def guarantees(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Bound the error on all rows of the same kind, for one model and for all.

    The test rows are opened once, so that a bound for the chosen model alone is valid;
    the one for all models compared holds whichever of them had been chosen.
    """
    case.affordable(0.5, case.n_rows, case.n_rows, grace=_GRACE)
    said = np.asarray(case.model.predict(case.rows))
    made = _of_labels(case, said) if case.classifies else _of_numbers(case, said)
    notes = []
    if case.weights is not None:
        notes.append(_BY_WEIGHT)
    elif case.binary and len(case.training.y) <= _MOST_MARGINS:
        proved = _from_training_rows(case)
        made += proved.guarantees
        if not proved.guarantees:
            notes.append(_NO_RULE)
    return {
        "bounds": [each.to_dict() for each in made if says_something(each)],
        "vacuous": [each.to_dict() for each in made if not says_something(each)],
        "models_compared": case.models_compared,
        "notes": notes,
    }


def conformal(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Calibrate intervals or sets on half of the test rows, measure on the others.

    The limit is what `predict` answers new rows by: half the width of an interval, or
    how improbable a label of a set may be.

    So the answers belong to the chosen model itself, which has seen neither half.
    """
    case.affordable(0.5, 2 * case.n_rows, 2 * case.n_rows, grace=_GRACE)
    here, there = halves(case)
    level, wrapped = calibrated(case, here)
    if case.classifies:
        answers = wrapped.predict_set(case.rows[there])
        classes = wrapped.classes_
        coverage = measure_coverage(
            answers, case.y[there], level, classes=classes, n_calibration=len(here)
        )
        covered = np.any(answers & (classes == case.y[there][:, None]), axis=1)
        shown = _sets(answers)
    else:
        answers = wrapped.predict_interval(case.rows[there])
        coverage = measure_coverage(
            answers, case.y[there], level, n_calibration=len(here)
        )
        low, high = answers.T
        covered = (low <= case.y[there]) & (case.y[there] <= high)
        shown = _intervals(answers, case.y[there])
    limit = wrapped.strata_.thresholds(level, None, 1)[0]
    return {
        "kind": "sets" if case.classifies else "intervals",
        "coverage": plain_coverage(case, coverage, covered, here, there),
        "calibration_rows": len(here),
        "limit": float(limit) if np.isfinite(limit) else None,
        **shown,
    }


def calibrated(case: Case, here: Indices) -> tuple[float, Any]:
    """Return what is promised, and the model that keeps it by rows it has not seen."""
    counts, heaviest = counts_of(case, here), case.heaviest
    # Rows that weigh less than a new one may do calibrate like fewer rows.
    worth = len(here) if counts is None else counts.sum() / (heaviest or counts.max())
    level = promised_level(case, worth)
    wrapped: Any
    if case.classifies:
        wrapped = ConformalClassifier(case.model, coverage=level)
    else:
        wrapped = ConformalRegressor(case.model, coverage=level)
    rows, y = case.rows[here], case.y[here]
    wrapped.calibrate(rows, y, weights=counts, heaviest=heaviest)
    if not case.classifies and np.isinf(wrapped.strata_.thresholds(level, None, 1)[0]):
        raise DataError(
            f"{len(here)} rows calibrate the intervals, which weigh as much as "
            f"{worth:.3g} of the heaviest: too few for intervals that end somewhere."
        )
    return level, wrapped


def promised_level(case: Case, calibration: float) -> float:
    """Return the least level that single labels do not reach by themselves.

    A set that must not be empty covers at least as often as its most probable label is
    right: promising less would say nothing. Few rows cannot calibrate high levels.
    """
    right = 0.0 if case.expected_error is None else 1 - case.expected_error
    able = [level for level in _LEVELS if level <= calibration / (calibration + 1)]
    if not (case.classifies and able):
        return _LEVELS[0]
    return next((level for level in able if right < level), able[-1])


def _of_labels(case: Case, said: Any) -> list[Guarantee]:
    wrong = np.asarray(said != case.y, dtype=np.float64)
    made = [
        bounded(case, wrong, "error rate", comparisons=models)
        for models in comparisons(case)
    ]
    if hasattr(case.model, "predict_proba"):
        made.append(_brier(case))
    return made


def _brier(case: Case) -> Guarantee:
    """Bound half the squared distance of probabilities from the truth, in [0, 1]."""
    chances = np.asarray(case.model.predict_proba(case.rows), dtype=np.float64)
    truth = case.y[:, None] == np.asarray(case.model.classes_)[None, :]
    losses = np.clip(0.5 * np.square(chances - truth).sum(axis=1), 0.0, 1.0)
    words = "squared error of the probabilities (Brier score)"
    return bounded(case, losses, words, comparisons=case.models_compared)


def _of_numbers(case: Case, said: Any) -> list[Guarantee]:
    """Bound the mean absolute error, where no single one counts more than the range."""
    span = float(np.ptp(case.training.y))
    if not span > 0:
        raise DataError("The training targets are all equal: no range to bound by.")
    losses = np.minimum(np.abs(case.y - said), span)
    return [
        bounded(case, losses, "mean absolute error", comparisons=models, high=span)
        for models in comparisons(case)
    ]


def _from_training_rows(case: Case) -> Promises:
    """Return what margins, dimension, leaves or support vectors prove, together."""
    return promises(
        case.model,
        case.training.rows,
        case.training.y,
        confidence=CONFIDENCE,
        comparisons=case.models_compared,
    )


def _sets(answers: Any) -> dict[str, Any]:
    labels = answers.sum(axis=1)
    sizes, counts = np.unique(labels, return_counts=True)
    low, high = _size_interval(labels.astype(float), answers.shape[1])
    return {
        "sizes": {"labels": sizes.tolist(), "rows": counts.tolist()},
        "size_low": low,
        "size_high": high,
    }


def _size_interval(labels: Vector, most: int) -> tuple[float, float]:
    """Return where the mean size of the sets lies."""
    size = float(labels.mean())
    if np.ptp(labels) == 0:
        # Other sizes may be as rare as this and yet not have come (Clopper, Pearson).
        rare = 1 - (0.5 - CONFIDENCE / 2) ** (1 / len(labels))
        return size - rare * size, size + rare * (most - size)
    low, high = mean_interval(labels, CONFIDENCE)
    return max(low, 0.0), min(high, float(most))


def _intervals(answers: Any, y: Any) -> dict[str, Any]:
    """Return some intervals with the truth, ordered by their middles."""
    middles = answers.mean(axis=1)
    order = np.argsort(middles, kind="stable")
    kept = order[
        np.unique(
            np.linspace(0, len(order) - 1, min(len(order), _MOST_SHOWN))
            .round()
            .astype(int)
        )
    ]
    low, high = answers[kept].T
    return {
        "shown": {
            "predicted": middles[kept].tolist(),
            "low": low.tolist(),
            "high": high.tolist(),
            "true": np.asarray(y)[kept].tolist(),
        }
    }


_LEVEL, _STRETCHES = 0.9, 2
_UNKNOWN = (
    "The answers about the rows held back were not kept stretch by stretch, so nothing "
    "is known of earlier moments."
)


def cutoffs(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Set a limit by the rows of one stretch of time, and use it on the next one.

    The models of the folds have learned from rows before each stretch alone. Where the
    world drifts, what held on one stretch need not hold on the next: that is what no
    bound from the test rows covers.
    """
    if len(case.held_back) < _STRETCHES:
        return {"reason": _UNKNOWN}
    kind = "sets" if case.classifies else "intervals"
    strange = [_strangeness(each.truth, each.said, case) for each in case.held_back]
    rows = []
    for place in range(1, len(strange)):
        limit = _limit(strange[place - 1])
        held, rows_there = int(np.sum(strange[place] <= limit)), len(strange[place])
        sure = clopper_pearson(held, rows_there, CONFIDENCE)
        after = case.held_back[place].after
        rows.append(
            {"after": after, "rows": rows_there, "limit": limit, **sure._asdict()}
        )
    shares = [row["estimate"] for row in rows]
    return {
        "kind": kind,
        "promised": _LEVEL,
        "rows": rows,
        "least": min(shares),
        "most": max(shares),
    }


def _strangeness(truth: Any, said: Any, case: Case) -> Vector:
    """Return how far each answer was off: its error, or how improbable the truth was.

    A class that a model had not met in its past was impossible for it.
    """
    if not case.classifies:
        return np.asarray(np.abs(truth - said[:, 0]), dtype=float)
    codes = np.searchsorted(case.classes, truth)
    return np.asarray(1 - said[np.arange(len(codes)), codes], dtype=float)


def _limit(strange: Vector) -> float:
    """Return the limit that a new row keeps with the level promised."""
    rank = min(conformal_rank(len(strange), _LEVEL), len(strange))
    return float(np.sort(strange)[rank - 1])


_TWO_CLASSES = 2


def probabilities(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Fit a sigmoid of the scores on half of the test rows (Platt), or a softmax."""
    if not case.classifies or hasattr(case.model, "predict_proba"):
        return {"own": True}
    case.affordable(0.5, 2 * case.n_rows, 2 * case.n_rows, grace=_GRACE)
    here, _ = halves(case)
    scores = np.asarray(case.model.decision_function(case.rows[here]), dtype=float)
    codes = np.searchsorted(case.classes, case.y[here])
    unit = float(np.std(scores)) or 1.0

    def loss(point: Any) -> float:
        if scores.ndim == 1:
            raw = point[0] * scores / unit + point[1]
            likely = np.where(codes == 1, log_expit(raw), log_expit(-raw))
        else:
            likely = log_softmax(point[0] * scores / unit, axis=1)
            likely = likely[np.arange(len(codes)), codes]
        # One row more on either side, so that few rows are no certainty.
        return -float(likely.sum()) + 0.5 * float(np.square(point).sum()) / 4

    point = minimize(loss, [1.0, 0.0], method="Nelder-Mead").x
    return {
        "own": False,
        "slope": float(point[0]) / unit,
        "shift": float(point[1]) if scores.ndim == 1 else 0.0,
        "rows": len(here),
    }


def costs(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Say what decisions by cost cost on the test rows, at the threshold of the folds.

    Where the folds have kept no probabilities, the costs alone give the threshold.
    """
    given = case.training.options.costs
    chances = calibrated_chances(
        case.model, case.rows, found.get("probabilities") or {}
    )
    if chances is None:
        return {"reason": "The model has no probabilities to weigh costs with."}
    matrix = cost_matrix(given, case.classes)
    threshold, basis = None, "costs"
    if len(case.classes) == _TWO_CLASSES:
        threshold = float(matrix[0, 1] / max(matrix[0, 1] + matrix[1, 0], 1e-300))
        if case.held_back:
            truth = np.concatenate([each.truth for each in case.held_back])
            likely = np.concatenate([each.said[:, 1] for each in case.held_back])
            codes = np.searchsorted(case.classes, truth)
            threshold = best_threshold(codes, likely, matrix)
            basis = "folds"
    finding = expected_costs(
        case.y, chances, case.classes, given, threshold, CONFIDENCE
    )
    return {**finding, "basis": basis}
