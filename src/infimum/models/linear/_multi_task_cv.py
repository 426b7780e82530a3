"""What multi-task models share that choose their strength by folds."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np

from infimum.losses import VectorLoss
from infimum.models.linear._multi_task import MultiTaskRegressor
from infimum.models.linear._path_choice import PathChoice
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.multi_task_elastic_net import MultiTaskElasticNet
from infimum.typing import Vector

__all__ = ["CrossValidatedTasks"]


class CrossValidatedTasks(PathChoice, MultiTaskRegressor, ABC):
    """A multi-task model that follows a path on every fold and keeps the best."""

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        return MultiTaskRegressor._admit(self, X, y, sample_weight, reset=reset)

    def _loss(self) -> VectorLoss:
        return MultiTaskRegressor._loss(self)

    def _strongest(self, problem: LinearProblem, ratio: float) -> float:
        risk = self._template(1.0, ratio)._risks(problem)[0]
        slope = risk.evaluate(risk.null).pulled_back
        return float(np.sqrt(np.square(slope).sum(axis=1)).max(initial=0.0)) / ratio

    def _template(self, alpha: float, ratio: float) -> MultiTaskElasticNet:
        template = MultiTaskElasticNet(
            alpha,
            l1_ratio=ratio,
            fit_intercept=self.fit_intercept,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        template.n_tasks_ = self.n_tasks_
        return template
