"""The recipe of least squares under a penalty that makes coefficients 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import Rows
from infimum.losses import Squared
from infimum.models.linear.coding import measured_coding
from infimum.models.linear.fit import Recipe, limit_of
from infimum.models.linear.lassos._gram_descent import GramDescent
from infimum.penalties import Box, ElasticNet, NoPenalty, Penalty

__all__ = ["elastic_net_recipe", "sparse_recipe"]


def sparse_recipe(model: Any, rows: Rows, priced: Penalty | None) -> Recipe:
    """Return the recipe of a model under a penalty; None is a strength of 0."""
    free = Box(0.0, np.inf) if model.positive else NoPenalty()
    penalty = free if priced is None else priced
    return Recipe(
        Squared(),
        penalty,
        measured_coding(rows.y),
        tolerance=model.tol,
        intercept=model.fit_intercept,
        preferred=GramDescent,
        max_iterations=limit_of(model),
    )


def elastic_net_recipe(model: Any, rows: Rows, alpha: float, ratio: float) -> Recipe:
    """Return the recipe of a model under a mixture of ℓ₁ and ℓ₂ penalties."""
    mixture = ElasticNet(alpha, ratio, bool(model.positive)) if alpha > 0 else None
    return sparse_recipe(model, rows, mixture)
