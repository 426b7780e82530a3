"""Base of models that ask for neighbours: samples, a distance and a search."""

from __future__ import annotations

import math
from abc import ABC
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from infimum.data.doors import check_fitted
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels._kernel import size_of
from infimum.models.neighbors._door import admit_queries, takes_gaps
from infimum.models.neighbors._given_search import GivenSearch
from infimum.models.neighbors._metric import choose_metric
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._search import Search, choose_search
from infimum.parameters import Choice, besides, check_domain, nonnegative, whole
from infimum.typing import Indices, Matrix

__all__ = ["RADII", "KNeighborsQueries", "NeighborsModel", "RadiusQueries"]

#: How far one may look: everywhere, too.
RADII = besides(nonnegative, math.inf)

_ALGORITHMS = Choice(("auto", "ball_tree", "kd_tree", "brute"))
_MODES = Choice(("connectivity", "distance"))
#: The searches of fitted models: made from the samples, no part of a model's state, so
#: that a copy or a model file carries the samples once and makes its own.
_searches: WeakKeyDictionary[Any, Search] = WeakKeyDictionary()


class NeighborsModel(BaseEstimator, ABC):  # type: ignore[misc]
    """Samples that can be searched for those near to a query.

    Subclasses have scikit-learn's parameters ``algorithm``, ``leaf_size``, ``metric``,
    ``p`` and ``metric_params``.
    """

    algorithm: str
    leaf_size: int
    metric: Any
    p: float
    metric_params: dict[str, Any] | None

    def _keep_samples(self, X: Any) -> None:
        """Keep admitted samples and make their search."""
        self._check_search()
        search = self._make_search(X)
        self._fit_X = X
        self.n_samples_fit_ = size_of(X)
        _searches[self] = search

    def _check_search(self) -> None:
        """Raise InvalidParameterError unless the parameters say how to search."""
        owner = type(self).__name__
        check_domain(f"{owner}.algorithm", self.algorithm, _ALGORITHMS)
        check_domain(f"{owner}.leaf_size", self.leaf_size, whole(1))

    def _make_search(self, X: Any) -> Search:
        owner = type(self).__name__
        metric = choose_metric(owner, self.metric, self.p, self.metric_params, X)
        self.effective_metric_ = metric.name
        self.effective_metric_params_ = metric.parameters
        if metric.name == "precomputed":
            return GivenSearch(owner)
        return choose_search(metric, X, self.algorithm, int(self.leaf_size))

    def _search(self) -> Search:
        search = _searches.get(self)
        if search is None:
            search = _searches[self] = self._make_search(self._fit_X)
        return search

    def _queries(self, X: Any) -> Any:
        check_fitted(self)
        if X is None or X is self._fit_X:  # admitted before
            return self._fit_X
        admitted = admit_queries(self, X)
        if size_of(admitted) == 0:
            raise DataError(f"{type(self).__name__} needs queries, got 0 samples.")
        return admitted

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = takes_gaps(self.metric)
        tags.input_tags.pairwise = given
        tags.input_tags.positive_only = given
        return tags


