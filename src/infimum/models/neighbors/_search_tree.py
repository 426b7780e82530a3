"""Base of search trees: points, and queries for their neighbours."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Indices, Matrix, Vector

__all__ = ["SearchTree"]


class SearchTree:
    """Points in the order of a tree, as scikit-learn's classes of the same names.

    The work is that of `NearestNeighbors`; subclasses name the tree.
    """

    valid_metrics: ClassVar[list[str]]
    _algorithm: ClassVar[str]

    def __init__(
        self, X: Any, leaf_size: int = 40, metric: Any = "minkowski", **parameters: Any
    ) -> None:
        owner = type(self).__name__
        if isinstance(metric, str) and metric not in self.valid_metrics:
            raise InvalidParameterError(
                f"{owner}.metric must be one of {', '.join(self.valid_metrics)} or a "
                f"function of two points, got {metric!r}."
            )
        self._search = NearestNeighbors(
            algorithm=self._algorithm,
            leaf_size=leaf_size,
            metric=metric,
            p=parameters.pop("p", 2),
            metric_params=parameters or None,
        ).fit(X)

    @property
    def data(self) -> Matrix:
        """The points."""
        points: Matrix = self._search._fit_X
        return points

    def query(
        self,
        X: Any,
        k: int = 1,
        return_distance: bool = True,  # noqa: FBT001, FBT002
        dualtree: bool = False,  # noqa: FBT001, FBT002
        breadth_first: bool = False,  # noqa: FBT001, FBT002
        sort_results: bool = True,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the k nearest points of each query, the nearest first.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        k : int, default=1
        return_distance : bool, default=True
        dualtree, breadth_first, sort_results : ignored
            There for scikit-learn's sake: answers are always sorted.

        Returns
        -------
        distances : ndarray of shape (n_queries, k), if asked for
        names : ndarray of shape (n_queries, k)
        """
        return self._search.kneighbors(X, k, return_distance)

    def query_radius(
        self,
        X: Any,
        r: Any,
        return_distance: bool = False,  # noqa: FBT001, FBT002
        count_only: bool = False,  # noqa: FBT001, FBT002
        sort_results: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return all points within a radius of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        r : float, or array-like of one radius for each query
        return_distance, count_only, sort_results : bool, default=False
            Whether to tell distances, too, or numbers of points only; and whether the
            nearest come first.

        Returns
        -------
        names : array of arrays; or how many they are, for `count_only`
        distances : array of arrays, if asked for
        """
        distances, names = self._within(X, r, sort=sort_results)
        if count_only:
            return np.array([len(found) for found in names], dtype=np.intp)
        return (names, distances) if return_distance else names

    def two_point_correlation(self, X: Any, r: Any, dualtree: bool = False) -> Indices:  # noqa: FBT001, FBT002
        """Return how many pairs of a query and a point are within each distance.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        r : array-like of distances
        dualtree : ignored
        """
        reaches = np.atleast_1d(np.asarray(r, dtype=np.float64))
        if not reaches.size:
            return np.empty(reaches.shape, dtype=np.intp)
        distances, _ = self._within(X, float(reaches.max()), sort=False)
        flat = np.sort(np.concatenate(list(distances)))
        return np.searchsorted(flat, reaches, side="right")

    def kernel_density(
        self,
        X: Any,
        h: float,
        kernel: str = "gaussian",
        atol: float = 0,
        rtol: float = 1e-8,
        breadth_first: bool = True,  # noqa: FBT001, FBT002
        return_log: bool = False,  # noqa: FBT001, FBT002
    ) -> Vector:
        """Return the sum over the points of a window around each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        h : float
            Width of the window.
        kernel : str, default='gaussian'
            Its shape, as in `infimum.models.density.KernelDensity`.
        atol, rtol, breadth_first
            As there.
        return_log : bool, default=False
            Whether to return the logarithm of the sum.
        """
        from infimum.models.density import KernelDensity

        search = self._search
        model = KernelDensity(
            bandwidth=h, kernel=kernel, atol=atol, rtol=rtol,
            metric=search.effective_metric_,
            metric_params=search.effective_metric_params_ or None,
        ).fit(self.data)  # fmt: skip
        logs = np.asarray(model.score_samples(X) + np.log(len(self.data)))
        return logs if return_log else np.exp(logs)

    def _within(self, X: Any, r: Any, *, sort: bool) -> tuple[Any, Any]:
        reaches = np.asarray(r, dtype=np.float64)
        if reaches.ndim == 0:
            check_domain(f"{type(self).__name__}: r", float(reaches), nonnegative)
            return self._ask(X, float(reaches), sort=sort)
        X = np.asarray(X)
        if reaches.shape != (len(X),):
            raise InvalidParameterError(
                f"{type(self).__name__}: r must be one radius, or one for each of the "
                f"{len(X)} queries, got shape {reaches.shape}."
            )
        distances, names = np.empty((2, len(X)), dtype=object)
        for reach in np.unique(reaches):
            mine = np.flatnonzero(reaches == reach)
            found = self._ask(X[mine], float(reach), sort=sort)
            distances[mine], names[mine] = found
        return distances, names

    def _ask(self, X: Any, reach: float, *, sort: bool) -> tuple[Any, Any]:
        found: tuple[Any, Any] = self._search.radius_neighbors(
            X, reach, sort_results=sort
        )
        return found
