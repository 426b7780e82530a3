"""How sure the area under a ROC curve is: with few rows, ties and rare classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as student

from infimum.evaluation.uncertainty.weighing import effective_rows
from infimum.theory.intervals import clopper_pearson
from infimum.typing import Vector

__all__ = ["area_influence", "area_interval"]

_SEVERAL, _ROUNDING = 2, 1e-12
#: Areas that are tried when an interval is made of all that are not refuted.
_TRIED = np.linspace(0.0, 1.0, 2001)


def area_interval(
    happened: NDArray[Any],
    scores: Vector,
    confidence: float = 0.95,
    weights: Vector | None = None,
) -> tuple[float, float]:
    """Return the interval of the area under one ROC curve.

    It holds what either of two ways allows. DeLong's variance, an average over rows of
    each kind, is taken on the logarithm of the odds, with as many degrees of freedom as
    Welch and Satterthwaite count: a few rows of one kind know little about their
    scatter. And the score interval of Newcombe asks which areas are not refuted if they
    had the variance of Hanley and McNeil, which needs no scatter to be seen. Where all
    pairs are in order, disjoint pairs have the exact bounds of Clopper and Pearson.
    """
    counts = np.ones(len(scores)) if weights is None else weights
    yes, no = counts * happened, counts * ~happened
    if not (yes.any() and no.any()):
        return 0.0, 1.0
    n_yes, n_no = effective_rows(yes[yes > 0]), effective_rows(no[no > 0])
    # A single row of a kind says nothing about how such rows differ.
    if min(n_yes, n_no) < _SEVERAL:
        return 0.0, 1.0
    area, influence = area_influence(yes, no, scores)
    if min(area, 1 - area) < _ROUNDING:
        pairs = int(min(n_yes, n_no))
        sure = clopper_pearson(round(area) * pairs, pairs, confidence)
        return sure.low, sure.high
    parts = np.array(
        [
            np.square(influence[yes > 0]).sum() * n_yes / (n_yes - 1),
            np.square(influence[no > 0]).sum() * n_no / (n_no - 1),
        ]
    )
    if not parts.sum() > _ROUNDING**2:
        return 0.0, 1.0
    seen = _by_scatter(area, parts, (n_yes, n_no), confidence)
    asked = _by_score(area, (n_yes, n_no), confidence)
    return min(seen[0], asked[0]), max(seen[1], asked[1])


def area_influence(yes: Vector, no: Vector, scores: Vector) -> tuple[float, Vector]:
    """Return the weighted area, and what each row adds to its deviation from the truth.

    `yes` and `no` are the weights of the rows as members of either kind, 0 where they
    are of the other. The influences sum to 0, and their squares to the variance.

    Examples
    --------
    >>> kinds = np.array([1.0, 0.0, 1.0, 0.0])
    >>> area, influence = area_influence(kinds, 1 - kinds, np.array([3.0, 2.0, 1.0, 0]))
    >>> area, influence.tolist()
    (0.75, [0.125, -0.125, -0.125, 0.125])
    """
    levels = np.unique(scores, return_inverse=True)[1].ravel()
    above = np.bincount(levels, yes) / yes.sum()
    below = np.bincount(levels, no) / no.sum()
    won = (np.cumsum(below) - below / 2)[levels]
    lost = (1 - np.cumsum(above) + above / 2)[levels]
    area = float(yes @ won / yes.sum())
    mine = yes / yes.sum() * (won - area)
    return area, mine + no / no.sum() * (lost - area)


def _by_scatter(
    area: float, parts: Vector, sizes: tuple[float, float], confidence: float
) -> tuple[float, float]:
    total = float(parts.sum())
    freedom = total**2 / float(np.sum(np.square(parts) / (np.array(sizes) - 1)))
    reach = float(student.ppf(0.5 + confidence / 2, freedom)) * total**0.5
    reach /= area * (1 - area)
    return float(expit(logit(area) - reach)), float(expit(logit(area) + reach))


def _by_score(
    area: float, sizes: tuple[float, float], confidence: float
) -> tuple[float, float]:
    """Return the areas that are not refuted, each with the variance it would have."""
    true = _TRIED
    # Of two winners and one loser, and of one winner and two losers: who is rarer is
    # not known, so the larger of both variances counts.
    twice = true * (1 - true) ** 2 / (2 - true), true**2 * (1 - true) / (1 + true)
    more, fewer = max(sizes) - 1, min(sizes) - 1
    most = more * np.maximum(*twice) + fewer * np.minimum(*twice)
    variance = (true * (1 - true) + most) / (sizes[0] * sizes[1])
    reach = float(norm.ppf(0.5 + confidence / 2)) * np.sqrt(variance)
    kept = true[np.abs(true - area) <= reach]
    return (float(kept[0]), float(kept[-1])) if len(kept) else (area, area)
