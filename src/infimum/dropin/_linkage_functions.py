"""The trees of ``sklearn.cluster``: merges by linkage, free or along a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.models.clustering import AgglomerativeClustering
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Indices, Matrix

__all__ = ["linkage_tree", "ward_tree"]

_LINKAGES = Choice(("average", "complete", "single"))


def ward_tree(
    X: Any,
    *,
    connectivity: Any = None,
    n_clusters: int | None = None,
    return_distance: bool = False,
) -> tuple[Any, ...]:
    """Return the tree of Ward's linkage.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    connectivity : array-like or sparse matrix, optional
        Only clusters that it connects are merged.
    n_clusters : int, optional
        With a connectivity, merge no further than to so many clusters.
    return_distance : bool, default=False

    Returns
    -------
    children : ndarray of shape (n_merges, 2)
    n_connected_components, n_leaves : int
    parents : ndarray or None
        The node above each, itself for those on top; None without connectivity.
    distances : ndarray of shape (n_merges,)
        If asked for.

    Examples
    --------
    >>> ward_tree([[0.0], [1.0], [9.0]])[0]
    array([[0, 1],
           [2, 3]])
    """
    rule = {"linkage": "ward", "metric": "euclidean"}
    return _tree(_table(X), rule, connectivity, n_clusters, whole_story=return_distance)


def linkage_tree(
    X: Any,
    connectivity: Any = None,
    n_clusters: int | None = None,
    linkage: str = "complete",
    affinity: Any = "euclidean",
    return_distance: bool = False,  # noqa: FBT001, FBT002
) -> tuple[Any, ...]:
    """Return the tree of single, average or complete linkage.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    connectivity, n_clusters, return_distance
        As in `ward_tree`.
    linkage : {"average", "complete", "single"}, default="complete"
    affinity : str or callable, default="euclidean"
        A distance by name, "precomputed", or a function of X that returns the matrix of
        distances.

    Returns
    -------
    children, n_connected_components, n_leaves, parents, distances
        As in `ward_tree`.

    Examples
    --------
    >>> linkage_tree([[0.0], [1.0], [9.0]], return_distance=True)[-1]
    array([1., 9.])
    """
    check_domain("linkage_tree linkage", linkage, _LINKAGES)
    rows = _table(X)
    if callable(affinity):
        rows, affinity = np.asarray(affinity(rows)), "precomputed"
    rule = {"linkage": linkage, "metric": affinity}
    return _tree(rows, rule, connectivity, n_clusters, whole_story=return_distance)


def _table(X: Any) -> Matrix:
    rows = np.asarray(X)
    return rows[:, None] if rows.ndim == 1 else rows


def _tree(
    X: Matrix,
    rule: dict[str, Any],
    connectivity: Any,
    n_clusters: int | None,
    *,
    whole_story: bool,
) -> tuple[Any, ...]:
    model = AgglomerativeClustering(1, connectivity=connectivity, **rule).fit(X)
    children, heights, n = model.children_, model.distances_, model.n_leaves_
    parents = None
    if connectivity is not None:
        if n_clusters is not None:
            check_domain("n_clusters of a tree", n_clusters, whole(1))
            if n_clusters > n:
                raise DataError(
                    f"A tree of {n} samples has no {n_clusters} clusters: there cannot "
                    "be more clusters than samples."
                )
            children = children[: n - int(n_clusters)]
            heights = heights[: n - int(n_clusters)]
        parents = _parents(children, n)
    found = children, model.n_connected_components_, n, parents
    return (*found, heights) if whole_story else found


def _parents(children: Indices, n: int) -> Indices:
    above: Indices = np.arange(n + len(children))
    above[children] = n + np.arange(len(children))[:, None]
    return above