class KNeighborsQueries(NeighborsModel):
    """Questions for the k nearest samples."""

    n_neighbors: int

    def kneighbors(
        self,
        X: Any = None,
        n_neighbors: int | None = None,
        return_distance: bool = True,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the nearest samples of each query, the nearest first.

        Among equally near samples the earlier one comes first.

        Parameters
        ----------
        X : array-like, sparse matrix or collection, optional
            Queries; distances to the samples for ``metric='precomputed'``. None asks
            for the samples themselves, none of which is then its own neighbour.
        n_neighbors : int, optional
            How many; those of the constructor unless given.
        return_distance : bool, default=True

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors), if asked for
        names : ndarray of shape (n_queries, n_neighbors)
            Positions of the neighbours among the samples.
        """
        queries = self._queries(X)
        count = self._count(n_neighbors, alone=X is None)
        if X is not None:
            distances, names = self._search().nearest(queries, count)
        else:
            found = self._search().nearest(queries, count + 1)
            distances, names = _without_self(*found)
        return (distances, names) if return_distance else names

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """Return the sparse matrix with an entry for each query and neighbour.

        Parameters
        ----------
        X, n_neighbors
            As in `kneighbors`.
        mode : {'connectivity', 'distance'}, default='connectivity'
            Whether entries are 1 or the distance.
        """
        check_domain("kneighbors_graph: mode", mode, _MODES)
        distances, names = self.kneighbors(X, n_neighbors)
        entries = np.ones(names.size) if mode == "connectivity" else distances.ravel()
        starts = np.arange(0, names.size + 1, names.shape[1])
        shape = (len(names), self.n_samples_fit_)
        return sparse.csr_matrix((entries, names.ravel(), starts), shape)

    def _count(self, given: int | None, *, alone: bool) -> int:
        owner = type(self).__name__
        count = self.n_neighbors if given is None else given
        check_domain(f"{owner}.n_neighbors", count, whole(1))
        there = self.n_samples_fit_ - alone
        if count > there:
            raise DataError(
                f"{owner}.n_neighbors must be at most the number of samples to choose "
                f"from: n_neighbors = {count}, n_samples_fit = {self.n_samples_fit_}"
                + (", one of which is the query itself." if alone else ".")
            )
        return int(count)


class RadiusQueries(NeighborsModel):
    """Questions for all samples within a radius."""

    radius: float

    def radius_neighbors(
        self,
        X: Any = None,
        radius: float | None = None,
        return_distance: bool = True,  # noqa: FBT001, FBT002
        sort_results: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return all samples within a radius of each query, its edge included.

        Parameters
        ----------
        X : array-like, sparse matrix or collection, optional
            Queries, as in `kneighbors`.
        radius : float, optional
            That of the constructor unless given.
        return_distance : bool, default=True
        sort_results : bool, default=False
            Whether the nearest come first; else they come in the order of the samples.

        Returns
        -------
        distances : array of arrays, if asked for
        names : array of arrays
        """
        if sort_results and not return_distance:
            raise InvalidParameterError(
                f"{type(self).__name__}.radius_neighbors: return_distance must be True "
                "if sort_results is True."
            )
        found = self._nearby(X, radius)
        if sort_results:
            found = found.nearest_first()
        distances, names = found.lists(found.distances), found.lists(found.names)
        return (distances, names) if return_distance else names

    def _nearby(self, X: Any, radius: float | None = None) -> Nearby:
        """Return all samples within a radius of each query, in one piece."""
        queries = self._queries(X)
        reach = np.asarray(self.radius if radius is None else radius)
        for each in np.unique(reach).tolist():
            check_domain(f"{type(self).__name__}.radius", each, RADII)
        found = self._search().within(queries, float(reach.max()))
        if reach.ndim:  # one for each query
            found = found.only(found.distances <= reach[found.queries])
        return found if X is not None else found.only(found.names != found.queries)

    def radius_neighbors_graph(
        self,
        X: Any = None,
        radius: float | None = None,
        mode: str = "connectivity",
        sort_results: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the sparse matrix with an entry for each query and near sample.

        Parameters
        ----------
        X, radius, sort_results
            As in `radius_neighbors`.
        mode : {'connectivity', 'distance'}, default='connectivity'
            Whether entries are 1 or the distance.
        """
        check_domain("radius_neighbors_graph: mode", mode, _MODES)
        found = self._nearby(X, radius)
        if sort_results:
            found = found.nearest_first()
        far, columns = found.distances, found.names
        entries = np.ones(len(columns)) if mode == "connectivity" else far
        shape = (len(found.counts), self.n_samples_fit_)
        return sparse.csr_matrix((entries, columns, found.starts), shape)


def _without_self(distances: Matrix, names: Indices) -> tuple[Matrix, Indices]:
    """Drop each row's own name, or its last where duplicates have crowded it out."""
    own = names == np.arange(len(names))[:, None]
    own[:, -1] |= ~own.any(axis=1)
    shape = (len(names), names.shape[1] - 1)
    return distances[~own].reshape(shape), names[~own].reshape(shape)
