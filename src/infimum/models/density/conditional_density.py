"""Conditional density: the law of a target, given what is near."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.data.doors import measured, samples
from infimum.data.doors.tables import moderate_targets
from infimum.errors import DataError
from infimum.kernels import windows
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import Domains, check_parameters, positive
from infimum.typing import Matrix, Vector

__all__ = ["ConditionalDensity"]

#: Window values held at a time: 32 MiB.
BLOCK = 2**22


class ConditionalDensity(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""The density of a target, given the features, by Gaussian windows in both.

    .. math:: \hat p(y \mid x) = \frac{\sum_i K_h(x - x_i)\, K_b(y - y_i)}
                                      {\sum_i K_h(x - x_i)}

    A ratio of two kernel densities. Its mean is the Nadaraya–Watson estimate, which
    `predict` returns (and `ParzenWindowRegressor`, with any window).

    Parameters
    ----------
    bandwidth : float, default=1.0
        Width h of the windows around the features.
    target_bandwidth : float, default=1.0
        Width b of the windows around the target.

    Attributes
    ----------
    X_fit_, y_fit_ : ndarray
    n_features_in_ : int

    Examples
    --------
    >>> model = ConditionalDensity(0.5, 0.2).fit([[0.0], [0.1], [3.0]], [1, 1, 7])
    >>> model.density([[0.0], [0.0]], [1.0, 7.0]).round(3)
    array([1.995, 0.   ])
    """

    _domains: ClassVar[Domains] = {
        "bandwidth": positive,
        "target_bandwidth": positive,
    }

    def __init__(self, bandwidth: float = 1.0, target_bandwidth: float = 1.0) -> None:
        self.bandwidth = bandwidth
        self.target_bandwidth = target_bandwidth

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the samples; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        found = measured(self, X, y, sample_weight, moderate=True, weightless="drop")
        X = found.X.toarray() if hasattr(found.X, "toarray") else found.X
        self.X_fit_ = np.asarray(X, dtype=np.float64)
        self.y_fit_, self._weights = found.y, found.shares()
        return self

    def density(self, X: Any, y: Any) -> Vector:
        """Return p̂(y | x) of each pair of a row of X and an entry of y."""
        targets = moderate_targets(self, y)
        rows_of_X = X.shape[0] if hasattr(X, "shape") else len(X)
        if targets.shape != (rows_of_X,):
            raise DataError(
                f"ConditionalDensity.density needs a target for each of {rows_of_X} "
                f"samples, got y of shape {targets.shape}."
            )
        window = windows.Gaussian()
        width = float(self.target_bandwidth)
        return self._mean(
            X, lambda rows: window((targets[rows, None] - self.y_fit_) / width) / width
        )

    def predict(self, X: Any) -> Vector:
        """Return the mean of the conditional density."""
        return self._mean(X, lambda _: self.y_fit_)

    def _mean(self, X: Any, values: Any) -> Vector:
        queries = samples(self, X, moderate=True)
        queries = queries.toarray() if hasattr(queries, "toarray") else queries
        out = np.empty(len(queries))
        step = max(1, BLOCK // len(self.X_fit_))
        for start in range(0, len(queries), step):
            rows = slice(start, start + step)
            weights = self._near(np.asarray(queries[rows], dtype=np.float64))
            out[rows] = (weights * values(rows)).sum(axis=1)
        return out

    def _near(self, queries: Matrix) -> Matrix:
        """Return the share of each sample, however far away all of them are."""
        squares = cdist(queries, self.X_fit_, "sqeuclidean") / self.bandwidth**2
        squares -= squares.min(axis=1, keepdims=True)
        weights = np.exp(-0.5 * squares) * self._weights
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
