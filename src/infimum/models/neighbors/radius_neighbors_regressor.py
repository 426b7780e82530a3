"""The mean of all neighbours within a radius."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._neighbors_model import RADII, RadiusQueries
from infimum.models.neighbors._targets import measured
from infimum.models.neighbors._votes import check_weights, weigh_all
from infimum.parameters import Domains, check_parameters
from infimum.typing import Matrix

__all__ = ["RadiusNeighborsRegressor"]


class RadiusNeighborsRegressor(RegressorMixin, RadiusQueries):  # type: ignore[misc]
    """Regression by the mean of all targets within a radius.

    Parzen's estimate with a box as its window. Where no sample is near, the answer is
    NaN, and a warning says so.

    Parameters
    ----------
    radius : float, default=1.0
    weights : {'uniform', 'distance'} or callable, default='uniform'
        Weights of the mean, as in `KNeighborsRegressor`.
    algorithm, leaf_size, p, metric, metric_params, n_jobs
        As in `NearestNeighbors`.

    Attributes
    ----------
    effective_metric_ : str
    effective_metric_params_ : dict
    n_samples_fit_ : int
    n_features_in_ : int

    Examples
    --------
    >>> model = RadiusNeighborsRegressor(1.0)
    >>> model.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0]).predict([[1.5]])
    array([3.])
    """

    _domains: ClassVar[Domains] = {
        "radius": RADII,
    }

    def __init__(
        self,
        radius: float = 1.0,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Keep the samples and their targets; return self.

        Parameters
        ----------
        X : array-like, sparse matrix or collection of n_samples
            Samples; their distances for ``metric='precomputed'``.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets.
        """
        check_parameters(self)
        check_weights("RadiusNeighborsRegressor", self.weights)
        X, y = admit_samples(self, X, y, numeric=True)
        self._y = measured(self, y)
        self._keep_samples(X)
        return self

    def predict(self, X: Any) -> Matrix:
        """Return the weighted mean of the targets within the radius.

        Parameters
        ----------
        X : array-like, sparse matrix or collection, or None
            Queries; None asks for the samples, each without its own target.
        """
        found = self._nearby(X)
        some = found.counts > 0
        out = np.full((len(some), *self._y.shape[1:]), np.nan)
        for rows, part in found.blocks():
            out[rows][some[rows]] = self._means(part)
        if not some.all():
            warnings.warn(
                "RadiusNeighborsRegressor: one or more samples have no neighbours "
                "within the radius; predicting NaN.",
                UserWarning,
                stacklevel=2,
            )
        return out

    def _means(self, found: Nearby) -> Matrix:
        """Return the weighted mean targets of those queries that have neighbours."""
        counts = found.counts[found.counts > 0]
        starts = found.starts[:-1][found.counts > 0]
        values = self._y[found.names]
        if not len(starts):
            return np.empty((0, *self._y.shape[1:]))
        if self.weights in (None, "uniform"):
            return np.asarray((np.add.reduceat(values, starts, axis=0).T / counts).T)
        weights = weigh_all(self.weights, found)
        totals = np.add.reduceat(weights, starts)
        if not totals.all():
            raise DataError(
                "RadiusNeighborsRegressor: all neighbours of a query have weight 0."
            )
        sums = np.add.reduceat((values.T * weights).T, starts, axis=0)
        return np.asarray((sums.T / totals).T)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
