"""How sure the metrics of the exam are: what other draws of the test rows would say."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm, rankdata

from infimum.evaluation import bootstrap_distribution
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
    luck of the test rows alone.
    """
    if len(y) < _FEWEST_ROWS:
        return {}
    told = measure(y, said, classes, criterion, weights)
    names = [name for name, value in told.items() if value is not None]

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
    return {
        name: [float(low), float(high)]
        for name, low, high in zip(names, *ends, strict=True)
    }


def area_interval(
    happened: NDArray[Any], scores: Vector, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the interval of the area under one ROC curve (DeLong, 1988).

    The area is an average over pairs; its variance is that of each row's average over
    the rows of the other kind, which ranks tell.
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
    return max(0.0, area - reach), min(1.0, area + reach)


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
    return {
        "bias": list(mean_interval(residuals, confidence, weights)),
        "baseline_rmse": [max(0.0, low) ** 0.5, high**0.5],
        "median_absolute": _median_interval(np.abs(residuals), confidence, weights),
    }


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
    return [
        float(ordered[max(0, below - 1)]),
        float(ordered[min(n - 1, n - below)]),
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


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
