"""Mean shift: windows climb to where the samples are dense."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from infimum.compiled.neighbors.window_means import climb_windows
from infimum.compiled.threads import in_parts
from infimum.data.doors import rows, samples
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.by_density.mean_shift_seeds import (
    bin_middles,
    mean_reach,
)
from infimum.models.clustering.centres._centre_model import nearest_labels
from infimum.models.neighbors._kd_search import KDSearch
from infimum.parameters import Domains, check_parameters, or_none, positive, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MeanShift"]

#: Share of the samples in a window whose width is not given.
SHARE = 0.3
#: A step shorter than this share of the width is the last.
SHORT = 1e-3
LEAF = 16


class MeanShift(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters are what climbs to the same summit of the density of samples.

    From each seed a ball of radius `bandwidth` moves to the mean of what is in it,

    .. math:: m \leftarrow \frac{\sum_{\|x_i - m\| \le h} w_i x_i}
                                {\sum_{\|x_i - m\| \le h} w_i},

    until it stays. Of balls that end within `bandwidth` of each other the one that
    holds most is kept, and samples belong to the nearest. How many clusters there are
    follows from the width. Samples in a ball are found in a k-d tree, and balls climb
    on all cores.

    Parameters
    ----------
    bandwidth : float, optional
        By default that of `estimate_bandwidth`.
    seeds : array-like of shape (n_seeds, n_features), optional
        Where balls begin; at all samples by default.
    bin_seeding : bool, default=False
        Begin at the seeds of `get_bin_seeds`, which are fewer.
    min_bin_freq : int, default=1
    cluster_all : bool, default=True
        Whether samples in none of the balls belong to the nearest as well; otherwise
        their label is -1.
    n_jobs : ignored
        All cores are used.
    max_iter : int, default=300

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The ball that holds most comes first.
    labels_ : ndarray of shape (n_samples,)
    n_iter_ : int
        Steps of the longest climb.
    bandwidth_ : float
        The width that was used.

    Examples
    --------
    >>> X = [[0.0], [0.4], [1.0], [6.0], [6.4]]
    >>> model = MeanShift(bandwidth=1.5).fit(X)
    >>> model.cluster_centers_.ravel().round(3), model.predict([[5.0]])
    (array([0.467, 6.2  ]), array([1]))
    """

    _domains: ClassVar[Domains] = {
        "max_iter": whole(0),
        "min_bin_freq": whole(1),
        "bandwidth": or_none(positive),
    }

    def __init__(
        self,
        *,
        bandwidth: float | None = None,
        seeds: Any = None,
        bin_seeding: bool = False,
        min_bin_freq: int = 1,
        cluster_all: bool = True,
        n_jobs: int | None = None,
        max_iter: int = 300,
    ) -> None:
        self.bandwidth = bandwidth
        self.seeds = seeds
        self.bin_seeding = bin_seeding
        self.min_bin_freq = min_bin_freq
        self.cluster_all = cluster_all
        self.n_jobs = n_jobs
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Let the windows climb; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A sample of weight k counts as k samples.
        """
        check_parameters(self)
        found = rows(self, X, sample_weight, moderate=True, accept_sparse=False)
        X, weights = found.X, found.shares()
        table = np.asarray(X[weights > 0.0], dtype=np.float64)
        weights = weights[weights > 0.0]
        width = self.bandwidth
        width = mean_reach(table, weights, SHARE) if width is None else width
        self.bandwidth_ = float(width)
        places, mass = self._climb(table, weights, self._begin(table, weights))
        centres = _summits(places, mass, self.bandwidth_)
        self.cluster_centers_ = centres.astype(X.dtype)
        self.labels_ = self._labels(X)
        return self

    def predict(self, X: Any) -> Indices:
        """Return the nearest cluster of each sample, however far it is.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        """
        X = samples(self, X, moderate=True, accept_sparse=False)
        labels = nearest_labels(np.ascontiguousarray(X), self.cluster_centers_)[1]
        return np.asarray(labels, dtype=np.intp)

    def _begin(self, rows: Matrix, weights: Vector) -> Matrix:
        if self.seeds is None:
            if not self.bin_seeding:
                return rows.copy()
            least = int(self.min_bin_freq)
            return bin_middles(rows, weights, self.bandwidth_, least).copy()
        seeds = np.array(self.seeds, dtype=np.float64, ndmin=2, order="C")
        if seeds.shape[1:] != rows.shape[1:] or not np.isfinite(seeds).all():
            raise DataError(
                f"MeanShift.seeds must be finite points of {rows.shape[1]} features, "
                f"got shape {seeds.shape}."
            )
        return seeds

    def _climb(
        self, rows: Matrix, weights: Vector, seeds: Matrix
    ) -> tuple[Matrix, Vector]:
        """Return where the windows end, and the weight that each holds."""
        tree = KDSearch.over(rows, LEAF)
        ordered, width = weights[tree.names], self.bandwidth_
        mass, steps = np.zeros(len(seeds)), np.zeros(len(seeds), dtype=np.intp)

        def work(part: slice) -> None:
            climb_windows(
                tree.points, tree.lows, tree.highs, ordered,
                width, SHORT * width, int(self.max_iter),
                seeds[part], mass[part], steps[part],
            )  # fmt: skip

        in_parts(len(seeds), work, max(1, min(64, len(seeds))))
        self.n_iter_ = int(steps.max(initial=0))
        if not mass.any():
            raise DataError(
                f"MeanShift: no sample is within bandwidth={width:.3g} of a seed; "
                "choose other seeds or a larger bandwidth."
            )
        return seeds[mass > 0.0], mass[mass > 0.0]

    def _labels(self, X: Matrix) -> Indices:
        centres = self.cluster_centers_
        rows, labels = nearest_labels(np.ascontiguousarray(X), centres)
        out = labels.astype(np.intp)
        if not self.cluster_all:
            squares = rows.distances(labels, rows.inward(centres))
            out[np.sqrt(squares) * rows.unit > self.bandwidth_] = -1
        return out


def _summits(places: Matrix, mass: Vector, width: float) -> Matrix:
    """Return the places that hold most, none within the width of another."""
    order = np.lexsort((*places.T[::-1], mass))[::-1]
    left = places[order]
    kept = []
    while len(left):
        kept.append(left[0])
        left = left[np.linalg.norm(left - left[0], axis=1) > width]
    return np.array(kept)
