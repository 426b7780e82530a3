"""What multi-task regressors share: several targets that agree on their features."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np

from infimum.data.validation import accept_measured, accept_weights
from infimum.errors import DataError
from infimum.losses import MultivariateSquared, VectorLoss
from infimum.models.linear._regressor import LinearRegressor
from infimum.typing import Vector

__all__ = ["MultiTaskRegressor"]


class MultiTaskRegressor(LinearRegressor, ABC):
    """A linear model of several real-valued targets, learnt together."""

    @property
    def dual_gap_(self) -> float:
        """How far the objective can be from the least possible one."""
        return float(self.certificate_.gap)

    @property
    def eps_(self) -> float:
        """The gap at which the fit was to stop."""
        return float(self.certificate_.tolerance * self.certificate_.scale)

    def _loss(self) -> VectorLoss:
        unit = np.eye(self.n_tasks_)
        return MultivariateSquared(tuple(map(tuple, unit.tolist())))

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        X, y = accept_measured(self, X, y, multi_output=True)
        if y.ndim != 2:  # noqa: PLR2004
            raise DataError(
                f"For mono-task outputs use another class than {type(self).__name__}: "
                "it needs y with one column for each task, got a vector."
            )
        if reset:
            self.n_tasks_ = y.shape[1]
        return X, (y,), accept_weights(sample_weight, X)

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        self.coef_, self.intercept_ = coefs[0], np.asarray(intercepts[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        return tags
