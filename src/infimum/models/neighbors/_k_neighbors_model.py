"""Base of k-nearest-neighbour models: their parameters."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.models.neighbors._neighbors_model import KNeighborsQueries
from infimum.models.neighbors._votes import check_weights
from infimum.parameters import Domains, check_parameters, whole

__all__ = ["KNeighborsModel"]


class KNeighborsModel(KNeighborsQueries):
    """Samples with something to tell of their neighbourhood."""

    _domains: ClassVar[Domains] = {
        "n_neighbors": whole(1),
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _check(self) -> None:
        owner = type(self).__name__
        check_parameters(self)
        check_weights(owner, self.weights)
