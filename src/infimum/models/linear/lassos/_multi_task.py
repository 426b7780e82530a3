"""Regressors of several targets that agree on their features, and their recipe."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.canonical import given_out
from infimum.data.doors import Rows, measured
from infimum.errors import DataError
from infimum.losses import MultivariateSquared
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Tasks
from infimum.models.linear.fit import Recipe, limit_of
from infimum.models.linear.lassos._gram_descent import GramDescent
from infimum.models.linear.lassos._row_penalty import RowElasticNet
from infimum.penalties import NoPenalty

__all__ = ["MultiTaskRegressor", "task_recipe"]


class MultiTaskRegressor(LinearRegressor, ABC):
    """A linear model of several real-valued targets, learnt together."""

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients without their zeros."""
        return given_out(sparse.csr_array(np.atleast_2d(self.coef_)))

    @property
    def dual_gap_(self) -> float:
        """How far the objective can be from the least possible one."""
        return np.float64(self.certificate_.gap)

    @property
    def eps_(self) -> float:
        """The gap at which the fit was to stop."""
        return float(self.certificate_.tolerance * self.certificate_.scale)

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        rows = measured(self, X, y, sample_weight, multi_output=True, reset=reset)
        if rows.y.ndim != 2:  # noqa: PLR2004
            raise DataError(
                f"For mono-task outputs use another class than {type(self).__name__}: "
                "it needs y with one column for each task, got a vector."
            )
        if reset:
            self.n_tasks_ = rows.y.shape[1]
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        return tags


def task_recipe(model: Any, rows: Rows, alpha: float, ratio: float) -> Recipe:
    """Return the recipe of several targets under a penalty on whole features."""
    penalty = RowElasticNet(alpha, ratio) if alpha > 0 else NoPenalty()
    unit = np.eye(rows.y.shape[1])
    return Recipe(
        MultivariateSquared(tuple(map(tuple, unit.tolist()))),
        penalty,
        Tasks(),
        tolerance=model.tol,
        intercept=model.fit_intercept,
        preferred=None if penalty.quadratic is not None else GramDescent,
        max_iterations=limit_of(model),
    )
