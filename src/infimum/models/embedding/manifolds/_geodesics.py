"""Distances along a manifold: shortest paths through the neighbourhood graph."""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from infimum.errors import DataError
from infimum.models.graph.paths import both_ways, paths_from
from infimum.models.neighbors import NearestNeighbors
from infimum.typing import Indices, Matrix, Vector

__all__ = ["geodesics_from_farthest", "join_components", "links_to", "neighbor_links"]

#: Samples whose ways are compared at a time, while they are in a core's cache.
ROWS = 64


def neighbor_links(search: NearestNeighbors, *, by_radius: bool) -> Any:
    """Return the distances to the neighbours of each sample, as a sparse matrix."""
    if by_radius:
        return search.radius_neighbors_graph(mode="distance")
    most = search.n_samples_fit_ - 1
    if most < 1:
        raise DataError(
            f"Isomap needs 2 samples or more to join by paths, got {most + 1} sample."
        )
    count = min(search.n_neighbors, most)
    return search.kneighbors_graph(None, count, mode="distance")


def join_components(links: Any, search: NearestNeighbors) -> tuple[int, Any]:
    """Add the shortest link between each two components, and return how many were."""
    count, labels = csgraph.connected_components(links, directed=False)
    if count == 1:
        return 1, links
    ends = [
        (i, j, far)
        for one in range(count)
        for i, j, far in _shortest_links(search, labels, one)
    ]
    rows, columns, lengths = (np.array(side) for side in zip(*ends, strict=True))
    given = links.tocoo()
    joined = sparse.coo_array(
        (
            np.concatenate((given.data, lengths)),
            (
                np.concatenate((given.coords[0], rows)),
                np.concatenate((given.coords[1], columns)),
            ),
        ),
        shape=given.shape,
    )
    return int(count), joined


def _shortest_links(
    search: NearestNeighbors, labels: Indices, one: int
) -> list[tuple[int, int, float]]:
    """Return the shortest link from a component to each that comes after it."""
    inside, after = np.flatnonzero(labels == one), np.flatnonzero(labels > one)
    if not after.size:
        return []
    given = search.metric == "precomputed"
    samples = search._fit_X
    part = samples[np.ix_(inside, inside)] if given else samples[inside]
    queries = samples[np.ix_(after, inside)] if given else samples[after]
    near = NearestNeighbors(
        metric=search.metric, p=search.p, metric_params=_measured(search)
    ).fit(part)
    far, found = near.kneighbors(queries, 1)
    order = np.lexsort((far[:, 0], labels[after]))
    firsts = order[np.unique(labels[after][order], return_index=True)[1]]
    return [(inside[found[at, 0]], after[at], float(far[at, 0])) for at in firsts]


def _measured(search: NearestNeighbors) -> dict[str, Any] | None:
    """Return the parameters of a distance, with those it learnt from all samples."""
    given = dict(search.metric_params or {})
    if search.metric == "mahalanobis" and not {"V", "VI"} & set(given):
        given["V"] = np.cov(np.asarray(search._fit_X, dtype=np.float64).T)
    return given or None


def geodesics_from_farthest(links: Any, count: int) -> tuple[Indices, Matrix]:
    """Return landmarks, each the farthest from those before, and paths from them."""
    marks, rows, edges = [0], [], both_ways(links)
    nearest: Vector = np.full(links.shape[0], np.inf)
    while True:
        rows.append(paths_from(edges, np.array([marks[-1]]))[0])
        nearest = np.minimum(nearest, rows[-1])
        if len(marks) == count:
            return np.array(marks), np.array(rows)
        marks.append(int(nearest.argmax()))


def links_to(
    search: NearestNeighbors, X: Any, paths: Matrix, *, by_radius: bool
) -> Matrix:
    """Return the shortest ways from new samples, over a neighbour, to where paths lead.

    Columns of `paths` are the samples of the fit.
    """
    if not by_radius:
        most = search.n_samples_fit_
        return _over_nearest(
            paths, *search.kneighbors(X, min(search.n_neighbors, most))
        )
    far, names = search.radius_neighbors(X)
    empty = [place for place, row in enumerate(names) if not len(row)]
    if empty:
        raise DataError(
            f"Isomap: sample {empty[0]} has no neighbour within the radius."
        )
    out = np.empty((len(names), len(paths)))
    for place, (row, ends) in enumerate(zip(far, names, strict=True)):
        out[place] = np.min(paths[:, ends] + row, axis=1)
    return out


def _over_nearest(paths: Matrix, far: Matrix, names: Indices) -> Matrix:
    """Return the same where each sample has as many neighbours, for many at once."""
    out = np.empty((len(names), len(paths)))
    from_ends = np.ascontiguousarray(paths.T)
    for start in range(0, len(names), ROWS):
        some = slice(start, start + ROWS)
        best = from_ends[names[some, 0]] + far[some, :1]
        for place in range(1, names.shape[1]):
            way = from_ends[names[some, place]]
            way += far[some, place, None]
            np.minimum(best, way, out=best)
        out[some] = best
    return out
