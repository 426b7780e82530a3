"""HDBSCAN: DBSCAN for all radii at once, and the clusters that last longest."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from infimum.data.doors import check_fitted
from infimum.errors import DataError, IncompatibleError
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.clustering.by_density._condensed_tree import Branches, Selection
from infimum.models.clustering.by_density._distance_door import admit_samples, are_given
from infimum.models.clustering.by_density._near_roots import number_roots
from infimum.models.clustering.by_density._reachability import (
    Reach,
    measure_blocks,
    span_reach,
)
from infimum.models.clustering.hierarchy._tree import grow
from infimum.models.clustering.hierarchy.dendrogram import Dendrogram
from infimum.models.neighbors._metric import Metric, choose_metric
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_domain,
    check_parameters,
    flag,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["HDBSCAN"]

_ALGORITHMS = Choice(("auto", "brute", "kd_tree", "ball_tree"))
_METHODS = Choice(("eom", "leaf"))
_CENTRES = Choice((None, "centroid", "medoid", "both"))
#: Labels of samples that cannot be compared: with infinite and with missing entries.
INFINITE, MISSING = -2, -3


class HDBSCAN(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters of different densities: branches of the tree of all DBSCAN clusterings.

    With :math:`r_i` the distance to the `min_samples`-th nearest sample, two samples
    are joined at the distance :math:`\max(r_i, r_j, d_{ij}/\alpha)`. Single linkage of
    these distances is the tree of all clusterings by DBSCAN. Read from the top, a
    branch lives from the split it comes from until it splits into two of at least
    `min_cluster_size` samples; those with the greatest sum of lives of their samples,
    in 1/distance, are the clusters. The spanning tree is found in a k-d tree, round by
    round, or row by row if there are many features: memory stays proportional to the
    data, but for other than Euclidean distances.

    Parameters
    ----------
    min_cluster_size : int, default=5
    min_samples : int, optional
        `min_cluster_size` by default; a sample counts as one of its own neighbours.
    cluster_selection_epsilon : float, default=0.0
        Clusters are not split below this distance.
    max_cluster_size : int, optional
        Larger branches are not chosen by "eom".
    metric : str, Kernel or callable, default='euclidean'
        As in `NearestNeighbors`.
    metric_params : dict, optional
    alpha : float, default=1.0
        By what distances, but not radii, are divided.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        Does not change the answer.
    leaf_size, n_jobs, copy : ignored
        All cores are used, and the data is never written to.
    cluster_selection_method : {"eom", "leaf"}, default="eom"
        The longest lives, or the last branches.
    allow_single_cluster : bool, default=False
    store_centers : {None, "centroid", "medoid", "both"}, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters in the order of their first sample; -1 is noise, -2 stands for samples
        with infinite and -3 for those with missing entries.
    probabilities_ : ndarray of shape (n_samples,)
        For how much of the life of its cluster a sample stays in it.
    centroids_, medoids_ : ndarray of shape (n_clusters, n_features)
        If they are stored.
    dendrogram_ : Dendrogram
        The tree of the finite samples, to be cut otherwise and drawn.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.4], [5.8], [20.0]]
    >>> model = HDBSCAN(min_cluster_size=3, min_samples=2).fit(X)
    >>> model.labels_, model.predict([[0.3], [5.1], [12.0]])
    (array([ 0,  0,  0,  1,  1,  1, -1]), array([ 0,  1, -1]))
    """

    _domains: ClassVar[Domains] = {
        "copy": besides(flag, "warn"),
        "min_cluster_size": whole(2),
        "min_samples": or_none(whole(1)),
        "max_cluster_size": or_none(whole(1)),
        "cluster_selection_epsilon": nonnegative,
        "alpha": positive,
        "algorithm": _ALGORITHMS,
        "cluster_selection_method": _METHODS,
        "store_centers": _CENTRES,
    }

    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: int | None = None,
        cluster_selection_epsilon: float = 0.0,
        max_cluster_size: int | None = None,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 40,
        n_jobs: int | None = None,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,  # noqa: FBT001, FBT002
        store_centers: str | None = None,
        copy: Any = "warn",
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Grow the tree and choose its clusters; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        self._check()
        self._measured = self.metric, self.metric_params
        X = self._admit(X, reset=True)
        marks = _marks(X, given=are_given(self.metric))
        known = X if not marks.any() else X[marks == 0]
        enough = self._enough(known.shape[0])
        reach = Reach(self._metric(known), known, enough, float(self.alpha))
        tree = grow(span_reach(reach), np.ones(known.shape[0]), "edges")
        self._fit_X, self._tree = known, tree
        self._radii, self._marks = reach.radii, marks
        self._enough_alpha = enough, float(self.alpha)
        branches, owner, names, bar = self._choose()
        self._chosen = (
            branches.home, branches.leaving, branches.parent, branches.birth, names, bar
        )  # fmt: skip
        labels = names[branches.home]
        labels[branches.leaving < bar] = -1
        self.labels_ = self._spread(labels)
        self.probabilities_ = np.where(marks == MISSING, np.nan, 0.0)
        strength = _strengths(branches, owner[branches.home])
        self.probabilities_[marks == 0] = np.where(labels >= 0, strength, 0.0)
        self._store_centres()
        return self

    def predict(self, X: Any) -> Indices:
        """Return the cluster that each sample would be joined to, or -1 for noise.

        A sample is joined to the nearest old one by reachability, at that distance, and
        belongs to the branch that holds it then. On the samples of the fit these are
        their labels. Parameters set since then do not matter.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features)
            New samples; their distances to the old ones for ``metric='precomputed'``.
        """
        check_fitted(self)
        queries = self._admit(X, reset=False)
        marks = _marks(queries, given=are_given(self._measured[0]))
        out = marks.copy()
        if not (marks == 0).any():
            return out
        home, leaving, parent, birth, names, bar = self._chosen
        place, time = self._nearest(queries[marks == 0])
        branch = home[place]
        # Rounding must not put an old sample outside its own branch.
        time = np.minimum(time, leaving[place]) * (1.0 + 1e-9)
        while (early := (birth[branch] > time) & (parent[branch] >= 0)).any():
            branch[early] = parent[branch[early]]
        out[marks == 0] = np.where(time < bar, -1, names[branch])
        return out

    def dbscan_clustering(
        self, cut_distance: float, min_cluster_size: int = 5
    ) -> Indices:
        """Return the clusters of DBSCAN for one radius, without border samples.

        Parameters
        ----------
        cut_distance : float
        min_cluster_size : int, default=5
            Smaller clusters are noise.
        """
        check_fitted(self)
        check_domain("HDBSCAN.dbscan_clustering cut_distance", cut_distance, positive)
        below = float(np.nextafter(float(cut_distance), 0.0))
        parts = self.dendrogram_.cut(height=below)
        large = np.bincount(parts)[parts] >= min_cluster_size
        return self._spread(number_roots(parts, large))

    @property
    def dendrogram_(self) -> Dendrogram:
        """The tree of the finite samples, to be cut otherwise and drawn."""
        check_fitted(self)
        return Dendrogram(self._tree)

    def _check(self) -> None:
        check_parameters(self)
        if are_given(self.metric) and self.store_centers is not None:
            raise IncompatibleError(
                f"HDBSCAN has no samples to take the {self.store_centers} of: with "
                "precomputed distances store_centers must be None."
            )

    def _admit(self, X: Any, *, reset: bool) -> Any:
        return admit_samples(
            self, X, self._measured[0], reset=reset, symmetric=True, dtype=np.float64,
            missing="unchecked", ensure_min_samples=2 if reset else 1,
        )  # fmt: skip

    def _enough(self, n: int) -> int:
        enough = self.min_samples
        enough = int(self.min_cluster_size if enough is None else enough)
        if n < max(enough, 2):
            raise DataError(
                f"HDBSCAN needs at least {max(enough, 2)} finite samples for "
                f"min_samples={enough}, got n_samples={n}."
            )
        return enough

    def _metric(self, X: Any) -> Metric:
        metric, parameters = self._measured
        return choose_metric("HDBSCAN", metric, 2.0, parameters, X)

    def _choose(self) -> tuple[Branches, Indices, Indices, float]:
        """Return branches, the chosen one each is part of, its label, and from when."""
        branches = Branches.of(self._tree, int(self.min_cluster_size))
        most = np.inf if self.max_cluster_size is None else float(self.max_cluster_size)
        rule = Selection(
            self.cluster_selection_method, float(self.cluster_selection_epsilon),
            bool(self.allow_single_cluster), most,
        )  # fmt: skip
        chosen = branches.select(rule)
        owner = branches.owners(chosen)
        inside = owner[branches.home]
        names: Indices = np.full(len(owner) + 1, -1)
        names[inside] = number_roots(inside, inside >= 0)
        return branches, owner, names[owner], branches.bar(chosen, rule)

    def _nearest(self, queries: Any) -> tuple[Indices, Vector]:
        """Return the old sample each query is joined to, and 1/distance then."""
        enough, alpha = self._enough_alpha
        places, times = [], []
        metric = self._metric(self._fit_X)
        for apart in measure_blocks(metric, self._fit_X, queries):
            own = np.partition(apart, enough - 1, axis=1)[:, enough - 1]
            reach = np.maximum(apart / alpha, self._radii)
            np.maximum(reach, own[:, None], out=reach)
            least = reach.min(axis=1)
            # Of those that are joined at the same distance, the nearest.
            close = np.where(reach <= least[:, None] * (1.0 + 1e-12), apart, np.inf)
            places.append(close.argmin(axis=1))
            with np.errstate(divide="ignore"):
                times.append(1.0 / least)
        return np.concatenate(places), np.concatenate(times)

    def _spread(self, labels: Indices) -> Indices:
        out = self._marks.copy()
        out[self._marks == 0] = labels
        return out

    def _store_centres(self) -> None:
        forget(self, "centroids_", "medoids_")
        if self.store_centers is None:
            return
        X: Any = self._fit_X
        X = X.toarray() if hasattr(X, "tocsr") else X
        labels = self.labels_[self._marks == 0]
        strength = self.probabilities_[self._marks == 0]
        groups = [labels == label for label in range(int(labels.max(initial=-1)) + 1)]
        if self.store_centers != "medoid":
            means = [np.average(X[g], axis=0, weights=strength[g]) for g in groups]
            self.centroids_ = np.array(means).reshape(-1, X.shape[1])
        if self.store_centers != "centroid":
            metric = self._metric(X)
            middles = [X[g][_medoid(metric, X[g], strength[g])] for g in groups]
            self.medoids_ = np.array(middles).reshape(-1, X.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = are_given(self.metric)
        tags.input_tags.sparse = not given
        tags.input_tags.pairwise = given
        tags.input_tags.allow_nan = not given
        return tags


def _marks(X: Any, *, given: bool) -> Indices:
    """Return 0 for each sample that can be compared, and otherwise its label."""
    marks: Indices = np.zeros(X.shape[0], dtype=np.intp)
    if given:
        return marks
    if hasattr(X, "tocsr"):
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        marks[rows[np.isinf(X.data)]] = INFINITE
        marks[rows[np.isnan(X.data)]] = MISSING
        return marks
    marks[np.isinf(X).any(axis=1)] = INFINITE
    marks[np.isnan(X).any(axis=1)] = MISSING
    return marks


def _strengths(branches: Branches, owner: Indices) -> Vector:
    """Return the time of each sample as a share of the life of its cluster."""
    last = branches.deaths()[owner]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.minimum(branches.leaving, last) / last
    return np.where(np.isinf(branches.leaving) | (last == 0.0), 1.0, share)


def _medoid(metric: Metric, members: Matrix, strength: Vector) -> int:
    sums = [apart @ strength for apart in measure_blocks(metric, members, members)]
    return int(np.argmin(np.concatenate(sums)))
