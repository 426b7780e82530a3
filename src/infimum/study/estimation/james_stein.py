"""Stein's paradox: three means or more are better estimated by shrinking them."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.data.doors import measured, samples
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import blames_numbers
from infimum.models.linear.closed_form.least_squares import LinearRegression
from infimum.parameters import check_domain, positive
from infimum.typing import Vector

__all__ = ["JamesSteinRegressor", "james_stein"]

#: In one or two dimensions the plain estimate cannot be beaten everywhere.
_FREE = 2


def james_stein(
    x: ArrayLike,
    *,
    variance: float = 1.0,
    positive_part: bool = False,
) -> Vector:
    r"""Shrink one observation of a Gaussian vector towards the origin.

    .. math:: \hat θ = \Big(1 - \frac{(d - 2)\, σ^2}{\|x\|^2}\Big)\, x,
       \quad x ∼ N(θ, σ^2 I_d)

    For d ≥ 3 its expected squared error is below that of x itself, whatever θ is:
    dσ² for x, and 2σ² for the shrunken estimate at θ = 0. For d ≤ 2 nothing changes.

    Parameters
    ----------
    x : array of shape (d,) or (n_observations, d)
        Observations in rows, each shrunken on its own.
    variance : float, default=1.0
        σ², the known variance of every coordinate.
    positive_part : bool, default=False
        Whether to stop at the origin instead of overshooting it, which is better
        still.

    Examples
    --------
    >>> james_stein([1.0, 2.0, 2.0]).round(4)
    array([0.8889, 1.7778, 1.7778])

    References
    ----------
    W. James and C. Stein, Estimation with quadratic loss, 4th Berkeley Symposium, 1961.
    """
    check_domain("james_stein: variance", variance, positive)
    x = np.asarray(x, dtype=np.float64)
    squares = np.square(x).sum(axis=-1, keepdims=True)
    shrinkage = max(x.shape[-1] - _FREE, 0) * variance
    factor = 1 - shrinkage / np.where(squares > 0, squares, np.inf)
    return np.asarray((np.maximum(factor, 0.0) if positive_part else factor) * x)


class JamesSteinRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Least squares whose whole weight vector is shrunken by one factor.

    .. math:: w = \Big(1 - \frac{p - 2}{m + 2}\,
       \frac{\|y - Xw_{LS}\|^2}{\|Xw_{LS}\|^2}\Big) w_{LS}

    with p the rank of X and m the residual degrees of freedom: the James–Stein
    estimate in the coordinates in which the least-squares weights are independent,
    with the noise estimated from the residuals. For p ≥ 3 its predictions at the
    training points are better in expectation than those of least squares.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an intercept, which is not shrunken.
    positive_part : bool, default=True
        Whether the factor stops at 0.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    shrinkage_ : float
        The factor.
    n_features_in_ : int
    """

    def __init__(
        self, *, fit_intercept: bool = True, positive_part: bool = True
    ) -> None:
        self.fit_intercept = fit_intercept
        self.positive_part = positive_part

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the weights by least squares, then shrink them; return self."""
        rule: Any = {"moderate": True, "accept_sparse": False}
        found = measured(self, X, y, sample_weight, **rule)
        X, y, counts = found.X, found.y, found.shares()
        plain = LinearRegression(fit_intercept=self.fit_intercept).fit(X, y, counts)
        centred = bool(self.fit_intercept)
        mean = np.average(X, axis=0, weights=counts) if centred else np.zeros_like(X[0])
        explained = counts @ np.square((X - mean) @ plain.coef_)
        unexplained = counts @ np.square(y - plain.predict(X))
        freedom = counts.sum() - plain.rank_ - centred
        removed = max(plain.rank_ - _FREE, 0) / (freedom + _FREE) * unexplained
        factor = float(1 - removed / explained) if explained > 0 else 1.0
        self.shrinkage_ = max(factor, 0.0) if self.positive_part else factor
        self.coef_ = plain.coef_ * X.dtype.type(self.shrinkage_)
        height = np.average(y, weights=counts) - mean @ self.coef_
        self.intercept_ = float(height) if centred else 0.0
        return self

    def predict(self, X: Any) -> Vector:
        """Return ⟨w, x⟩ + b for each sample."""
        X = samples(self, X, moderate=True, accept_sparse=False)
        return np.asarray(X @ self.coef_ + self.intercept_)
