"""What the lasso and the elastic net share that choose their strength by folds."""

from __future__ import annotations

from abc import ABC
from typing import Any

from infimum.losses import Loss, Squared
from infimum.models.linear._path_choice import PathChoice
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear._sparse_regressor import SparseRegressor
from infimum.models.linear._strength_path import strongest
from infimum.models.linear.elastic_net import ElasticNet
from infimum.typing import Vector

__all__ = ["CrossValidatedSparse"]


class CrossValidatedSparse(PathChoice, SparseRegressor, ABC):
    """An elastic net that follows a path on every fold and keeps the best strength."""

    positive: bool

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        self._one_target = True
        return LinearRegressor._admit(self, X, y, sample_weight, reset=reset)

    def _strongest(self, problem: LinearProblem, ratio: float) -> float:
        risks = self._template(1.0, ratio)._risks(problem)
        return strongest(risks, positive=bool(self.positive))

    def _template(self, alpha: float, ratio: float) -> ElasticNet:
        return ElasticNet(
            alpha,
            l1_ratio=ratio,
            fit_intercept=self.fit_intercept,
            max_iter=self.max_iter,
            tol=self.tol,
            positive=self.positive,
        )

    def _loss(self) -> Loss:
        return Squared()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags
