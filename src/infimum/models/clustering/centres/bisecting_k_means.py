"""Bisecting k-means: clusters split in two, again and again."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import (
    CentreModel,
    admit_rows,
    nearest_labels,
)
from infimum.models.clustering.centres._lloyd import (
    Lloyd,
    Rows,
    Run,
    rows_of,
    weigh,
)
from infimum.models.clustering.centres._start import n_starts, start_centres
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_parameters,
    nonnegative,
    whole,
)
from infimum.typing import Indices, Vector

__all__ = ["BisectingKMeans"]

_STRATEGIES = Choice(("biggest_inertia", "largest_cluster"))


class BisectingKMeans(CentreModel):
    """k-means from the top: the worst cluster is split in two until there are enough.

    Each split is 2-means on one cluster, so that many clusters cost little, and the
    clusters form a tree. New samples descend that tree: at each split they take the
    side of the nearer centre.

    Parameters
    ----------
    n_clusters : int, default=8
    init, n_init, random_state, max_iter, tol, verbose, copy_x, algorithm
        As in `KMeans`, for each split; by default starts are random, and one is tried.
    bisecting_strategy : {"biggest_inertia", "largest_cluster"}
        Which cluster is split next; default "biggest_inertia".

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
    tree_centers_ : ndarray of shape (2 n_clusters - 1, n_features)
        Centres of all clusters there have been; the first is that of all samples.
    tree_children_ : ndarray of shape (2 n_clusters - 1, 2)
        The two clusters each was split into; -1 and the final label where it was not.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [20.0], [21.0], [60.0], [61.0]])
    >>> model = BisectingKMeans(3, random_state=0).fit(X)
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 20.5, 60.5]
    """

    _domains: ClassVar[Domains] = {
        "n_init": besides(whole(1), "auto"),
        "algorithm": Choice(("lloyd", "elkan")),
        "bisecting_strategy": _STRATEGIES,
        "n_clusters": whole(1),
        "max_iter": whole(1),
        "tol": nonnegative,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "random",
        n_init: Any = 1,
        random_state: Any = None,
        max_iter: int = 300,
        verbose: int = 0,
        tol: float = 1e-4,
        copy_x: bool = True,
        algorithm: str = "lloyd",
        bisecting_strategy: str = "biggest_inertia",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.tol = tol
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.bisecting_strategy = bisecting_strategy

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Split clusters until there are enough; return self."""
        check_parameters(self)
        X, given = admit_rows(self, X, sample_weight)
        weights = np.ones(X.shape[0]) if given is None else given
        if np.count_nonzero(weights) < self.n_clusters:
            raise DataError(
                f"BisectingKMeans needs as many samples of positive weight as "
                f"clusters, got {np.count_nonzero(weights)} for n_clusters="
                f"{self.n_clusters}."
            )
        self._split(X, weights, check_random_state(self.random_state))
        self.labels_ = self._arrivals(X)
        rows = rows_of(X, weights)
        apart = rows.distances(self.labels_, rows.inward(self.cluster_centers_))
        self.inertia_ = weigh(rows, apart) * rows.unit**2
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster at which each sample arrives in the tree."""
        return self._arrivals(self._admit_again(X))

    def _arrivals(self, X: Any) -> NDArray[np.int32]:
        labels = np.zeros(X.shape[0], dtype=np.int32)
        waiting: list[tuple[int, Indices]] = [(0, np.arange(X.shape[0]))]
        while waiting:
            node, rows = waiting.pop()
            left, right = self.tree_children_[node]
            if left < 0:
                labels[rows] = right
            elif len(rows):
                both = self.tree_centers_[[left, right]]
                side = nearest_labels(X[rows], both)[1]
                waiting += [(left, rows[side == 0]), (right, rows[side == 1])]
        return labels

    def _split(self, X: Any, weights: Vector, draw: RandomState) -> None:
        counted = np.flatnonzero(weights)
        centres, members = [_mean(X, weights, counted)], [counted]
        children = [[-1, 0]]
        leaves, worths = [0], [np.inf]  # the first one is split whatever it is worth
        while len(leaves) < self.n_clusters:
            node = max(leaves, key=worths.__getitem__)
            rows = rows_of(X[members[node]], weights[members[node]])
            run = self._two(rows, draw)
            worths += self._worths(rows, run)
            leaves.remove(node)
            children[node] = [len(centres), len(centres) + 1]
            for side in (0, 1):
                leaves.append(len(centres))
                centres.append(run.centres[side])
                members.append(members[node][run.labels == side])
                children.append([-1, -1])
        for label, leaf in enumerate(leaves):
            children[leaf][1] = label
        self.tree_centers_ = np.array(centres).astype(X.dtype)
        self.tree_children_ = np.array(children)
        self.cluster_centers_ = self.tree_centers_[leaves]

    def _worths(self, rows: Rows, run: Run) -> list[float]:
        """Return how much both halves ask to be split; one place never does."""
        worth = rows.weights
        if self.bisecting_strategy == "biggest_inertia":
            apart = rows.distances(run.labels, rows.inward(run.centres))
            worth = worth * apart * rows.unit**2
        sums = np.bincount(run.labels, worth, minlength=2)
        sizes = np.bincount(run.labels, minlength=2)
        return [float(sums[j]) if sizes[j] > 1 else -1.0 for j in (0, 1)]

    def _two(self, rows: Rows, draw: RandomState) -> Run:
        lloyd = Lloyd(int(self.max_iter), float(self.tol))
        runs = [
            lloyd.descend(
                rows, start_centres("BisectingKMeans", self.init, 2, rows, draw), draw
            )
            for _ in range(n_starts("BisectingKMeans", self.init, self.n_init))
        ]
        return min(runs, key=lambda run: run.inertia)


def _mean(X: Any, weights: Vector, members: Indices) -> Vector:
    share = weights[members] / weights[members].sum()
    return np.asarray(share @ X[members]).ravel()
