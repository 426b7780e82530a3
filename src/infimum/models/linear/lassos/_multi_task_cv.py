"""Multi-task models that follow a path on every fold and keep the best strength."""

from __future__ import annotations

from abc import ABC
from functools import partial
from typing import Any, ClassVar, Self

from sklearn.callback import with_callbacks

from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import streams
from infimum.models._folds import RoutedFolds
from infimum.models.linear.estimator import concluded, learn
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._multi_task import MultiTaskRegressor, task_recipe
from infimum.models.linear.lassos._path_choice import chosen_by_folds, shares
from infimum.parameters import Domains, whole

__all__ = ["CrossValidatedTasks"]


class CrossValidatedTasks(RoutedFolds, MultiTaskRegressor, ABC):
    """A multi-task model that follows a path on every fold and keeps the best."""

    _domains: ClassVar[Domains] = {"max_iter": whole(1)}
    #: The shares of the penalty on lengths to try.
    l1_ratio: Any
    alpha_: float
    l1_ratio_: float

    @streams("infimum.data.doors.streamed_rows:refuse_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the strength by folds and learn the coefficients; return self."""
        split = self._split_settings(params)
        learn(self, X, y, sample_weight, choose=partial(self._choose, split=split))
        return concluded(self)

    def _choose(self, rows: Rows, split: dict[str, Any]) -> None:
        ratios = shares(type(self).__name__, self.l1_ratio)
        self.__dict__.update(chosen_by_folds(self, rows, ratios, task_recipe, split))

    def _recipe(self, rows: Rows) -> Recipe:
        return task_recipe(self, rows, self.alpha_, self.l1_ratio_)
