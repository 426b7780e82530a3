"""The lasso at the strength that an information criterion prefers."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from infimum.data.doors import measured
from infimum.errors import DataError
from infimum.models._guarded_fit import (
    FEW_ENTRIES,
    one_thread_if_quick,
    whole_or_not_at_all,
)
from infimum.models.linear._overflow import blames_numbers
from infimum.models.linear.closed_form.least_squares import LinearRegression
from infimum.models.linear.greedy._centred_table import Centred
from infimum.models.linear.greedy._least_angle import LeastAngle, Route, Trail, proved
from infimum.parameters import Choice, Domains, check_parameters, or_none, positive
from infimum.typing import Vector

__all__ = ["LassoLarsIC"]

_CRITERIA = Choice(("aic", "bic"))


class LassoLarsIC(LeastAngle):
    r"""The lasso, with a strength chosen by what each coefficient must be worth.

    .. math:: n \log(2\pi\sigma^2) + \frac{\|y - Xw - b\|^2}{\sigma^2} + c\, \|w\|_0

    is least, with c = 2 (Akaike) or log n (Bayes), among the corners of the exact
    path. No fold is held back; the noise σ² must be known or estimated by least
    squares, which takes more samples than features.

    Parameters
    ----------
    criterion : {'aic', 'bic'}, default='aic'
        The price of a coefficient.
    fit_intercept : bool, default=True
        Whether to learn b; it is never penalised.
    verbose, precompute, eps, copy_X
        Accepted for compatibility; X is never changed.
    max_iter : int, default=500
        Most corners of the path.
    positive : bool, default=False
        Forbid negative coefficients.
    noise_variance : float or None, default=None
        σ²; None estimates it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    alpha_ : float
        The strength chosen.
    alphas_ : ndarray of shape (n_corners,)
    criterion_ : ndarray of shape (n_corners,)
        The criterion at every corner.
    noise_variance_ : float
    certificate_ : Certificate
        How far `coef_` can be from optimal under `alpha_`.
    n_iter_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 8))
    >>> y = 2 * X[:, 0] - X[:, 3] + 0.3 * rng.standard_normal(60)
    >>> LassoLarsIC("bic").fit(X, y).coef_[[0, 3]].round(1)
    array([ 2. , -0.9])

    References
    ----------
    Zou, Hastie & Tibshirani (2007), Annals of Statistics 35.
    """

    _domains: ClassVar[Domains] = {
        "criterion": _CRITERIA,
        "noise_variance": or_none(positive),
    }

    def __init__(
        self,
        criterion: str = "aic",
        *,
        fit_intercept: bool = True,
        verbose: Any = False,
        precompute: Any = "auto",
        max_iter: int = 500,
        eps: float = np.finfo(float).eps,
        copy_X: bool = True,
        positive: bool = False,
        noise_variance: float | None = None,
    ) -> None:
        self.criterion = criterion
        self.fit_intercept = fit_intercept
        self.verbose = verbose
        self.precompute = precompute
        self.max_iter = max_iter
        self.eps = eps
        self.copy_X = copy_X
        self.positive = positive
        self.noise_variance = noise_variance

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, copy_X: Any = None) -> Self:
        """Walk the whole path and keep its best corner; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        copy_X : ignored
            Accepted for compatibility with scikit-learn.
        """
        check_parameters(self)
        rows = measured(self, X, y, moderate=True, accept_sparse=False)
        X, y = rows.X, rows.y
        table = Centred.of(X, y, intercept=bool(self.fit_intercept))
        with one_thread_if_quick(X, FEW_ENTRIES):
            variance = self._variance(table)
            trail = self._recipe().walk(table)
        self.noise_variance_ = np.float64(variance)
        self.alphas_, self.n_iter_ = trail.alphas, len(trail.alphas) - 1
        self.criterion_ = self._criteria(table, trail, variance)
        best = int(np.argmin(self.criterion_))
        self.alpha_ = np.float64(trail.alphas[best])
        point = np.append(trail.coefs[:, best], table.means[0])
        [point] = proved(self, table.problem, [point], [self.alpha_])
        coef, intercept = table.problem.unpack(point)
        self.coef_, self.intercept_ = coef.astype(X.dtype), np.float64(intercept)
        return self

    def _recipe(self) -> Route:
        return Route(int(self.max_iter), lasso=True, positive=bool(self.positive))

    def _criteria(self, table: Centred, trail: Trail, variance: float) -> Vector:
        n = table.shape[0]
        squares = n * table.squares_left(trail.coefs)
        counts = (np.abs(trail.coefs) > np.finfo(np.float64).eps).sum(axis=0)
        price = 2.0 if self.criterion == "aic" else np.log(n)
        constant = n * np.log(2.0 * np.pi * variance)
        return np.asarray(constant + squares / variance + price * counts)

    def _variance(self, table: Centred) -> float:
        """Return the variance of the noise: given, or what least squares leaves."""
        if self.noise_variance is not None:
            return float(self.noise_variance)
        n, d = table.shape
        free = n - d - int(bool(self.fit_intercept))
        if free <= 0:
            raise DataError(
                "LassoLarsIC estimates the noise by least squares, which needs more "
                f"samples than coefficients, got n_samples={n} and {d} features: set "
                "noise_variance."
            )
        nearest = _nonnegative(table) if self.positive else table.nearest()
        [left] = table.squares_left(nearest[:, None])
        smallest = float(np.finfo(np.float64).tiny)
        return float(max(n * float(left) / free, smallest))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _nonnegative(table: Centred) -> Vector:
    """Return the coefficients of least squares, none of them negative."""
    lines = LinearRegression(fit_intercept=False, positive=True)
    return np.asarray(lines.fit(table.A, table.targets[0]).coef_)
