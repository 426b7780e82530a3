"""Level-set clustering: the connected parts of where the density is high."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from infimum.data.doors import rows, samples
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.by_density._near_components import choose_neighborhood
from infimum.models.density.kernel_density import KernelDensity
from infimum.models.neighbors._metric import choose_metric
from infimum.parameters import (
    Domains,
    Interval,
    check_parameters,
    nonnegative,
    or_none,
    positive,
)
from infimum.typing import Indices, Mask, Matrix

__all__ = ["LevelSetClustering"]


class LevelSetClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters are the connected components of :math:`\{\hat p > τ\}`.

    Samples with a density above the level are kept; two of them are joined if they are
    within `eps` of each other. Components are found in a k-d tree, without lists of
    neighbours. All other samples are noise.

    Parameters
    ----------
    bandwidth, kernel, rtol
        Of the density, as in `KernelDensity`.
    level : float, optional
        The level τ.
    noise_share : float, default=0.1
        Without a level, the share of samples whose density is not above it.
    eps : float, optional
        The distance within which samples are joined; the bandwidth by default.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters in the order of their first sample; -1 is below the level.
    level_, eps_ : float
    density_ : KernelDensity
    core_sample_indices_ : ndarray
        The samples above the level.
    n_features_in_ : int

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [2.0], [4.0], [4.1], [4.2]]
    >>> model = LevelSetClustering(bandwidth=0.3, level=0.3).fit(X)
    >>> model.labels_, model.predict([[4.3], [2.0]])
    (array([ 0,  0,  0, -1,  1,  1,  1]), array([ 1, -1]))
    """

    _domains: ClassVar[Domains] = {
        "noise_share": Interval(0, 1, open_high=True),
        "level": or_none(nonnegative),
        "eps": or_none(positive),
    }

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        kernel: Any = "gaussian",
        level: float | None = None,
        noise_share: float = 0.1,
        eps: float | None = None,
        rtol: float = 0.0,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.level = level
        self.noise_share = noise_share
        self.eps = eps
        self.rtol = rtol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        self._check()
        given = rows(self, X, moderate=True, accept_sparse=False).X
        X = np.asarray(given, dtype=np.float64)
        density = KernelDensity(
            bandwidth=self.bandwidth, kernel=self.kernel, rtol=self.rtol
        )
        try:
            self.density_ = density.fit(X)
        except InvalidParameterError as error:
            message = str(error).replace("KernelDensity.", "LevelSetClustering.")
            raise InvalidParameterError(message) from None
        heights = np.exp(density.score_samples(X))
        if self.level is None:
            outside = int(float(self.noise_share) * len(X))
            self.level_ = float(np.nextafter(np.sort(heights)[outside], -np.inf))
        else:
            self.level_ = float(self.level)
        self.eps_ = density.bandwidth_ if self.eps is None else float(self.eps)
        above = np.asarray(heights > self.level_)
        self.labels_ = self._components(X, above)
        self.core_sample_indices_ = np.flatnonzero(above)
        return self

    def predict(self, X: Any) -> Indices:
        """Return the cluster of a sample above the level within `eps`, or else -1.

        A new sample must itself lie above the level.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        """
        queries = samples(self, X, moderate=True, accept_sparse=False)
        queries = np.asarray(queries, dtype=np.float64)
        out: Indices = np.full(len(queries), -1)
        above = np.exp(self.density_.score_samples(queries)) > self.level_
        core = self.core_sample_indices_
        if len(core) and above.any():
            near = self._neighborhood(self.density_.X_fit_[core])
            out[above] = near.least_label(self.labels_[core], queries[above])
        return out

    def _check(self) -> None:
        check_parameters(self)

    def _neighborhood(self, X: Matrix) -> Any:
        metric = choose_metric("LevelSetClustering", "euclidean", 2.0, None, X)
        return choose_neighborhood(metric, X, float(self.eps_), "auto")

    def _components(self, X: Matrix, above: Mask) -> Indices:
        found: Indices = self._neighborhood(X).components(above)
        return found
