"""How sure the metrics of the exam are: what other draws of the test rows would say.

Shares of rows have exact intervals, and so has F1; areas, averages over classes and
means of losses have those of their own scatter, made for few rows. Predictions stay as
they are: all this is the luck of the test rows alone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm

from infimum.evaluation import clopper_pearson
from infimum.evaluation.row_losses import log_losses, special_losses
from infimum.evaluation.scoring import Criterion, Predictions, measure
from infimum.evaluation.uncertainty.areas import area_influence, area_interval
from infimum.evaluation.uncertainty.averaged import average_interval
from infimum.evaluation.uncertainty.mean_intervals import mean_interval, ratio_interval
from infimum.evaluation.uncertainty.weighing import (
    effective_rows,
    share_among,
    weighted_quantiles,
    weighted_share,
)
from infimum.typing import Matrix, Vector

__all__ = [
    "f1_interval",
    "metric_intervals",
    "residual_intervals",
    "share_mean_interval",
]

_FEWEST_ROWS, _TWO = 5, 2
#: Classes that came less often than this may have cost more than it seems.
_HARDLY = 3
#: Metrics that are 1 if and only if every class is told from the others.
_FLAWLESS = ("auc", "balanced_accuracy")

Ends = list[float | None]


def metric_intervals(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    confidence: float = 0.95,
    criterion: Criterion | None = None,
    weights: Vector | None = None,
) -> dict[str, Ends]:
    """Return the interval of every metric of the exam that has one, by name.

    Rows that all agree know nothing of those that did not come: a flawless metric is
    bounded exactly, any other has no interval then.
    """
    if weights is not None:
        y, said, weights = _counting(y, said, weights)
    if len(y) < _FEWEST_ROWS:
        return {}
    if y.ndim == _TWO:
        found = _of_labels(y, said, confidence, weights)
    elif len(classes):
        found = _of_classes(y, said, classes, confidence, weights)
    else:
        found = _of_numbers(y, said, confidence, weights)
    if criterion is not None:
        found |= _special(y, said, classes, confidence, criterion, weights)
    told = measure(y, said, classes, criterion, weights)
    known = weights is None and y.ndim == 1 and np.isin(classes, y).all()
    exact = _flawless(y, told, confidence) if known else {}
    return {**_of_some_width(found), **exact}


def _counting(
    y: NDArray[Any], said: Predictions, weights: Vector
) -> tuple[NDArray[Any], Predictions, Vector]:
    """Leave out rows that count for nothing: they say nothing about the others."""
    kept = weights > 0
    chances = None if said.probabilities is None else said.probabilities[kept]
    left = Predictions(said.verdicts[kept], said.scores[kept], chances)
    return y[kept], left, weights[kept]


def _of_classes(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    confidence: float,
    weights: Vector | None,
) -> dict[str, tuple[float, float]]:
    found = {}
    counts = np.ones(len(y)) if weights is None else weights
    # Nothing is known of how a class fares that did not come.
    if np.isin(classes, y[counts > 0]).all():
        found["auc"] = _area(y, said, classes, confidence, weights)
        found["balanced_accuracy"] = _balanced(y, said.verdicts, confidence, weights)
    if said.probabilities is not None:
        losses = log_losses(y, said.probabilities, classes)
        ends = mean_interval(losses, confidence, weights, positive=True)
        found["log_loss"] = _as_if_one_more(
            ends, losses, y, said.probabilities, classes, confidence, weights
        )
    return found


def _special(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    confidence: float,
    criterion: Criterion,
    weights: Vector | None,
) -> dict[str, tuple[float, float]]:
    each = special_losses(y, said, classes, criterion)
    if each is None or not np.isfinite(each).all():
        return {}
    ends = mean_interval(each, confidence, weights, positive=True)
    if criterion.metric == "distance" and not each.any():
        # A verdict that is wrong is off by all steps at most.
        sure = _share(each > 0, confidence, weights)[1]
        ends = 0.0, sure * (len(classes) - 1)
    return {criterion.metric: ends}


def _of_numbers(
    y: NDArray[Any], said: Predictions, confidence: float, weights: Vector | None
) -> dict[str, tuple[float, float]]:
    sizes = np.abs(y - said.verdicts)
    if not np.isfinite(np.square(sizes)).all():
        return {}
    low, high = mean_interval(sizes**2, confidence, weights, positive=True)
    found = {
        "rmse": (low**0.5, high**0.5),
        "mae": mean_interval(sizes, confidence, weights, positive=True),
    }
    around = np.square(y - np.average(y, weights=weights))
    if around.any() and sizes.any():
        least, most = ratio_interval(sizes**2, around, confidence, weights)
        found["r2"] = (1 - most, 1 - least)
    return found


def _of_labels(
    y: NDArray[Any], said: Predictions, confidence: float, weights: Vector | None
) -> dict[str, tuple[float, float]]:
    missed: Matrix = y != said.verdicts
    right: Any = np.all(y == said.verdicts, axis=1)
    surprise = log_losses(y, said.scores, np.array([])).mean(axis=1)
    return {
        "log_loss": mean_interval(surprise, confidence, weights, positive=True),
        "hamming": share_mean_interval(missed.mean(axis=1), confidence, weights),
        "macro_f1": _macro_f1(y, said.verdicts, confidence, weights),
        "all_right": _share(right, confidence, weights),
    }


def share_mean_interval(
    shares: Vector, confidence: float = 0.95, weights: Vector | None = None
) -> tuple[float, float]:
    """Return the interval of a mean of numbers from 0 to 1, such as shares.

    Its variance tells how many rows that are either 0 or 1 would scatter alike; they
    have the bounds of Clopper and Pearson, which hold near 0 and 1 too (Korn and
    Graubard, 1998).
    """
    middle = float(np.average(shares, weights=weights))
    counts = np.ones(len(shares)) if weights is None else weights
    spread = float(np.square(counts * (shares - middle)).sum()) / counts.sum() ** 2
    n = effective_rows(counts)
    if not (spread > 0 and 0 < middle < 1 and n > 1):
        return middle, middle
    alike = middle * (1 - middle) / (spread * n / (n - 1))
    found = share_among(middle, alike, confidence)
    return found.low, found.high


def f1_interval(
    y: NDArray[Any],
    verdicts: NDArray[Any],
    confidence: float = 0.95,
    weights: Vector | None = None,
) -> tuple[float, float] | None:
    """Return the interval of F1, exact unless rows are weighed; None if it has none.

    Among the rows that are yes or are said to be, those that are both are a binomial
    count with the rate of Jaccard, J, and F1 = 2J/(1 + J) grows with it.
    """
    either = (y == 1) | (verdicts == 1)
    if weights is not None:
        either &= weights > 0
    if not either.any():
        return None
    both = (y == 1) & (verdicts == 1)
    held = None if weights is None else weights[either]
    low, high = _share(both[either], confidence, held)
    return 2 * low / (1 + low), 2 * high / (1 + high)


def residual_intervals(
    residuals: Vector,
    guessed: Vector,
    confidence: float = 0.95,
    weights: Vector | None = None,
) -> dict[str, Ends]:
    """Return the intervals of what is told about residuals, and about a guess's.

    The median has that of the order statistics, which holds whatever the distribution.
    """
    if weights is not None:
        kept = weights > 0
        residuals, guessed, weights = residuals[kept], guessed[kept], weights[kept]
    if len(residuals) < _FEWEST_ROWS:
        return {}
    low, high = mean_interval(np.square(guessed), confidence, weights, positive=True)
    averages = {
        "bias": mean_interval(residuals, confidence, weights),
        "baseline_rmse": (low**0.5, high**0.5),
    }
    middle = _median_interval(np.abs(residuals), confidence, weights)
    return {**_of_some_width(averages), "median_absolute": middle}


def _share(
    happened: NDArray[Any], confidence: float, weights: Vector | None
) -> tuple[float, float]:
    if weights is None:
        found = clopper_pearson(int(happened.sum()), len(happened), confidence)
    else:
        found = weighted_share(happened, weights, confidence)
    return found.low, found.high


def _area(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    confidence: float,
    weights: Vector | None,
) -> tuple[float, float]:
    """Return the interval of the area; of several classes, of the average area."""
    shown = classes[-1:] if said.scores.shape[1] == 1 else classes
    counts = np.ones(len(y)) if weights is None else weights
    areas, ends, influences = [], [], []
    for label, scores in zip(shown, said.scores.T, strict=True):
        yes, no = counts * (y == label), counts * (y != label)
        if not (yes.any() and no.any()):
            continue
        area, influence = area_influence(yes, no, scores)
        areas.append(area)
        influences.append(influence)
        ends.append(area_interval(y == label, scores, confidence, weights))
    if not areas:
        return float("nan"), float("nan")
    if len(areas) == 1:
        return ends[0]
    return _inside(average_interval(areas, ends, np.array(influences)))


def _balanced(
    y: NDArray[Any],
    verdicts: NDArray[Any],
    confidence: float,
    weights: Vector | None,
) -> tuple[float, float]:
    counts = np.ones(len(y)) if weights is None else weights
    shares, ends = [], []
    for label in np.unique(y[counts > 0]):
        here = (y == label) & (counts > 0)
        right = verdicts[here] == label
        shares.append(float(np.average(right, weights=counts[here])))
        held = None if weights is None else counts[here]
        ends.append(_share(right, confidence, held))
    return _inside(average_interval(shares, ends))


def _macro_f1(
    y: NDArray[Any],
    verdicts: NDArray[Any],
    confidence: float,
    weights: Vector | None,
) -> tuple[float, float]:
    counts = np.ones(len(y)) if weights is None else weights
    values, ends, influences = [], [], []
    for truth, answer in zip(y.T, verdicts.T, strict=True):
        found = f1_interval(truth, answer, confidence, weights)
        total = float(counts @ (truth + answer))
        value = 2 * float(counts @ (truth * answer)) / total if total else 0.0
        values.append(value)
        ends.append((0.0, 1.0) if found is None else found)
        parts = counts * (2 * truth * answer - value * (truth + answer))
        influences.append(parts / (total or 1.0))
    return _inside(average_interval(values, ends, np.array(influences)))


def _as_if_one_more(
    ends: tuple[float, float],
    losses: Vector,
    y: NDArray[Any],
    chances: Matrix,
    classes: NDArray[Any],
    confidence: float,
    weights: Vector | None,
) -> tuple[float, float]:
    """Let a class that hardly came come once more before the loss is bounded above.

    Its rows are rare and their losses large: without them the mean would look small.
    """
    seen = np.array([np.sum(y == label) for label in classes])
    typical = -np.log(np.clip(chances.mean(axis=0), np.finfo(float).eps, 1))
    rare = typical[seen < _HARDLY]
    if len(rare) == 0:
        return ends
    counts = None if weights is None else np.append(weights, weights.mean())
    more = mean_interval(
        np.append(losses, rare.max()), confidence, counts, positive=True
    )
    return ends[0], max(ends[1], more[1])


def _median_interval(sizes: Vector, confidence: float, weights: Vector | None) -> Ends:
    tail = (1 - confidence) / 2
    if weights is not None:
        reach = float(norm.ppf(1 - tail)) / (2 * effective_rows(weights) ** 0.5)
        ends = np.clip([0.5 - reach, 0.5 + reach], 0.0, 1.0)
        return [*weighted_quantiles(sizes, weights, ends)]
    n, ordered = len(sizes), np.sort(sizes)
    below = int(binom.ppf(tail, n, 0.5))
    if below == 0:  # too few rows for any two of them to be that sure
        return [0.0, None]
    return [
        float(ordered[below - 1]),
        float(ordered[n - below]),
    ]


def _flawless(
    y: NDArray[Any], told: dict[str, float | None], confidence: float
) -> dict[str, Ends]:
    """Bound the metrics that no test row speaks against.

    If the average over classes is at most a, so is that of some class; its rows and as
    many others make pairs that do not share a row, all of which came out right. The
    rarest class has the fewest pairs.
    """
    counts = np.unique(y, return_counts=True)[1]
    pairs = int(min(counts.min(), len(y) - counts.max()))
    perfect = [name for name in _FLAWLESS if np.isclose(told.get(name) or 0.0, 1)]
    if pairs == 0 or not perfect:
        return {}
    low = clopper_pearson(pairs, pairs, confidence).low
    return {name: [low, 1.0] for name in perfect}


def _inside(ends: tuple[float, float]) -> tuple[float, float]:
    return max(0.0, ends[0]), min(1.0, ends[1])


def _of_some_width(intervals: dict[str, tuple[float, float]]) -> dict[str, Ends]:
    """Leave out intervals without width, which are none."""
    return {
        name: [low, high]
        for name, (low, high) in intervals.items()
        if np.isfinite([low, high]).all()
        and not np.isclose(low, high, rtol=1e-9, atol=0.0)
    }
