"""Base of forests of comparisons: the number of their trees."""

from __future__ import annotations

from typing import Any

from infimum.models.trees._comparison_model import ComparisonModel
from infimum.parameters import check_domain, whole

__all__ = ["ComparisonForest"]


class ComparisonForest(ComparisonModel):
    """Many trees of comparisons; subclasses know what they tell."""

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        metric: Any = "euclidean",
        leaf_size: int = 1,
        max_depth: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.metric = metric
        self.leaf_size = leaf_size
        self.max_depth = max_depth
        self.random_state = random_state

    @property
    def _how_many(self) -> int:
        owner = type(self).__name__
        check_domain(f"{owner}.n_estimators", self.n_estimators, whole(1))
        return int(self.n_estimators)
