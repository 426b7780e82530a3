"""How sure the metrics of the exam are: what other draws of the test rows would say."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm, rankdata

from infimum.evaluation import bootstrap_distribution, clopper_pearson
from infimum.learn.scoring import Criterion, Predictions, measure
from infimum.learn.weighing import effective_rows, weighted_quantiles
from infimum.typing import Vector

__all__ = [
    "area_interval",
    "mean_interval",
    "metric_intervals",
    "residual_intervals",
]

_RESAMPLES, _FEWEST_RESAMPLES, _ROW_BUDGET, _FEWEST_ROWS = 400, 60, 2_000_000, 5
#: Metrics that are 1 if and only if every class is told from the others.
_FLAWLESS = ("auc", "balanced_accuracy")


def metric_intervals(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    confidence: float = 0.95,
    criterion: Criterion | None = None,
    weights: Vector | None = None,
) -> dict[str, list[float | None]]:
    """Return the bootstrap interval of every metric of the exam, by name.

    The test rows are drawn again and again from themselves; the interval leaves out
    equal shares of the metrics they give. Predictions stay as they are: this is the
    luck of the test rows alone. Draws that all agree know nothing of the rows that did
    not come: a flawless metric is bounded exactly, any other has no interval then.
    """
    if len(y) < _FEWEST_ROWS:
        return {}
    told = measure(y, said, classes, criterion, weights)
    names = [name for name, value in told.items() if np.isfinite(_number(value))]

    def metrics(rows: NDArray[Any]) -> list[float]:
        drawn = Predictions(
            said.verdicts[rows],
            said.scores[rows],
            None if said.probabilities is None else said.probabilities[rows],
        )
        counts = None if weights is None else weights[rows]
        if counts is not None and not counts.any():
            return [float("nan")] * len(names)
        again = measure(y[rows], drawn, classes, criterion, counts)
        return [_number(again[name]) for name in names]

    resamples = int(np.clip(_ROW_BUDGET // len(y), _FEWEST_RESAMPLES, _RESAMPLES))
    found = bootstrap_distribution(metrics, np.arange(len(y)), n_resamples=resamples)
    tail = 50 * (1 - confidence)
    # A draw without one of the classes has no area under its curve.
    known = np.isfinite(found.estimates).all(axis=1)
    if known.sum() < _FEWEST_RESAMPLES // 2:
        return {}
    ends = np.percentile(found.estimates[known], [tail, 100 - tail], axis=0)
    drawn = dict(zip(names, ends.T.tolist(), strict=True))
    exact = {} if weights is not None else _flawless(y, told, confidence)
    return {**exact, **_of_some_width(drawn)}


def area_interval(
    happened: NDArray[Any], scores: Vector, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the interval of the area under one ROC curve (DeLong, 1988).

    The area is an average over pairs; its variance is that of each row's average over
    the rows of the other kind, which ranks tell. Where rows do not differ in that, as
    if all pairs are in order, disjoint pairs have the bounds of Clopper and Pearson.
    """
    ranks = rankdata(scores)
    above = (ranks[happened] - rankdata(scores[happened])) / np.sum(~happened)
    below = 1 - (ranks[~happened] - rankdata(scores[~happened])) / np.sum(happened)
    parts = [part.var(ddof=1) / len(part) for part in (above, below) if len(part) > 1]
    reach = float(norm.ppf(0.5 + confidence / 2)) * float(np.sum(parts)) ** 0.5
    area = float(above.mean())
    # A single row of a kind says nothing about how such rows differ.
    if len(parts) < 2:  # noqa: PLR2004
        return 0.0, 1.0
    if reach > 0:
        return max(0.0, area - reach), min(1.0, area + reach)
    pairs = min(len(above), len(below))
    if area in (0.0, 1.0):
        sure = clopper_pearson(int(area) * pairs, pairs, confidence)
        return sure.low, sure.high
    return 0.0, 1.0


def residual_intervals(
    residuals: Vector,
    guessed: Vector,
    confidence: float = 0.95,
    weights: Vector | None = None,
) -> dict[str, list[float | None]]:
    """Return the intervals of what is told about residuals, and about a guess's.

    Averages have those of the central limit theorem, the median that of the order
    statistics, which holds whatever the distribution.
    """
    n = len(residuals)
    if n < _FEWEST_ROWS:
        return {}
    low, high = mean_interval(np.square(guessed), confidence, weights)
    averages = {
        "bias": list(mean_interval(residuals, confidence, weights)),
        "baseline_rmse": [max(0.0, low) ** 0.5, high**0.5],
    }
    middle = _median_interval(np.abs(residuals), confidence, weights)
    return {**_of_some_width(averages), "median_absolute": middle}


def _median_interval(
    sizes: Vector, confidence: float, weights: Vector | None
) -> list[float | None]:
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


def mean_interval(
    values: Vector, confidence: float = 0.95, weights: Vector | None = None
) -> tuple[float, float]:
    """Return where the mean lies by the central limit theorem.

    A weighted mean is a ratio of two sums, and scatters like the first one about it.
    """
    middle = float(np.average(values, weights=weights))
    if weights is None:
        error = float(values.std(ddof=1)) / len(values) ** 0.5
    else:
        parts = weights * (values - middle)
        error = float(np.square(parts).sum()) ** 0.5 / float(weights.sum())
    reach = float(norm.ppf(0.5 + confidence / 2)) * error
    return middle - reach, middle + reach


def _flawless(
    y: NDArray[Any], told: dict[str, float | None], confidence: float
) -> dict[str, list[float | None]]:
    """Bound the metrics that no test row speaks against.

    If the average over classes is at most a, so is that of some class; its rows and as
    many others make pairs that do not share a row, all of which came out right. The
    rarest class has the fewest pairs.
    """
    if y.ndim > 1:
        return {}
    counts = np.unique(y, return_counts=True)[1]
    pairs = int(min(counts.min(), len(y) - counts.max()))
    perfect = [name for name in _FLAWLESS if np.isclose(_number(told.get(name)), 1)]
    if pairs == 0 or not perfect:
        return {}
    low = clopper_pearson(pairs, pairs, confidence).low
    return {name: [low, 1.0] for name in perfect}


def _of_some_width(
    intervals: dict[str, list[float]],
) -> dict[str, list[float | None]]:
    """Leave out intervals without width, which are none."""
    return {
        name: [low, high]
        for name, (low, high) in intervals.items()
        if not np.isclose(low, high, rtol=1e-9, atol=0.0)
    }


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
