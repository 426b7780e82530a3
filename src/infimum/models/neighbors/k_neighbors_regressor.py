"""The mean of k nearest neighbours."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._k_neighbors_model import KNeighborsModel
from infimum.models.neighbors._targets import measured
from infimum.models.neighbors._votes import weigh
from infimum.typing import Matrix

__all__ = ["KNeighborsRegressor"]


class KNeighborsRegressor(RegressorMixin, KNeighborsModel):  # type: ignore[misc]
    r"""Regression by the mean of the k nearest targets.

    .. math:: f(x) = \tfrac1k \sum_{i ∈ K(x)} y_i

    Few neighbours follow every wiggle, many smooth; `neighbor_error` computes what is
    gained and lost where the truth is known.

    Parameters
    ----------
    n_neighbors : int, default=5
    weights : {'uniform', 'distance'} or callable, default='uniform'
        Weights of the mean: all 1, 1/distance, or what a function makes of an array
        of distances.
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
    >>> model = KNeighborsRegressor(2).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0])
    >>> model.predict([[1.6]])
    array([2.5])
    """

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
        self._check()
        X, y = admit_samples(self, X, y, numeric=True)
        self._y = measured(self, y)
        self._keep_samples(X)
        return self

    def predict(self, X: Any) -> Matrix:
        """Return the weighted mean of the nearest targets.

        Parameters
        ----------
        X : array-like, sparse matrix or collection, or None
            Queries; None asks for the samples, each without its own target.
        """
        distances, names = self.kneighbors(X)
        weights = weigh(self.weights, distances)
        totals = weights.sum(axis=1)
        if not (totals > 0).all():
            raise DataError(
                "KNeighborsRegressor: all neighbours of a query have weight 0."
            )
        sums = np.einsum("qk,qk...->q...", weights, self._y[names])
        return np.asarray((sums.T / totals).T)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
