"""The graph of the k nearest, as a step of a pipeline."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import check_fitted
from infimum.models.neighbors._neighbors_model import KNeighborsQueries
from infimum.models.neighbors._neighbors_transformer import NeighborsTransformer
from infimum.parameters import Domains, whole

__all__ = ["KNeighborsTransformer"]


class KNeighborsTransformer(NeighborsTransformer, KNeighborsQueries):
    """A step that turns samples into the sparse graph of their nearest neighbours.

    For estimators that read precomputed graphs: the search is done once and shared.

    Parameters
    ----------
    mode : {'distance', 'connectivity'}, default='distance'
        Whether entries are distances or 1. With distances one neighbour more is kept,
        since a sample is its own first one.
    n_neighbors : int, default=5
    algorithm, leaf_size, metric, p, metric_params, n_jobs
        As in `NearestNeighbors`.

    Attributes
    ----------
    effective_metric_ : str
    effective_metric_params_ : dict
    n_samples_fit_ : int
    n_features_in_ : int

    Examples
    --------
    >>> step = KNeighborsTransformer(mode="connectivity", n_neighbors=2)
    >>> step.fit_transform([[0.0], [1.0], [5.0]]).toarray()
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 1., 1.]])
    """

    _domains: ClassVar[Domains] = {
        "n_neighbors": whole(1),
    }

    def __init__(
        self,
        *,
        mode: str = "distance",
        n_neighbors: int = 5,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def transform(self, X: Any) -> Any:
        """Return the sparse matrix with an entry for each query and neighbour.

        Parameters
        ----------
        X : array-like, sparse matrix or collection
            Queries, as in `kneighbors`.
        """
        check_fitted(self)
        more = int(self.mode == "distance")
        return self.kneighbors_graph(X, self.n_neighbors + more, self.mode)
