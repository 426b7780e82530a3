"""Graphs of neighbours by one call."""

from __future__ import annotations

from typing import Any

from infimum.errors import InvalidParameterError
from infimum.models.neighbors._neighbors_model import NeighborsModel
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors

__all__ = ["kneighbors_graph", "radius_neighbors_graph"]


def kneighbors_graph(
    X: Any,
    n_neighbors: int,
    *,
    mode: str = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: Any = False,
    n_jobs: int | None = None,
) -> Any:
    """Return the sparse graph that links each sample to its nearest ones.

    Parameters
    ----------
    X : array-like, sparse matrix, collection, or a fitted neighbours model
    n_neighbors : int
    mode : {'connectivity', 'distance'}, default='connectivity'
        Whether entries are 1 or the distance.
    metric, p, metric_params
        As in `NearestNeighbors`; ignored for a fitted model, which has its own.
    include_self : bool or 'auto', default=False
        Whether a sample is its own first neighbour; 'auto' means so for connectivity.
    n_jobs : int, optional
        Accepted for compatibility.

    Examples
    --------
    >>> kneighbors_graph([[0.0], [3.0], [1.0]], 1).toarray()
    array([[0., 0., 1.],
           [0., 0., 1.],
           [1., 0., 0.]])
    """
    settings = {"metric": metric, "p": p, "metric_params": metric_params}
    model = _fitted(X, settings, n_jobs)
    queries = _queries(model, include_self, mode)
    return model.kneighbors_graph(queries, n_neighbors, mode)


def radius_neighbors_graph(
    X: Any,
    radius: float,
    *,
    mode: str = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: Any = False,
    n_jobs: int | None = None,
) -> Any:
    """Return the sparse graph that links each sample to all within a radius.

    Parameters
    ----------
    X : array-like, sparse matrix, collection, or a fitted neighbours model
    radius : float
    mode, metric, p, metric_params, include_self, n_jobs
        As in `kneighbors_graph`.

    Examples
    --------
    >>> radius_neighbors_graph([[0.0], [3.0], [1.0]], 1.5).toarray()
    array([[0., 0., 1.],
           [0., 0., 0.],
           [1., 0., 0.]])
    """
    settings = {"metric": metric, "p": p, "metric_params": metric_params}
    model = _fitted(X, settings, n_jobs)
    queries = _queries(model, include_self, mode)
    return model.radius_neighbors_graph(queries, radius, mode)


def _fitted(X: Any, settings: dict[str, Any], n_jobs: int | None) -> Any:
    if isinstance(X, NeighborsModel):
        return X
    return NearestNeighbors(**settings, n_jobs=n_jobs).fit(X)


def _queries(model: Any, include_self: Any, mode: str) -> Any:
    if isinstance(include_self, str):
        if include_self != "auto":
            raise InvalidParameterError(
                f"include_self must be True, False or 'auto', got {include_self!r}."
            )
        include_self = mode == "connectivity"
    return model._fit_X if include_self else None
