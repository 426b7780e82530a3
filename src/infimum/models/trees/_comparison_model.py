"""Base of trees and forests of comparisons: their data and their parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from infimum.data.doors import same_length, vector
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.trees._comparisons import admit_queries, admit_things, comparisons
from infimum.models.trees.comparison_tree import ComparisonTree, grow_by_comparisons
from infimum.parameters import Domains, check_parameters, or_none, whole
from infimum.typing import Matrix

__all__ = ["ComparisonModel"]

MOST = np.iinfo(np.int32).max


class ComparisonModel(BaseEstimator):  # type: ignore[misc]
    """Trees of comparisons; their values are averaged."""

    _domains: ClassVar[Domains] = {
        "leaf_size": whole(1),
        "max_depth": or_none(whole(1)),
    }

    trees_: list[ComparisonTree]

    def __init__(
        self,
        metric: Any = "euclidean",
        *,
        leaf_size: int = 1,
        max_depth: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.metric = metric
        self.leaf_size = leaf_size
        self.max_depth = max_depth
        self.random_state = random_state

    @abstractmethod
    def _targets(self, y: Any) -> Matrix:
        """Admit targets; return them in columns that can be averaged."""

    @property
    def _how_many(self) -> int:
        return 1

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Cut the samples into cells; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a collection
            Samples; their square matrix of distances for ``metric='precomputed'``; a
            list of anything for a metric that is a function.
        y : array-like of shape (n_samples,)
            Targets.
        """
        owner = type(self).__name__
        check_parameters(self)
        if y is None:
            raise DataError(
                f"{owner} requires y to be passed, but the target y is None"
            )
        things = admit_things(self, X)
        targets = self._targets(vector(y, warn=True))
        same_length(things, targets)
        self.X_fit_ = None if self._precomputed else things
        self.n_comparisons_ = 0
        closer = self._counted(comparisons(self.metric, things, things))
        depth = np.inf if self.max_depth is None else self.max_depth
        seeds = check_random_state(self.random_state).randint(MOST, size=self._how_many)
        self.trees_ = [
            grow_by_comparisons(
                targets, closer, self.leaf_size, depth, np.random.default_rng(seed)
            )
            for seed in seeds
        ]
        return self

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _counted(self, closer: Any) -> Any:
        def counting(rows: Any, first: Any, second: Any) -> Any:
            self.n_comparisons_ += len(rows)
            return closer(rows, first, second)

        return counting

    def _mean(self, X: Any) -> Matrix:
        queries = admit_queries(self, X)
        if any(tree.pivots.max() >= len(self._samples) for tree in self.trees_):
            raise DataError(f"{type(self).__name__}: a pivot is not among the samples.")
        closer = comparisons(self.metric, self.X_fit_, queries)
        total = sum(
            tree.value[tree.apply(len(queries), closer)] for tree in self.trees_
        )
        return np.asarray(total / len(self.trees_))

    @property
    def _samples(self) -> Any:
        return range(self.n_features_in_) if self._precomputed else self.X_fit_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.non_deterministic = False
        return tags
