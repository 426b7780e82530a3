"""What is promised about rows that nobody has seen."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom

from infimum.errors import DataError
from infimum.evaluation import (
    ConformalClassifier,
    ConformalRegressor,
    Coverage,
    Guarantee,
    betting_guarantee,
    conformal_rank,
    loss_guarantee,
    measure_coverage,
)
from infimum.evaluation.uncertainty.mean_intervals import mean_interval
from infimum.evaluation.uncertainty.weighing import effective_rows, weighted_share
from infimum.learn.evidence.case import CONFIDENCE, Case
from infimum.theory import Promises, promises
from infimum.typing import Indices, Vector

__all__ = [
    "bounded",
    "calibrated",
    "comparisons",
    "conformal",
    "counts_of",
    "guarantees",
    "halves",
    "promised_level",
    "says_something",
    "told_coverage",
]


def bounded(
    case: Case,
    losses: Any,
    quantity: str,
    *,
    comparisons: int = 1,
    high: float = 1.0,
) -> Guarantee:
    """Bound a mean loss; where rows are weighed, the mean of those they stand for."""
    shared: Any = {"high": high, "comparisons": comparisons}
    if case.weights is None:
        return loss_guarantee(losses, CONFIDENCE, quantity=quantity, **shared)
    return betting_guarantee(
        losses,
        CONFIDENCE,
        quantity=f"weighted {quantity}",
        weights=case.weights,
        heaviest=case.heaviest,
        **shared,
    )


def counts_of(case: Case, rows: Indices) -> Vector | None:
    """Return the weights of some unseen rows, none above the heaviest known."""
    if case.weights is None:
        return None
    most = np.inf if case.heaviest is None else case.heaviest
    return np.minimum(case.weights[rows], most)


def told_coverage(
    case: Case, coverage: Coverage, covered: NDArray[Any], here: Indices, there: Indices
) -> dict[str, Any]:
    """Return what was covered, by weight if rows are weighed.

    Then the interval and the band are those of as many rows as scatter alike.
    """
    calibrating, measured = counts_of(case, here), counts_of(case, there)
    if calibrating is None or measured is None:
        return coverage.to_dict()
    if not (calibrating.any() and measured.any()):
        return coverage.to_dict()
    sure = weighted_share(covered, measured, CONFIDENCE)
    low, high = _band(
        coverage.promised, effective_rows(calibrating), effective_rows(measured)
    )
    told = replace(
        coverage,
        measured=sure.estimate,
        low=sure.low,
        high=sure.high,
        band_low=low,
        band_high=high,
    ).to_dict()
    counted = " unseen rows, counted by their weights, were covered"
    told["sentence"] = told["sentence"].replace(" unseen rows were covered", counted)
    return told


def _band(promised: float, calibrating: float, measured: float) -> tuple[float, float]:
    n, m = max(1, round(calibrating)), max(1, round(measured))
    rank = min(conformal_rank(n, promised), n)
    law, tail = betabinom(m, rank, n + 1 - rank), (1 - CONFIDENCE) / 2
    return float(law.ppf(tail)) / m, float(law.ppf(1 - tail)) / m


_FEWEST, _MOST_SHOWN, _MOST_MARGINS = 20, 60, 50_000
#: Shares of rows that may be promised to be covered, the least first.
_LEVELS = (0.9, 0.95, 0.99)
_COIN = 0.5
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
        "coverage": told_coverage(case, coverage, covered, here, there),
        "calibration_rows": len(here),
        "limit": float(limit) if np.isfinite(limit) else None,
        **shown,
    }


def halves(case: Case) -> tuple[Indices, Indices]:
    """Halve the test rows: to calibrate, and to measure."""
    if case.n_rows < _FEWEST:
        raise DataError(
            f"{case.n_rows} test rows are too few to calibrate and measure coverage; "
            f"{_FEWEST} are needed."
        )
    order = np.random.default_rng([case.seed, 11]).permutation(case.n_rows)
    middle = case.n_rows // 2
    return np.sort(order[:middle]), np.sort(order[middle:])


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


def says_something(promise: Guarantee) -> bool:
    """Whether a bound is below what nobody doubts; a coin errs in half of the cases."""
    if promise.quantity == "error rate" and promise.capacity > 0:
        return promise.bound < _COIN
    return not promise.vacuous


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


def comparisons(case: Case) -> list[int]:
    """Return among how many models the choice was: one, and all that were tried."""
    return [1] if case.models_compared == 1 else [1, case.models_compared]


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
