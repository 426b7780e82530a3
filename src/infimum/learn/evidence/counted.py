"""Promises about rows that stand for unequally many: bounds, thresholds, coverage.

A weight says for how many rows of the population a row of the table stands. Bounds by
betting and weighted conformal thresholds hold for such a population, whatever the law
of rows and weights, if no row is heavier than the heaviest that was learned from;
heavier ones count as that.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom

from infimum.evaluation import (
    Coverage,
    Guarantee,
    betting_guarantee,
    conformal_rank,
    loss_guarantee,
)
from infimum.evaluation.uncertainty.weighing import effective_rows, weighted_share
from infimum.learn.evidence.case import CONFIDENCE, Case
from infimum.typing import Indices, Vector

__all__ = ["bounded", "counts_of", "told_coverage"]


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
