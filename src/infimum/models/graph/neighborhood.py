"""Neighbourhood graphs as sparse matrices of weights."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import refuse_huge
from infimum.errors import DataError
from infimum.models.graph._weights import TABLE, real_numbers
from infimum.models.neighbors import NearestNeighbors
from infimum.parameters import Choice, check_domain, nonnegative, positive, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["epsilon_graph", "gaussian_graph", "nearest_neighbor_graph"]

_KINDS = Choice(("directed", "symmetric", "mutual"))
_WEIGHTS = Choice(("connectivity", "gaussian", "distance"))


def nearest_neighbor_graph(
    X: Any,
    n_neighbors: int = 10,
    *,
    kind: str = "symmetric",
    weights: str = "gaussian",
    width: float | None = None,
    metric: Any = "minkowski",
) -> sparse.csr_array:
    """Return the graph that joins each sample to its nearest neighbours.

    Parameters
    ----------
    X : array-like, sparse matrix or collection of n_samples
        Samples; their distances for ``metric='precomputed'``.
    n_neighbors : int, default=10
        Neighbours of each sample, itself not counted.
    kind : {'directed', 'symmetric', 'mutual'}, default='symmetric'
        An edge to each neighbour; an edge if either is a neighbour of the other; an
        edge if both are.
    weights : {'connectivity', 'gaussian', 'distance'}, default='gaussian'
        1, the similarity exp(-d²/2σ²), or the distance d itself: that is for shortest
        paths only, where similarity is asked for it would join what is far apart.
    width : float, optional
        σ; the mean distance to the farthest of the neighbours unless given.
    metric : str, Kernel or callable, default='minkowski'
        As in `infimum.models.neighbors.NearestNeighbors`.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> W = nearest_neighbor_graph([[0.0], [1.0], [3.0]], 1, weights="connectivity")
    >>> W.toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    check_domain("nearest_neighbor_graph: n_neighbors", n_neighbors, whole(1))
    check_domain("nearest_neighbor_graph: kind", kind, _KINDS)
    check_domain("nearest_neighbor_graph: weights", weights, _WEIGHTS)
    search = NearestNeighbors(n_neighbors=int(n_neighbors), metric=metric).fit(X)
    far, names = search.kneighbors()
    reach = float(far[:, -1].mean()) if width is None else width
    n = len(names)
    rows = np.repeat(np.arange(n), names.shape[1])
    return _join(n, rows, names.ravel(), _weigh(far.ravel(), weights, reach), kind)


def epsilon_graph(
    X: Any,
    radius: float,
    *,
    strict: bool = False,
    weights: str = "connectivity",
    width: float | None = None,
    metric: Any = "minkowski",
) -> sparse.csr_array:
    """Return the graph that joins samples no farther apart than a radius.

    Parameters
    ----------
    X, metric
        As in `nearest_neighbor_graph`.
    radius : float
        Longest distance of an edge.
    strict : bool, default=False
        Whether distances equal to the radius are too long.
    weights, width
        As in `nearest_neighbor_graph`; σ is half the radius unless given. All edges
        are about as long, so that weights say little here.

    Examples
    --------
    >>> epsilon_graph([[0.0], [1.0], [2.5]], 1.0).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    check_domain("epsilon_graph: radius", radius, nonnegative)
    check_domain("epsilon_graph: weights", weights, _WEIGHTS)
    search = NearestNeighbors(radius=radius, metric=metric).fit(X)
    found, names = search.radius_neighbors()
    rows = np.repeat(np.arange(len(names)), [len(row) for row in names])
    far, ends = np.concatenate(list(found)), np.concatenate(list(names))
    near = far < radius if strict else np.ones(len(far), dtype=bool)
    reach = (radius / 2 or 1.0) if width is None else width
    entries = _weigh(far[near], weights, reach)
    return _join(len(names), rows[near], ends[near], entries, "directed")


def gaussian_graph(X: Any, width: float = 1.0, *, loops: bool = True) -> Matrix:
    r"""Return the full graph with weights :math:`\exp(-\|x_i - x_j\|^2 / 2σ^2)`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    width : float, default=1.0
        σ, the distance at which samples cease to be alike.
    loops : bool, default=True
        Whether samples are joined to themselves, with weight 1.

    Examples
    --------
    >>> gaussian_graph([[0.0], [1.0]], width=1.0).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    """
    from infimum.kernels import Gaussian

    check_domain("gaussian_graph: width", width, positive)
    points = np.asarray(real_numbers("gaussian_graph", X), dtype=np.float64)
    if points.ndim != TABLE or not np.isfinite(points).all():
        raise DataError(
            f"gaussian_graph takes a table of finite numbers, got shape {points.shape}."
        )
    refuse_huge(gaussian_graph, points)
    W = np.array(Gaussian(float(width))(points))
    if not loops:
        np.fill_diagonal(W, 0.0)
    return W


def _weigh(far: Vector, weights: str, width: float) -> Vector:
    if weights == "connectivity":
        return np.ones(len(far))
    if weights == "distance":
        return np.asarray(far, dtype=np.float64)
    if not width > 0:
        raise DataError(
            "Gaussian weights need a positive width, and all neighbours are at "
            "distance 0: pass width."
        )
    # What is too far to be alike at all is still joined: an edge is an edge.
    least = np.finfo(np.float64).tiny
    return np.asarray(np.maximum(np.exp(-(far**2) / (2.0 * width**2)), least))


def _join(
    n: int, rows: Indices, ends: Indices, entries: Vector, kind: str
) -> sparse.csr_array:
    """Return the sparse matrix of the edges, kept also where their length is 0."""
    if kind != "directed":
        there, back = rows * n + ends, ends * n + rows
        keys = np.concatenate((there, back))
        both, places, times = np.unique(keys, return_index=True, return_counts=True)
        kept = times > 1 if kind == "mutual" else np.ones(len(both), dtype=bool)
        entries = np.concatenate((entries, entries))[places[kept]]
        rows, ends = np.divmod(both[kept], n)
    else:
        order = np.lexsort((ends, rows))
        rows, ends, entries = rows[order], ends[order], entries[order]
    starts = np.searchsorted(rows, np.arange(n + 1))
    return sparse.csr_array((entries, ends, starts), shape=(n, n))
