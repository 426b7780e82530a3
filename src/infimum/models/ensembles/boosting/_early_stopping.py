"""When boosting should stop: rows held out, and whether the last rounds helped."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Mask, Vector

__all__ = ["held_out", "keeps_improving"]


def held_out(
    model: Any, n: int, strata: Vector | None, weights: Vector | None, plan: Any
) -> Mask:
    """Return which rows are kept apart to judge the rounds by; classes in proportion.

    Of each class one row is left to learn from, even if it is its only one.

    A row of weight 0 is no row: it is neither held out nor counted.
    """
    outside = np.zeros(n, dtype=bool)
    if plan.patience is None or plan.validation_fraction is None:
        return outside
    draw = np.random.default_rng(model._seed)
    alive = np.arange(n) if weights is None else np.flatnonzero(weights > 0)
    share = plan.validation_fraction
    kinds = np.zeros(len(alive)) if strata is None else strata[alive]
    for kind in np.unique(kinds):
        own = draw.permutation(alive[kinds == kind])
        count = len(own) * share if share < 1 else len(own) * share / len(alive)
        most = len(own) if strata is None else len(own) - 1  # a class is learnt
        outside[own[: min(max(1, round(count)), most)]] = True
    if outside[alive].all() or not outside.any():
        raise DataError(
            f"{type(model).__name__}: {len(alive)} samples are too few to hold some "
            "out; early_stopping=False needs none."
        )
    return outside


def keeps_improving(scores: list[float], patience: int, tol: float) -> bool:
    """Tell whether one of the last scores beats the one before them, or all are new."""
    if len(scores) < patience + 1:
        return True
    return max(scores[-patience:]) > scores[-patience - 1] + tol
