"""Kernel k-means: clusters around means that live in feature space."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.base import ClusterMixin
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, things
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import gram_of
from infimum.models.kernel._machine import KernelMachine
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KernelKMeans"]


class KernelKMeans(ClusterMixin, KernelMachine):  # type: ignore[misc]
    r"""Partition things so that each is near the mean of its cluster.

    .. math:: \min \sum_i w_i \|Φ(x_i) - μ_{c(i)}\|^2, \qquad
              \|Φ(x) - μ_c\|^2 = k(x, x) - \frac{2}{m_c} \sum_{i ∈ c} w_i k(x_i, x)
              + \frac{1}{m_c^2} \sum_{i, j ∈ c} w_i w_j k(x_i, x_j)

    Lloyd's iteration with inner products only: move every sample to its nearest mean,
    take the means again, until nothing moves. The objective never rises. Clusters may
    have any shape that the kernel can part; the best of several starts is kept. With
    the linear kernel it is `infimum.models.clustering.KMeans`, which is much faster.

    Parameters
    ----------
    n_clusters : int, default=8
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.
    n_init : int, default=10
        How many starts, each with means drawn far from each other.
    max_iter : int, default=300
        Most iterations from each start.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
        The objective.
    objectives_ : ndarray
        The objective after each iteration of the start that was kept.
    n_iter_ : int
    dual_coef_ : ndarray of shape (n_clusters, n_samples)
        The means, as combinations of the samples.
    intercept_ : ndarray of shape (n_clusters,)
        Their squared lengths.
    X_fit_ : the samples; None for a precomputed kernel

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.2], [5.0], [5.2]])
    >>> model = KernelKMeans(2, random_state=0).fit(X)
    >>> len(set(model.predict([[0.1], [5.1]]).tolist()))
    2
    """

    _domains: ClassVar[Domains] = {
        "n_clusters": whole(1),
        "n_init": whole(1),
        "max_iter": whole(1),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None
            A sample of weight w counts as w samples.
        """
        check_parameters(self)
        rows = things(self, X, None, sample_weight)
        gram, weights = gram_of(self, rows.X), rows.shares()
        if np.count_nonzero(weights) < self.n_clusters:
            raise DataError(
                f"KernelKMeans needs as many samples as clusters, got n_samples="
                f"{np.count_nonzero(weights)} for {self.n_clusters} clusters."
            )
        draw = check_random_state(self.random_state)
        runs = [self._run(gram, weights, draw) for _ in range(int(self.n_init))]
        labels, objectives = min(runs, key=lambda run: float(run[1][-1]))
        self._keep_samples(rows.X)
        self.labels_, self.objectives_ = labels, np.array(objectives)
        self.inertia_, self.n_iter_ = float(objectives[-1]), len(objectives)
        self.dual_coef_ = _means(labels, weights, int(self.n_clusters))
        self.intercept_ = _squares(self.dual_coef_, gram)
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose mean is nearest to each sample."""
        check_fitted(self)
        scores = self.intercept_ - 2.0 * self._sum(X, self.dual_coef_.T)
        return np.asarray(scores.argmin(axis=1), dtype=np.int32)

    def _run(
        self, gram: Matrix, weights: Vector, draw: RandomState
    ) -> tuple[NDArray[np.int32], list[float]]:
        count, own = int(self.n_clusters), np.diag(gram)
        labels = _spread(gram, weights, count, draw)
        objectives: list[float] = []
        for _ in in_time(range(int(self.max_iter))):
            means = _means(labels, weights, count)
            apart = own + (_squares(means, gram)[:, None] - 2.0 * means @ gram)
            near = apart[labels, np.arange(len(labels))]
            objectives.append(float(weights @ np.maximum(near, 0.0)))
            moved = _fill(apart.argmin(axis=0), apart, weights)
            if np.array_equal(moved, labels):
                break
            labels = moved
        return labels.astype(np.int32), objectives


def _means(labels: Indices, weights: Vector, count: int) -> Matrix:
    """Return the mean of each cluster as coefficients of the samples."""
    members = (labels == np.arange(count)[:, None]) * weights
    return np.asarray(members / members.sum(axis=1, keepdims=True))


def _squares(means: Matrix, gram: Matrix) -> Vector:
    return np.asarray(np.einsum("ci,ci->c", means @ gram, means))


def _spread(
    gram: Matrix, weights: Vector, count: int, draw: RandomState
) -> NDArray[np.intp]:
    """Assign samples to the nearest of a few, drawn by squared distance.

    Draws run along an order that depends on the samples only, not on how they come, so
    that a weight of 2 is two samples.
    """
    own = np.diag(gram)
    order = np.argsort(gram @ weights, kind="stable")
    chosen = [_pick(order, weights, draw)]
    while True:
        apart = own + (own[chosen, None] - 2.0 * gram[chosen])
        if len(chosen) == count:
            labels = apart.argmin(axis=0)
            labels[chosen] = np.arange(count)
            return _fill(labels, apart, weights)
        far = np.maximum(apart.min(axis=0), 0.0)
        # Copies are apart by rounding only, and not worth a centre of their own.
        odds = np.where(far > 2.0**-40 * own.max(), weights * far, 0.0)
        odds[chosen] = 0.0
        if odds.sum() <= 0.0:  # only copies are left: any of them will do
            odds = weights.copy()
            odds[chosen] = 0.0
        chosen.append(_pick(order, odds, draw))


def _pick(order: Indices, odds: Vector, draw: RandomState) -> int:
    summed = np.cumsum(odds[order])
    place = np.searchsorted(summed, draw.uniform() * summed[-1], side="right")
    return int(order[min(int(place), len(order) - 1)])


def _fill(given: Indices, apart: Matrix, weights: Vector) -> NDArray[np.intp]:
    """Give each empty cluster the sample that is farthest from its mean.

    A sample alone is at its mean, so the objective does not rise.
    """
    labels: NDArray[np.intp] = np.array(given, dtype=np.intp)
    counted = weights > 0.0
    while True:
        sizes = np.bincount(labels[counted], minlength=len(apart))
        empty = np.flatnonzero(sizes == 0)
        if not empty.size:
            return labels
        near = apart[labels, np.arange(len(labels))]
        free = counted & (sizes[labels] > 1)
        labels[int(np.where(free, near, -np.inf).argmax())] = empty[0]
