"""Elastic nets that follow a path on every fold and keep the best strength."""

from __future__ import annotations

from abc import ABC
from functools import partial
from typing import Any, ClassVar, Self

from sklearn.callback import with_callbacks

from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import streams
from infimum.models._folds import RoutedFolds
from infimum.models.linear._regressor import LinearRegressor, SparseRegressor
from infimum.models.linear.estimator import concluded, learn
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._path_choice import chosen_by_folds, shares
from infimum.models.linear.lassos._sparse_recipe import elastic_net_recipe
from infimum.parameters import Domains, whole

__all__ = ["CrossValidatedSparse"]


class CrossValidatedSparse(RoutedFolds, SparseRegressor, ABC):
    """An elastic net that follows a path on every fold and keeps the best strength."""

    _domains: ClassVar[Domains] = {"max_iter": whole(1)}
    #: The shares of the ℓ₁ norm to try.
    l1_ratio: Any
    alpha_: float
    l1_ratio_: float

    @streams("infimum.data.doors.streamed_rows:refuse_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the strength by folds and learn the coefficients; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        **params
            What `cv` is told of the samples, such as groups, with metadata routing on.
        """
        split = self._split_settings(params)
        learn(self, X, y, sample_weight, choose=partial(self._choose, split=split))
        return concluded(self)

    def _choose(self, rows: Rows, split: dict[str, Any]) -> None:
        ratios = shares(type(self).__name__, self.l1_ratio)
        found = chosen_by_folds(self, rows, ratios, elastic_net_recipe, split)
        self.__dict__.update(found)

    def _recipe(self, rows: Rows) -> Recipe:
        return elastic_net_recipe(self, rows, self.alpha_, self.l1_ratio_)

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        return LinearRegressor._rows(self, X, y, sample_weight, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags
