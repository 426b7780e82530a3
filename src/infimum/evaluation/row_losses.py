"""Losses row by row: what the metrics are the averages of."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from infimum.evaluation.scoring import Criterion, Predictions

__all__ = ["log_losses", "special_losses"]


def log_losses(y: NDArray[Any], chances: Matrix, classes: NDArray[Any]) -> Any:
    """Return minus the logarithm of the probability given to what happened.

    Of several labels, yes or no each, there is one number a row and label.
    """
    # A probability of exactly 0 for what happened would make every average infinite.
    least = np.finfo(float).eps
    if y.ndim > 1:
        own: Matrix = np.where(y == 1, chances, 1 - chances)
    else:
        own = chances[np.arange(len(y)), np.searchsorted(classes, y)]
    return -np.log(np.clip(own, least, 1))


def special_losses(
    y: NDArray[Any],
    said: "Predictions",
    classes: NDArray[Any],
    criterion: "Criterion",
) -> Vector | None:
    """Return the losses of a criterion that only some goals have; None of others."""
    if criterion.metric == "deviance":
        # A mean of 0 would make any later count impossible.
        mean = np.maximum(said.verdicts, 1e-6 * (1 + float(np.mean(y))))
        return np.asarray(2 * (xlogy(y, y / mean) - y + mean))
    if criterion.metric == "pinball" and criterion.quantile is not None:
        short = y - said.verdicts
        lower = (criterion.quantile - 1) * short
        return np.asarray(np.maximum(criterion.quantile * short, lower))
    if criterion.metric == "distance":
        rank = {label: place for place, label in enumerate(classes.tolist())}
        truth = np.array([rank[label] for label in y.tolist()])
        answer = np.array([rank[label] for label in said.verdicts.tolist()])
        return np.asarray(np.abs(truth - answer), dtype=float)
    return None
