"""Residuals of a regression, summarised."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics

__all__ = ["ResidualSummary", "summarize_residuals"]


@dataclass(frozen=True)
class ResidualSummary:
    """Sizes of the errors of a regression; residual means truth minus prediction."""

    root_mean_square: float
    mean_absolute: float
    median_absolute: float
    bias: float
    explained: float
    quartiles: tuple[float, float, float]
    worst: float


def summarize_residuals(truth: ArrayLike, predicted: ArrayLike) -> ResidualSummary:
    """Summarise the residuals of a regression.

    `explained` is R², the share of the variance that the prediction removes; it is 0
    for a target that does not vary.
    """
    actual, guess = np.asarray(truth, float), np.asarray(predicted, float)
    residuals = actual - guess
    low, middle, high = np.quantile(residuals, [0.25, 0.5, 0.75])
    constant = len(actual) < 2 or bool(np.ptp(actual) == 0)  # noqa: PLR2004
    return ResidualSummary(
        root_mean_square=float(np.sqrt(np.mean(residuals**2))),
        mean_absolute=float(np.mean(np.abs(residuals))),
        median_absolute=float(np.median(np.abs(residuals))),
        bias=float(np.mean(residuals)),
        explained=0.0 if constant else float(metrics.r2_score(actual, guess)),
        quartiles=(float(low), float(middle), float(high)),
        worst=float(np.max(np.abs(residuals))),
    )
