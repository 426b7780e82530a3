"""The graph of all within a radius, as a step of a pipeline."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import check_fitted
from infimum.models.neighbors._neighbors_model import RadiusQueries
from infimum.models.neighbors._neighbors_transformer import NeighborsTransformer
from infimum.parameters import Domains, besides, nonnegative

__all__ = ["RadiusNeighborsTransformer"]


class RadiusNeighborsTransformer(NeighborsTransformer, RadiusQueries):
    """A step that turns samples into the sparse graph of those within a radius.

    Parameters
    ----------
    mode : {'distance', 'connectivity'}, default='distance'
        Whether entries are distances or 1.
    radius : float, default=1.0
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
    >>> step = RadiusNeighborsTransformer(radius=1.5)
    >>> step.fit_transform([[0.0], [1.0], [5.0]]).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """

    _domains: ClassVar[Domains] = {
        "radius": besides(nonnegative, float("inf")),
    }

    def __init__(
        self,
        *,
        mode: str = "distance",
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def transform(self, X: Any) -> Any:
        """Return the sparse matrix with an entry for each query and near sample.

        Parameters
        ----------
        X : array-like, sparse matrix or collection
            Queries, as in `radius_neighbors`.
        """
        check_fitted(self)
        return self.radius_neighbors_graph(X, mode=self.mode, sort_results=True)
