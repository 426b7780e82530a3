"""k-means: centres such that every sample is near one of them."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors.streamed_rows import streams
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import (
    CentreModel,
    admit_rows,
    nearest_labels,
)
from infimum.models.clustering.centres._lloyd import (
    EmptyCluster,
    Lloyd,
    Rows,
    Run,
    rows_of,
)
from infimum.models.clustering.centres._local_search import improve
from infimum.models.clustering.centres._start import n_starts, start_centres
from infimum.models.clustering.centres.k_means_lower_bound import spectral_bound
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_parameters,
    nonnegative,
    whole,
)
from infimum.typing import Matrix

__all__ = ["KMeans"]

_EMPTY = Choice(("farthest", "random", "restart"))
_ALGORITHMS = Choice(("lloyd", "elkan"))
#: Fresh starts after empty clusters, before the rule is given up.
RESTARTS = 25


class KMeans(CentreModel):
    r"""Lloyd's k-means, exact and fast: centres near which every sample lies.

    .. math:: \min_{m_1, …, m_k} \sum_i w_i \min_j \| x_i - m_j \|^2

    Samples go to the nearest centre, centres to the mean of their samples, until
    nothing moves; the objective never rises. Which centre is nearest is chosen by
    products in float32 and decided in float64 wherever rounding could matter, and
    bounds skip the samples that cannot have changed: the labels are those of plain
    Lloyd. The minimum found is a local one; `lower_bound_` tells what no clustering
    can beat.

    Parameters
    ----------
    n_clusters : int, default=8
    init : str, array, clusterer or callable, default="k-means++"
        "k-means++" (drawn with odds by squared distance), "random" (any samples),
        "farthest-first" (always the farthest from those before), an array of centres,
        an array with a label for each sample (negative where unknown), a clusterer
        whose clusters are the start, or ``init(X, n_clusters, random_state)``.
    n_init : int or "auto", default="auto"
        Number of starts, of which the best is kept; "auto" is 10 for "random" and
        "farthest-first" and 1 otherwise.
    max_iter : int, default=300
    tol : float, default=1e-4
        Stop when the squared shifts of the centres sum to this share of the mean
        variance of the features.
    verbose, copy_x
        Accepted for compatibility: nothing is printed, and X is never changed.
    random_state : int, RandomState or None, default=None
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        Accepted for compatibility: both name the same iteration and the same result.
    empty_cluster : {"farthest", "random", "restart"}, default="farthest"
        A centre that loses all samples moves to the sample farthest from its own
        centre, or to any sample; or everything starts again.
    local_search : int, default=0
        Rounds of moves tried after Lloyd has stopped (single samples to another
        cluster, a centre replaced, two clusters merged and one split); a move is kept
        only if the objective falls.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
        The objective.
    lower_bound_ : float
        No k centres have a smaller objective; see `k_means_lower_bound`.
    history_ : list of float
        The objective after each iteration of the start that was kept.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [10.0], [12.0]])
    >>> model = KMeans(2, random_state=0).fit(X)
    >>> float(model.inertia_)
    2.5
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 11.0]
    """

    _domains: ClassVar[Domains] = {
        "n_init": besides(whole(1), "auto"),
        "n_clusters": whole(1),
        "max_iter": whole(1),
        "tol": nonnegative,
        "algorithm": _ALGORITHMS,
        "empty_cluster": _EMPTY,
        "local_search": whole(0),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
        empty_cluster: str = "farthest",
        local_search: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.empty_cluster = empty_cluster
        self.local_search = local_search

    @streams("infimum.models.streamed.centres:fit_k_means")
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None
            A sample of weight w counts as w samples.
        """
        check_parameters(self)
        X, weights = admit_rows(self, X, sample_weight)
        counted = None if weights is None else np.flatnonzero(weights > 0.0)
        whole_table = counted is None or len(counted) == X.shape[0]
        if not whole_table:
            weights = weights[counted]
        rows = rows_of(X if whole_table else X[counted], weights)
        if rows.n < self.n_clusters:
            raise DataError(
                f"KMeans needs as many samples of positive weight as clusters, got "
                f"{rows.n} for n_clusters={self.n_clusters}."
            )
        with one_blas_thread():  # between the passes there are small matrices only
            run = self._best(rows, check_random_state(self.random_state))
        self._keep(run, rows, X.dtype)
        self.labels_ = np.asarray(run.labels, dtype=np.int32)
        if not whole_table:
            labels = nearest_labels(X, run.centres)[1]
            self.labels_ = np.asarray(labels, dtype=np.int32)
        return self

    def _best(self, rows: Rows, draw: RandomState) -> Run:
        count = n_starts("KMeans", self.init, self.n_init)
        best = self._run(rows, draw)
        for _ in range(1, count):
            run = self._run(rows, draw)
            best = run if run.inertia < best.inertia else best
        return best

    def _run(self, rows: Rows, draw: RandomState) -> Run:
        k, budget = int(self.n_clusters), (int(self.max_iter), float(self.tol))
        lloyd = Lloyd(*budget, self.empty_cluster)
        for _ in range(RESTARTS):
            start = start_centres("KMeans", self.init, k, rows, draw)
            try:
                run = lloyd.descend(rows, start, draw)
            except EmptyCluster:
                continue
            rounds = int(self.local_search)
            return improve(rows, run, lloyd, draw, rounds) if rounds else run
        # As often again would end the same way: data with fewer places than clusters,
        # or a start that is always the same.
        return Lloyd(*budget, "farthest").descend(rows, start, draw)

    def _keep(self, run: Run, rows: Rows, dtype: Any) -> None:
        self.cluster_centers_: Matrix = run.centres.astype(dtype)
        self.inertia_, self.n_iter_ = run.inertia, run.n_iter
        self.history_ = run.history.tolist()
        self.lower_bound_ = min(spectral_bound(rows, int(self.n_clusters)), run.inertia)
        found = len(np.unique(run.labels))
        if found < self.n_clusters:
            warnings.warn(
                f"KMeans found {found} distinct clusters, fewer than n_clusters="
                f"{self.n_clusters}: perhaps samples are repeated.",
                ConvergenceWarning,
                stacklevel=4,
            )
