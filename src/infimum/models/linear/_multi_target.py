"""What linear regressors share that predict one target or several at once."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np

from infimum.data.validation import accept_measured, accept_weights
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import LinearRegressor
from infimum.typing import Vector

__all__ = ["MultiTargetRegressor"]


class MultiTargetRegressor(LinearRegressor, ABC):
    """A linear model of one target, or of several that share the samples.

    Targets are columns of y and are learnt independently; `coef_` has a row for each,
    and no such axis when y has none.
    """

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        X, y = accept_measured(self, X, y, multi_output=True)
        self._one_target = y.ndim == 1
        columns = y.reshape(len(y), -1).T
        return X, tuple(columns), accept_weights(sample_weight, X)

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        if self._one_target:
            self.coef_, self.intercept_ = coefs[0], float(intercepts[0])
        else:
            self.coef_, self.intercept_ = np.array(coefs), np.array(intercepts, float)

    def _points(self, problem: LinearProblem) -> list[Vector]:
        intercepts = np.atleast_1d(self.intercept_)
        pairs = zip(np.atleast_2d(self.coef_), intercepts, strict=True)
        return [problem.pack(w, b, k) for k, (w, b) in enumerate(pairs)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
