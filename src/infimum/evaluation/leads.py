"""By how many standard errors predictions beat a constant, on the rows of one fold."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student

from infimum.evaluation.row_losses import special_losses
from infimum.evaluation.scoring import Criterion, Predictions, measure
from infimum.typing import Vector

__all__ = ["leads_of"]

_HALF = 0.5
_FEWEST = 3


def leads_of(
    said: Sequence[Predictions],
    y: NDArray[Any],
    seen: NDArray[Any],
    classes: NDArray[Any],
    criterion: Criterion,
    weights: Vector | None = None,
) -> list[float] | None:
    """Return for each of several predictions of `y` a normal score against a constant.

    The constant is the best one for the targets `seen` in training. Areas under the ROC
    curve are compared with one half by the variance of Mann and Whitney's statistic,
    other criteria by a paired t-test of the losses row by row. None stands for
    criteria that are no comparison with a constant.
    """
    if y.ndim > 1 or criterion.alarm_rate is not None:
        return None
    counts = np.ones(len(y)) if weights is None or not weights.any() else weights
    if criterion.metric == "auc":
        least = _area_noise(y == classes[-1], counts)
        areas = [measure(y, each, classes, criterion, weights)["auc"] for each in said]
        return [math.nan if a is None else (a - _HALF) / least for a in areas]
    fixed = np.full(len(y), _constant(seen, classes, criterion))
    base = _losses(y, Predictions(fixed, fixed[:, None], None), classes, criterion)
    with np.errstate(over="ignore", invalid="ignore"):
        return [
            _score(base - _losses(y, each, classes, criterion), counts) for each in said
        ]


def _area_noise(yes: NDArray[Any], counts: Vector) -> float:
    """Return the standard deviation of an area where scores and classes are strangers.

    Weighted rows count as many as are worth the same (Kish).
    """
    many, few = (_effective(counts[side]) for side in (yes, ~yes))
    return math.sqrt((many + few + 1) / (12 * many * few)) if many * few else math.inf


def _effective(counts: Vector) -> float:
    total = float(np.sum(counts**2))
    return float(np.sum(counts)) ** 2 / total if total else 0.0


def _constant(seen: NDArray[Any], classes: NDArray[Any], criterion: Criterion) -> Any:
    if criterion.metric == "distance":
        places = np.searchsorted(classes, seen)
        return classes[int(np.quantile(places, _HALF, method="lower"))]
    if len(classes):
        labels, often = np.unique(seen, return_counts=True)
        return labels[np.argmax(often)]
    if criterion.quantile is not None:
        return np.quantile(seen, criterion.quantile)
    return np.mean(seen)


def _losses(
    y: NDArray[Any], said: Predictions, classes: NDArray[Any], criterion: Criterion
) -> Vector:
    special = special_losses(y, said, classes, criterion)
    if special is not None:
        return special
    if len(classes):
        return np.asarray(said.verdicts != y, dtype=float)
    return np.asarray((y - said.verdicts) ** 2, dtype=float)


def _score(gains: Vector, counts: Vector) -> float:
    """Return the normal score of a one-sided t-test that the mean gain is positive."""
    rows = _effective(counts)
    mean = float(np.average(gains, weights=counts))
    spread = float(np.average((gains - mean) ** 2, weights=counts))
    if rows < _FEWEST or not math.isfinite(mean) or not math.isfinite(spread):
        return -math.inf
    if spread == 0:
        return math.copysign(math.inf, mean) if mean else 0.0
    place = mean / math.sqrt(spread / (rows - 1))
    return float(norm.isf(student.sf(place, rows - 1)))
