"""The covariance of a table as it is, and how likely a table is under one."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator

from infimum.data.doors import array, check_fitted, rows, samples, weighed
from infimum.data.short_products import products_of
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import check_parameters
from infimum.typing import Matrix, Vector

__all__ = [
    "EmpiricalCovariance",
    "Moments",
    "empirical_covariance",
    "log_likelihood",
    "moments",
]

TWO_PI = float(np.log(2.0 * np.pi))


class Moments:
    """Centred rows, their number, mean and covariance; a weight is so many copies."""

    def __init__(self, X: Matrix, weights: Vector | None, *, centred: bool) -> None:
        self.count = float(len(X) if weights is None else weights.sum())
        self.mean: Vector = np.zeros(X.shape[1])
        if not centred:
            self.mean = np.average(X, axis=0, weights=weights)
        self.rows = X - self.mean
        self.weights = weights
        heavy = self.rows if weights is None else self.rows * weights[:, None]
        with products_of(heavy.size * X.shape[1]):
            self.covariance: Matrix = heavy.T @ self.rows / self.count


def moments(
    model: Any,
    X: Any,
    sample_weight: Any,
    fewest: int = 1,
    *,
    centred: bool | None = None,
) -> Moments:
    """Admit a table and return its moments, as the model asks for."""
    found = rows(
        model, X, sample_weight, weightless="drop", moderate=True, accept_sparse=False,
        ensure_min_samples=fewest,
    )  # fmt: skip
    X = np.asarray(found.X, dtype=np.float64)
    if len(X) == 1:
        warnings.warn(
            f"{type(model).__name__} has one sample only, which has no spread.",
            UserWarning,
            stacklevel=4,
        )
    centred = bool(model.assume_centered) if centred is None else centred
    return Moments(X, found.weights, centred=centred)


def empirical_covariance(
    X: Any, *, assume_centered: bool = False, sample_weight: Any = None
) -> Matrix:
    """Return the maximum likelihood covariance of a table.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    assume_centered : bool, default=False
        Whether the mean is 0.
    sample_weight : array-like of shape (n_samples,), optional
        A weight of k means the same as k copies of the sample.

    Examples
    --------
    >>> empirical_covariance([[1.0, 1.0], [-1.0, 1.0]])
    array([[1., 0.],
           [0., 0.]])
    """
    table = np.asarray(array(X, ensure_2d=False), dtype=np.float64)
    table = table.reshape(1, -1) if table.ndim == 1 else table
    weights = weighed(sample_weight, table)
    return Moments(table, weights, centred=assume_centered).covariance


def log_likelihood(emp_cov: Any, precision: Any) -> float:
    """Return the mean log-likelihood under a normal law, by the samples' covariance.

    Parameters
    ----------
    emp_cov : array-like of shape (n_features, n_features)
        The maximum likelihood covariance of the samples.
    precision : array-like of shape (n_features, n_features)
        The inverse covariance of the law.

    Examples
    --------
    >>> round(log_likelihood([[1.0]], [[1.0]]), 6)
    -1.418939
    """
    precision = np.asarray(precision, dtype=np.float64)
    sign, logarithm = np.linalg.slogdet(precision)
    told = -float(np.sum(np.asarray(emp_cov) * precision))
    told += float(logarithm) if sign > 0 else -np.inf
    return float((told - len(precision) * TWO_PI) / 2.0)


class EmpiricalCovariance(BaseEstimator):  # type: ignore[misc]
    """Maximum likelihood covariance of normal samples.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the mean is 0.

    Attributes
    ----------
    location_ : ndarray of shape (n_features,)
    covariance_ : ndarray of shape (n_features, n_features)
    precision_ : ndarray of shape (n_features, n_features)
        The (pseudo-)inverse, if it is stored.

    Examples
    --------
    >>> model = EmpiricalCovariance().fit([[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]])
    >>> model.covariance_.round(3)
    array([[0.667, 0.   ],
           [0.   , 2.   ]])
    """

    def __init__(
        self, *, store_precision: bool = True, assume_centered: bool = False
    ) -> None:
        self.store_precision = store_precision
        self.assume_centered = assume_centered

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Estimate the covariance; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        found = moments(self, X, sample_weight)
        self._keep(found, self._estimate(found))
        return self

    def _estimate(self, found: Moments) -> Matrix:
        """Return the covariance that this class makes of the moments."""
        return found.covariance

    def _keep(
        self, found: Moments, covariance: Matrix, precision: Matrix | None = None
    ) -> None:
        self.location_, self.covariance_ = found.mean, covariance
        self.precision_ = None
        if self.store_precision:
            self.precision_ = (
                linalg.pinvh(covariance) if precision is None else precision
            )

    def get_precision(self) -> Matrix:
        """Return the (pseudo-)inverse of the covariance."""
        check_fitted(self)
        if self.precision_ is not None:
            return self.precision_
        return np.asarray(linalg.pinvh(self.covariance_))

    def score(self, X_test: Any, y: Any = None) -> float:
        """Return the mean log-likelihood of new samples."""
        X = np.asarray(samples(self, X_test, accept_sparse=False), dtype=np.float64)
        spread = Moments(X - self.location_, None, centred=True).covariance
        return log_likelihood(spread, self.get_precision())

    def error_norm(
        self,
        comp_cov: Any,
        norm: str = "frobenius",
        scaling: bool = True,  # noqa: FBT001, FBT002
        squared: bool = True,  # noqa: FBT001, FBT002
    ) -> float:
        """Return how far another covariance is from this one.

        Parameters
        ----------
        comp_cov : array-like of shape (n_features, n_features)
        norm : {'frobenius', 'spectral'}, default='frobenius'
        scaling : bool, default=True
            Whether to divide the squared norm by the number of features.
        squared : bool, default=True
            Whether to return the square.
        """
        check_fitted(self)
        apart = np.asarray(comp_cov, dtype=np.float64) - self.covariance_
        if norm == "frobenius":
            found = float(np.sum(apart**2))
        elif norm == "spectral":
            found = float(np.abs(linalg.eigvalsh(apart)).max() ** 2)
        else:
            raise NotImplementedError(
                "error_norm: norm must be one of 'frobenius', 'spectral', got "
                f"{norm!r}."
            )
        found = found / len(apart) if scaling else found
        return found if squared else float(np.sqrt(found))

    def mahalanobis(self, X: Any) -> Vector:
        """Return the squared Mahalanobis distance of samples to the mean."""
        X = (
            np.asarray(samples(self, X, accept_sparse=False), dtype=np.float64)
            - self.location_
        )
        return np.asarray(np.einsum("ij,ij->i", X @ self.get_precision(), X))


def as_covariance(given: Any) -> Matrix:
    """Admit a covariance matrix."""
    found = np.asarray(array(given), dtype=np.float64)
    if found.shape[0] != found.shape[1]:
        raise DataError(f"A covariance must be square, got shape {found.shape}.")
    return found
