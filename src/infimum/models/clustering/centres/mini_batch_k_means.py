"""k-means on a stream: centres that move a little with every batch."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from sklearn.utils import check_random_state

from infimum.compiled.clusters.batch_steps import (
    AT_REST,
    GO_ON,
    IDLE,
    REASSIGN,
    descend_batches,
)
from infimum.data.doors import weighed
from infimum.features.columns import is_sparse
from infimum.limits import in_time
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import (
    CentreModel,
    admit_rows,
    nearest_labels,
)
from infimum.models.clustering.centres._dense_assignment import Assignment, DenseRows
from infimum.models.clustering.centres._lloyd import rows_of, weigh
from infimum.models.clustering.centres._start import n_starts, start_centres
from infimum.parameters import (
    Domains,
    besides,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MiniBatchKMeans"]

#: How fast the running mean of the batch objectives forgets, in passes over the data.
MEMORY = 2.0
#: Multiplications of a step that one loop does before Python has called the next.
QUICK = 2**20


class MiniBatchKMeans(CentreModel):
    r"""k-means for data that are many or keep coming.

    .. math:: c_j \leftarrow c_j + \sum_{i ∈ B_j} w_i, \qquad
              m_j \leftarrow m_j + \frac{1}{c_j} \sum_{i ∈ B_j} w_i (x_i - m_j)

    Each batch moves every centre to the mean of all samples it has ever been given, so
    that steps shrink like one over their number. `fit` draws batches from a table;
    `partial_fit` takes the next batch of a stream, and nothing but the centres and
    their counts is kept.

    Parameters
    ----------
    n_clusters : int, default=8
    init, n_init, random_state
        As in `KMeans`, but an `n_init` of "auto" is 3 in place of 10; starts are
        compared on `init_size` samples.
    max_iter : int, default=100
        Most passes over the data.
    batch_size : int, default=1024
        A table of fewer samples is taken whole.
    compute_labels : bool, default=True
        Whether to assign all samples at the end of `fit`.
    tol : float, default=0.0
        Stop when a batch moves the centres by no more than `KMeans` tolerates; with 0
        only when it does not move them at all.
    max_no_improvement : int or None, default=10
        Stop after so many batches that did not lower the smoothed objective.
    init_size : int or None, default=None
        Samples on which starts are made; None is three batches.
    reassignment_ratio : float, default=0.01
        Centres whose count is below this share of the largest one move to a sample of
        the batch, drawn by squared distance.
    verbose
        Accepted for compatibility: nothing is printed.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    counts_ : ndarray of shape (n_clusters,)
        Weight of the samples each centre is the mean of.
    labels_, inertia_
        For the samples of `fit`, or of the last batch.
    n_iter_, n_steps_ : int
        Passes and batches.

    Examples
    --------
    >>> import numpy as np
    >>> model = MiniBatchKMeans(2, random_state=0)
    >>> for batch in ([[0.0], [9.0]], [[2.0], [11.0]]):
    ...     model = model.partial_fit(np.array(batch))
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [1.0, 10.0]
    """

    _domains: ClassVar[Domains] = {
        "max_no_improvement": or_none(whole(0)),
        "n_clusters": whole(1),
        "max_iter": whole(1),
        "batch_size": whole(1),
        "tol": nonnegative,
        "reassignment_ratio": nonnegative,
        "init_size": or_none(whole(1)),
        "n_init": besides(whole(1), "auto"),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        max_iter: int = 100,
        batch_size: int = 1024,
        verbose: int = 0,
        compute_labels: bool = True,
        random_state: Any = None,
        tol: float = 0.0,
        max_no_improvement: int | None = 10,
        init_size: int | None = None,
        n_init: Any = "auto",
        reassignment_ratio: float = 0.01,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres from batches of a table; return self."""
        check_parameters(self)
        X, given = admit_rows(self, X, sample_weight)
        weights = np.ones(X.shape[0]) if given is None else given
        draw = check_random_state(self.random_state)
        self.cluster_centers_ = self._begin(X, weights, draw)
        self.counts_ = np.zeros(int(self.n_clusters))
        self.n_steps_ = 0
        self._loop(X, weights, draw)
        self.cluster_centers_ = self.cluster_centers_.astype(X.dtype)
        forget(self, "labels_", "inertia_")
        if self.compute_labels:
            self._assign(X, weights)
        return self

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Move the centres by one more batch; return self."""
        check_parameters(self)
        if hasattr(self, "counts_"):
            X = self._admit_again(X)
            weights = weighed(sample_weight, X)
        else:
            X, weights = admit_rows(self, X, sample_weight)
        weights = np.ones(X.shape[0]) if weights is None else weights
        if not hasattr(self, "counts_"):
            draw = check_random_state(self.random_state)
            self.cluster_centers_ = self._begin(X, weights, draw)
            self.counts_ = np.zeros(int(self.n_clusters))
            self.n_steps_ = 0
        dtype = X.dtype
        self._step(rows_of(X), weights, self._draw_of_step())
        self.n_iter_ = self.n_steps_
        self.cluster_centers_ = self.cluster_centers_.astype(dtype)
        forget(self, "labels_", "inertia_")
        if self.compute_labels:
            self._assign(X, weights)
        return self

    def _draw_of_step(self) -> RandomState:
        """Return draws of this batch: a stream that is cut and resumed stays itself."""
        if isinstance(self.random_state, int | np.integer):
            return RandomState([int(self.random_state), self.n_steps_])
        draw: RandomState = check_random_state(self.random_state)
        return draw

    def _begin(self, X: Any, weights: Vector, draw: RandomState) -> Matrix:
        """Return the best of several starts on some of the samples."""
        size = int(self.init_size or 3 * self.batch_size)
        every, held = np.arange(X.shape[0]), np.flatnonzero(weights > 0.0)
        held = held if len(held) >= self.n_clusters else every
        size = min(len(held), max(size, int(self.n_clusters)))
        # Centres that are given need no samples, and labels are of all of them.
        if not isinstance(self.init, str) and hasattr(self.init, "__len__"):
            some: Indices = every
        else:
            some = draw.choice(held, size, replace=False) if size < len(held) else held
        rows = rows_of(X[some], np.maximum(weights[some], 1e-300))
        best, lowest = None, np.inf
        for _ in range(n_starts("MiniBatchKMeans", self.init, self.n_init, 3)):
            k = int(self.n_clusters)
            start = start_centres("MiniBatchKMeans", self.init, k, rows, draw)
            cost = self._cost(X[some], weights[some], start)
            if best is None or cost < lowest:
                best, lowest = start, cost
        assert best is not None
        return best

    def _loop(self, X: Any, weights: Vector, draw: RandomState) -> None:
        # A batch without any weight moves nothing, which would end the descent.
        held = np.flatnonzero(weights > 0.0)
        n, size = len(held), min(len(held), int(self.batch_size))
        steps = -(-n // size)
        forget = min(1.0, MEMORY * size / (n + 1))
        if not is_sparse(X) and size * X.shape[1] * int(self.n_clusters) <= QUICK:
            self._in_one_loop(X[held], weights[held], draw, size, forget)
            return
        smooth, least, idle, rows = None, np.inf, 0, None
        enough = float(self.tol) * _variance(X, weights)
        self.n_iter_ = 0
        for _ in in_time(range(int(self.max_iter))):
            self.n_iter_ += 1
            order = held[draw.permutation(n)] if size < n else held
            for step in range(steps):
                some = order[step * size : (step + 1) * size]
                before = self.cluster_centers_
                if rows is None or size < n:  # one batch of all rows stays what it is
                    rows = rows_of(X[some])
                cost = self._step(rows, weights[some], draw)
                smooth = cost if smooth is None else smooth + forget * (cost - smooth)
                idle = 0 if smooth < least else idle + 1
                least = min(least, smooth)
                moved = float(np.sum((self.cluster_centers_ - before) ** 2))
                limit = self.max_no_improvement
                if (limit is not None and idle >= max(1, limit)) or moved <= enough:
                    return

    def _in_one_loop(
        self, X: Any, weights: Vector, draw: RandomState, size: int, forget: float
    ) -> None:
        """Do the same for small batches, as many as can be drawn at once."""
        rows, steps = DenseRows(X), -(-len(X) // size)
        across = np.ascontiguousarray(rows.inward(self.cluster_centers_).T)
        enough = float(self.tol) * _variance(X, weights) / rows.unit / rows.unit
        limit = self.max_no_improvement
        patience = np.inf if limit is None else max(1.0, float(limit))
        rules = (forget, enough, patience, float(self.reassignment_ratio))
        account, odds = np.array([0.0, np.inf, 0.0, 0.0]), np.empty(size)
        order: Indices = np.arange(rows.n)
        done, most, why = 0, int(self.max_iter) * steps, GO_ON
        while done < most and why != AT_REST:
            if steps > 1 and done % steps == 0:
                order = draw.permutation(rows.n)
            rest = order[done % steps * size :]
            left = most - done if steps == 1 else -(-len(rest) // size)
            taken, why = descend_batches(
                rows.inner, weights, rest, left, across, self.counts_, account, rules,
                odds,
            )  # fmt: skip
            done += taken
            self.n_steps_ = done
            if why == REASSIGN:
                some = order[(done - 1) % steps * size :][:size]
                poor, chosen = self._reassigned(odds[: len(some)], draw)
                across[:, poor] = rows.inner[some[chosen]].T
                why = AT_REST if account[IDLE] >= patience else GO_ON
        self.n_iter_ = -(-done // steps)
        self.cluster_centers_ = np.ascontiguousarray(rows.outward(across.T))

    def _step(self, rows: Any, weights: Vector, draw: RandomState) -> float:
        """Move the centres by one batch; return its mean objective before."""
        total = float(weights.sum())
        if total <= 0.0:
            return 0.0
        centres = self.cluster_centers_.astype(np.float64)
        inward, found = rows.inward(centres), Assignment.blank(rows.n)
        rows.assign(found, inward)
        rows.weights, labels = weights, found.labels
        apart = rows.distances(labels, inward)
        sums, mass = rows.sums(labels, len(centres))
        counts = self.counts_ + mass
        means = rows.outward(sums / np.maximum(mass, 1e-300)[:, None])
        rate = (mass / np.maximum(counts, 1e-300))[:, None]
        self.cluster_centers_ = centres + rate * np.where(
            mass[:, None] > 0, means - centres, 0
        )
        self.counts_ = counts
        self.n_steps_ += 1
        poor, chosen = self._reassigned(weights * apart, draw)
        self.cluster_centers_[poor] = rows.outward(rows.points(chosen))
        return float(weigh(rows, apart) * rows.unit**2 / total)

    def _reassigned(self, odds: Vector, draw: RandomState) -> tuple[Indices, Indices]:
        """Return centres that hardly anything is near, and samples far from theirs.

        At first, and from time to time, so that young centres can gather samples.
        """
        none: Indices = np.empty(0, dtype=np.intp)
        poor = np.flatnonzero(
            self.counts_ < self.reassignment_ratio * self.counts_.max()
        )
        due = self.n_steps_ % (10 + int(self.counts_.min())) == 0
        total = float(odds.sum())
        if not (len(poor) and due and total > 0.0):
            return none, none
        poor = poor[: max(1, len(odds) // 2)]
        free = np.count_nonzero(odds)
        poor = poor[:free]
        chosen = draw.choice(len(odds), len(poor), replace=False, p=odds / total)
        rich = self.counts_ >= self.reassignment_ratio * self.counts_.max()
        self.counts_[poor] = self.counts_[rich].min()
        return poor, chosen

    def _cost(self, X: Any, weights: Vector, centres: Matrix) -> float:
        rows, labels = nearest_labels(X, centres)
        rows.weights = weights
        apart = rows.distances(labels, rows.inward(centres))
        return float(weigh(rows, apart) * rows.unit**2)

    def _assign(self, X: Any, weights: Vector) -> None:
        rows, labels = nearest_labels(X, self.cluster_centers_)
        rows.weights = weights
        apart = rows.distances(labels, rows.inward(self.cluster_centers_))
        self.labels_ = np.asarray(labels, dtype=np.int32)
        self.inertia_ = weigh(rows, apart) * rows.unit**2


def _variance(X: Any, weights: Vector) -> float:
    """Return the mean variance of the columns."""
    rows = rows_of(X, weights)
    # The mean of dense rows is there already, and cannot have overflowed.
    known = getattr(rows, "mean", None)
    centre = np.asarray(weights @ X).ravel() / weights.sum() if known is None else known
    apart = rows.distances(np.zeros(rows.n, np.int32), rows.inward(centre[None]))
    total = weigh(rows, apart) * rows.unit**2
    return float(total / weights.sum() / X.shape[1])
