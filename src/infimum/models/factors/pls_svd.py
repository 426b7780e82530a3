"""Singular vectors of the covariance of two tables."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.extmath import svd_flip

from infimum.data.doors import array, samples
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.factors._two_tables import centred_pair
from infimum.parameters import Domains, flag, whole

__all__ = ["PLSSVD"]


class PLSSVD(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Directions of two tables: the singular vectors of their covariance.

    Parameters
    ----------
    n_components : int, default=2
    scale : bool, default=True
        Whether columns are divided by their standard deviation.
    copy : bool, default=True
        Accepted for compatibility: nothing is overwritten.

    Attributes
    ----------
    x_weights_, y_weights_ : ndarray
        Columns are components.

    Examples
    --------
    >>> X = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [2.0, 5.0, 4.0]]
    >>> y = [[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3]]
    >>> PLSSVD(n_components=2).fit_transform(X, y)[0].shape
    (4, 2)
    """

    _domains: ClassVar[Domains] = {"n_components": whole(1), "scale": flag}

    def __init__(
        self, n_components: int = 2, *, scale: bool = True, copy: bool = True
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.copy = copy

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Decompose the covariance of both tables; return self."""
        X, Y, scales = centred_pair(self, X, y)
        del self._flat
        self._x_mean, self._y_mean, self._x_std, self._y_std = scales
        most = min(*X.shape, Y.shape[1])
        if self.n_components > most:
            raise InvalidParameterError(
                f"PLSSVD.n_components must be at most {most}, got {self.n_components}."
            )
        U, _, Vt = linalg.svd(X.T @ Y, full_matrices=False)
        U, Vt = svd_flip(U[:, : self.n_components], Vt[: self.n_components])
        self.x_weights_, self.y_weights_ = U, np.ascontiguousarray(Vt.T)
        self._n_features_out = U.shape[1]
        return self

    def transform(self, X: Any, y: Any = None) -> Any:
        """Return the scores of samples; and of their targets, if given."""
        X = np.asarray(samples(self, X, accept_sparse=False), dtype=np.float64)
        told = (X - self._x_mean) / self._x_std @ self.x_weights_
        if y is None:
            return told
        Y = np.asarray(array(y, ensure_2d=False), dtype=np.float64)
        Y = Y.reshape(len(X), -1)
        return told, (Y - self._y_mean) / self._y_std @ self.y_weights_

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return the scores of both tables."""
        return self.fit(X, y).transform(X, y)
