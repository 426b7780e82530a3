"""Linkage: merge the two closest clusters, again and again, until one is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.data.doors import array, weighed
from infimum.errors import DataError, IncompatibleError
from infimum.models.clustering.hierarchy._merging import (
    METHODS,
    SQUARED,
    Merges,
    euclidean_matrix,
    merge_closest,
    merge_matrix,
    merge_ward,
    span,
)
from infimum.models.clustering.hierarchy._tree import grow
from infimum.models.neighbors._metric import choose_metric
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix, Vector

__all__ = ["linkage"]

#: Up to so many features Ward's linkage is quicker without a matrix of distances.
FEW_FEATURES = 64
#: Samples whose distances are asked of a metric at a time.
BLOCK = 512
NAMES = Choice(METHODS)


def linkage(
    X: Any,
    method: str | Callable[[Matrix], float] = "single",
    metric: Any = "euclidean",
    *,
    sample_weight: Any = None,
) -> Matrix:
    r"""Return the tree of clusters that grows by merging the two closest.

    With d the distance of samples, the distance of clusters A and B is

    ========== ===========================================================
    single     min d(a, b)
    complete   max d(a, b)
    average    mean d(a, b) over all pairs
    weighted   mean of the distances to the two parts that B was made of
    ward       :math:`\sqrt{2|A||B|/(|A| + |B|)}` times that of the means
    centroid   that of the means
    median     that of midpoints of midpoints
    ========== ===========================================================

    Single linkage is the minimum spanning tree. Complete, average, weighted and Ward's
    linkage merge all pairs of mutually nearest clusters at once, or follow chains of
    nearest neighbours, with the same tree. Of up to 64 features, single and Ward's
    linkage take memory of O(n); all else holds 8n² bytes of distances.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples; for ``metric="precomputed"`` the square matrix of their distances.
    method : str or callable, default="single"
        A name from the table, or a function of the matrix of distances between the
        members of two clusters, which is asked about every pair.
    metric : str, Kernel or callable, default="euclidean"
        As in `NearestNeighbors`; Ward's, centroid and median linkage are Euclidean.
    sample_weight : array-like of shape (n_samples,), optional
        Positive; a weight of k means the same as k copies, which merge at height 0.

    Returns
    -------
    ndarray of shape (n_samples - 1, 4)
        SciPy's format: the two nodes of each merge, its height, and how many samples
        (or what weight) it holds. Node ``n_samples + i`` is made by merge i.

    Examples
    --------
    >>> linkage([[0.0], [1.0], [4.0]], "average")
    array([[0. , 1. , 1. , 2. ],
           [2. , 3. , 3.5, 3. ]])
    """
    if not callable(method):
        check_domain("linkage: method", method, NAMES)
    X = _admit(X, metric)
    weights = weighed(sample_weight, X)
    sizes = np.ones(len(X)) if weights is None else weights
    if sizes.min() <= 0:
        raise DataError("linkage needs positive sample weights: drop samples of 0.")
    if callable(method):
        return _by_foot(_distances(X, metric), method, sizes)
    return _by_name(X, method, metric, sizes)


def _admit(X: Any, metric: Any) -> Matrix:
    X = array(X, ensure_min_samples=1)
    if not isinstance(metric, str) or metric != "precomputed":
        return np.asarray(X)
    if X.shape[0] != X.shape[1] or not np.allclose(X, X.T) or X.min() < 0:
        raise DataError(
            "linkage reads precomputed distances, which must be a symmetric square "
            f"matrix without negative entries, got shape {X.shape}."
        )
    return np.asarray(X)


def _by_name(X: Matrix, method: str, metric: Any, sizes: Vector) -> Matrix:
    plain = isinstance(metric, str) and metric in ("euclidean", "l2")
    if method in SQUARED:
        if not plain:
            raise IncompatibleError(
                f"linkage: {method} linkage measures between means, which needs "
                f"Euclidean distances, got metric={metric!r}."
            )
        return _by_means(X, method, sizes)
    if method == "single":
        merges = span(X) if plain else span(_distances(X, metric), given=True)
        return grow(merges, sizes, "edges")
    return grow(merge_matrix(_distances(X, metric), method, sizes), sizes, "unions")


def _by_means(X: Matrix, method: str, sizes: Vector) -> Matrix:
    if method == "ward":
        kind = "unions"
        if X.shape[1] <= FEW_FEATURES:
            merges = merge_ward(X, sizes)
        else:
            merges = merge_matrix(_ward_matrix(X, sizes), method, sizes)
    else:
        kind = "inversions"
        merges = merge_closest(euclidean_matrix(X, squared=True), method, sizes)
    tree = grow(merges, sizes, kind)
    tree[:, 2] = np.sqrt(np.maximum(tree[:, 2], 0.0))
    return tree


def _ward_matrix(X: Matrix, sizes: Vector) -> Matrix:
    squares = euclidean_matrix(X, squared=True)
    if sizes.min() < sizes.max() or sizes[0] != 1.0:
        for i in range(len(X)):
            squares[i] *= 2.0 * sizes[i] * sizes / (sizes[i] + sizes)
    return squares


def _distances(X: Matrix, metric: Any) -> Matrix:
    """Return the matrix of distances, with infinity on the diagonal."""
    if isinstance(metric, str) and metric in ("euclidean", "l2"):
        return euclidean_matrix(X, squared=False)
    if isinstance(metric, str) and metric == "precomputed":
        out = X.copy()
    else:
        rule = choose_metric("linkage", metric, 2.0, None, X)
        rows = X if rule.map is None else X @ rule.map
        out = np.empty((len(X), len(X)))
        for start in range(0, len(X), BLOCK):
            out[start : start + BLOCK] = rule.between(rows[start : start + BLOCK], rows)
        out = np.maximum(out, out.T)
    np.fill_diagonal(out, np.inf)
    return out


def _by_foot(D: Matrix, method: Callable[[Matrix], float], sizes: Vector) -> Matrix:
    """Merge by any distance of clusters: every pair is asked about once."""
    members = {i: [i] for i in range(len(D))}
    names = np.arange(len(D))
    between = np.full((len(D), len(D)), np.inf)
    for i in range(len(D)):
        for j in range(i):
            between[i, j] = between[j, i] = float(method(D[[i]][:, [j]]))
    merges = Merges()
    for _ in range(len(D) - 1):
        a, b = sorted(divmod(int(between.argmin()), len(D)))
        merges.add(names[[a]], names[[b]], between[a, [b]])
        members[a] += members.pop(b)
        between[b], between[:, b] = np.inf, np.inf
        for other in members:
            if other != a:
                far = float(method(D[np.ix_(members[a], members[other])]))
                between[a, other] = between[other, a] = far
    return grow(merges, sizes, "inversions")
