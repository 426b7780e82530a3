"""OPTICS: an order of the samples that shows clusters of all densities as valleys."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics.pairwise import PAIRWISE_BOOLEAN_FUNCTIONS

from infimum.compiled.clusters.reach_ordering import order_reaches
from infimum.data.doors import check_fitted
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.by_density._distance_door import admit_samples, are_given
from infimum.models.clustering.by_density._reachability import Reach, measure_blocks
from infimum.models.clustering.by_density.optics_clusters import (
    STEEPNESS,
    cluster_optics_dbscan,
    cluster_optics_xi,
    share_of,
)
from infimum.models.neighbors._metric import Metric, choose_metric
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    besides,
    check_domain,
    check_parameters,
    closed,
    flag,
    nonnegative,
    or_none,
)
from infimum.typing import Indices

__all__ = ["OPTICS"]

_METHODS = Choice(("xi", "dbscan"))
_ALGORITHMS = Choice(("auto", "ball_tree", "kd_tree", "brute"))


class OPTICS(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""The samples in the order in which they are reached from dense ones.

    The core distance :math:`r_i` is that to the `min_samples`-th nearest sample. From
    sample i sample j is reached at :math:`\max(r_i, d_{ij})`, and next is always the
    sample reached at the least distance from those before. Along this order, clusters
    are valleys of the reachability, of any depth. Memory stays proportional to the
    data, but for other than Euclidean distances; time is O(n²).

    Parameters
    ----------
    min_samples : int or share, default=5
    max_eps : float, default=inf
        Samples farther apart do not reach each other.
    metric : str, Kernel or callable, default="minkowski"
        As in `NearestNeighbors`.
    p : float, default=2
    metric_params : dict, optional
    cluster_method : {"xi", "dbscan"}, default="xi"
        Valleys between steep flanks, or what lies below one level.
    eps : float, optional
        The level of "dbscan"; `max_eps` by default.
    xi, predecessor_correction, min_cluster_size
        As in `cluster_optics_xi`.
    algorithm, leaf_size, memory, n_jobs : ignored
        They do not change the answer.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        -1 is noise.
    ordering_ : ndarray of shape (n_samples,)
    reachability_, core_distances_ : ndarray of shape (n_samples,)
        By sample, not by place in the order.
    predecessor_ : ndarray of shape (n_samples,)
        From where each sample was reached; -1 for none.
    cluster_hierarchy_ : ndarray of shape (n_clusters, 2)
        All valleys, for "xi".

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0]]
    >>> model = OPTICS(min_samples=2, cluster_method="dbscan", eps=0.5).fit(X)
    >>> model.labels_, model.predict([[5.15], [7.0]])
    (array([ 0,  0,  0,  1,  1,  1, -1]), array([ 1, -1]))
    """

    _domains: ClassVar[Domains] = {
        "predecessor_correction": flag,
        "max_eps": besides(nonnegative, np.inf),
        "cluster_method": _METHODS,
        "algorithm": _ALGORITHMS,
        "xi": closed(0, 1),
        "p": besides(Interval(1, np.inf), np.inf),
        "eps": or_none(nonnegative),
    }

    def __init__(
        self,
        *,
        min_samples: float = 5,
        max_eps: float = np.inf,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        cluster_method: str = "xi",
        eps: float | None = None,
        xi: float = 0.05,
        predecessor_correction: bool = True,
        min_cluster_size: float | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        memory: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.min_samples = min_samples
        self.max_eps = max_eps
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.cluster_method = cluster_method
        self.eps = eps
        self.xi = xi
        self.predecessor_correction = predecessor_correction
        self.min_cluster_size = min_cluster_size
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.memory = memory
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Order the samples and read off clusters; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        self._check()
        X = self._admit(X, reset=True)
        n = X.shape[0]
        enough = share_of("OPTICS.min_samples", self.min_samples, n)
        reach = Reach(self._metric(X), X, enough)
        most = float(self.max_eps)
        self.core_distances_ = np.where(reach.radii <= most, reach.radii, np.inf)
        self.ordering_, self.predecessor_ = np.empty(n, np.intp), np.empty(n, np.intp)
        self.reachability_ = np.empty(n)
        known = np.empty((0, 0)) if reach.places is None else reach.places
        order_reaches(
            np.ascontiguousarray(known.T),
            reach.apart if reach.places is None else known[:0],
            self.core_distances_, most,
            self.ordering_, self.reachability_, self.predecessor_,
        )  # fmt: skip
        if not np.isfinite(self.reachability_).any():
            warnings.warn(
                "All reachability values are inf: no sample is within "
                f"OPTICS.max_eps={self.max_eps!r} of a core sample.",
                stacklevel=4,
            )
        self._fit_X = X
        self._read()
        return self

    def predict(self, X: Any) -> Indices:
        """Return the label of the nearest sample, if it is within its core distance.

        Farther away is noise, -1. On the samples of the fit these are their labels,
        but of equal samples all get that of the first.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features)
            New samples; their distances to the old ones for ``metric='precomputed'``.
        """
        check_fitted(self)
        queries = self._admit(X, reset=False)
        out = []
        for apart in measure_blocks(self._metric(self._fit_X), self._fit_X, queries):
            near = apart.argmin(axis=1)
            close = apart[np.arange(len(near)), near]
            inside = (close <= self.core_distances_[near]) & (close <= self.max_eps)
            out.append(np.where(inside, self.labels_[near], -1))
        return np.concatenate(out)

    def _read(self) -> None:
        if self.cluster_method == "dbscan":
            self.labels_ = cluster_optics_dbscan(
                reachability=self.reachability_,
                core_distances=self.core_distances_,
                ordering=self.ordering_,
                eps=min(self._level(), float(np.finfo(float).max)),
            )
            return
        self.labels_, self.cluster_hierarchy_ = cluster_optics_xi(
            reachability=self.reachability_,
            predecessor=self.predecessor_,
            ordering=self.ordering_,
            min_samples=self.min_samples,
            min_cluster_size=self.min_cluster_size,
            xi=self.xi,
            predecessor_correction=self.predecessor_correction,
        )

    def _level(self) -> float:
        return float(self.max_eps if self.eps is None else self.eps)

    def _check(self) -> None:
        check_parameters(self)
        if self.cluster_method == "xi":
            check_domain("OPTICS.xi", self.xi, STEEPNESS)
        if self._level() > self.max_eps:
            raise InvalidParameterError(
                f"OPTICS.eps must be at most max_eps={self.max_eps!r}, got "
                f"{self.eps!r}."
            )

    def _admit(self, X: Any, *, reset: bool) -> Any:
        truths = reset and self.metric in PAIRWISE_BOOLEAN_FUNCTIONS
        if truths and np.asarray(X).dtype != bool:
            warnings.warn(
                f"Data was converted to boolean for metric {self.metric}",
                DataConversionWarning,
                stacklevel=4,
            )
        return admit_samples(
            self, X, self.metric, reset=reset, dtype=np.float64,
            ensure_min_samples=2 if reset else 1,
        )  # fmt: skip

    def _metric(self, X: Any) -> Metric:
        return choose_metric("OPTICS", self.metric, self.p, self.metric_params, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = are_given(self.metric)
        tags.input_tags.sparse = not given
        tags.input_tags.pairwise = given
        return tags
