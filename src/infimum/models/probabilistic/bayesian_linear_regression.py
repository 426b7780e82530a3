"""Bayesian linear regression: the exact posterior, its evidence and its predictions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve, solve_triangular
from scipy.special import gammaln
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import check_fitted, measured, samples
from infimum.distributions import Normal, StudentT
from infimum.distributions._given import generator
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.probabilistic._fixed_parts import in_fixed_parts
from infimum.parameters import check_domain, opened, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["BayesianLinearRegression"]

LOG_TWO_PI = 1.8378770664093453


class BayesianLinearRegression(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Linear regression with a normal prior: posterior, evidence, predictive law.

    .. math:: y \mid w, b, \sigma^2 \sim N(Xw + b,\ \sigma^2 I)

    With a known `noise` σ² the prior is w ~ N(0, I/λ) and everything is normal. With
    ``noise=None`` the prior is w | σ² ~ N(0, σ²I/λ), σ² ~ inverse-gamma, and
    predictions follow Student's law. Both posteriors are exact. The intercept has a
    flat prior. The mean of w solves ridge regression: of mean loss plus strength
    σ²λ/n for known noise, λ/n otherwise.

    Parameters
    ----------
    noise : float or None, default=None
        The variance σ² of the noise; None means that it is learnt.
    prior_precision : float, default=1.0
        λ.
    noise_shape, noise_rate : float, default=1e-6
        The inverse-gamma prior of the noise; only for ``noise=None``.
    fit_intercept : bool, default=True

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Mean, and mode, of the coefficients given the data.
    intercept_ : float
    covariance_ : ndarray of shape (n_features, n_features)
        Covariance of the coefficients given the data, for unknown noise times its
        expected value.
    noise_ : float
        The variance of the noise: as given, or its expected value.
    log_evidence_ : float
        The logarithm of the probability of all targets under the prior. With an
        intercept its flat prior has density 1.
    n_seen_ : float
        The total weight of the samples so far.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = BayesianLinearRegression(noise=0.01).fit(X, [0.1, 0.9, 2.1, 2.9])
    >>> model.predict([[1.5]]).round(3), model.predict_interval([[1.5]]).round(2)
    (array([1.5]), array([[1.28, 1.72]]))
    """

    def __init__(
        self,
        *,
        noise: float | None = None,
        prior_precision: float = 1.0,
        noise_shape: float = 1e-6,
        noise_rate: float = 1e-6,
        fit_intercept: bool = True,
    ) -> None:
        self.noise = noise
        self.prior_precision = prior_precision
        self.noise_shape = noise_shape
        self.noise_rate = noise_rate
        self.fit_intercept = fit_intercept

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Compute the posterior; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        with one_blas_thread():
            return self._learn(X, y, sample_weight, restart=True)

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Update the posterior by one more batch; the result is that of all at once."""
        with one_blas_thread():
            first = not hasattr(self, "n_seen_")
            return self._learn(X, y, sample_weight, restart=first)

    def _learn(self, X: Any, y: Any, sample_weight: Any, *, restart: bool) -> Self:
        self._check()
        how = {"accept_sparse": False, "moderate": True, "reset": restart}
        found = measured(self, X, y, sample_weight, weightless="drop", **how)
        rows = np.asarray(found.X, dtype=np.float64)
        batch = _Sums.of(rows, found.y, found.weights, centred=bool(self.fit_intercept))
        if not restart:
            batch = _Sums.of_model(self).with_more(batch)
        self.n_seen_, self._x_mean, self._y_mean = batch.n, batch.x, batch.y
        self._gram, self._pull, self._squares = batch.gram, batch.pull, batch.squares
        self._settle()
        return self

    def _settle(self) -> None:
        known = self.noise is not None
        scale = float(self.noise) if self.noise is not None else 1.0
        d = len(self._pull)
        self._precision = self._gram / scale + float(self.prior_precision) * np.eye(d)
        pull = self._pull / scale
        lower = self._root(pull)
        coef = cho_solve((lower, True), pull)
        self.coef_ = coef
        self.intercept_ = float(self._y_mean - self._x_mean @ coef)
        free = self.n_seen_ - (1.0 if self.fit_intercept else 0.0)
        # Both squares are needed: their difference would cancel.
        apart = self._squares - 2.0 * coef @ self._pull + coef @ self._gram @ coef
        left = max(float(apart), 0.0) / scale
        left += float(self.prior_precision) * float(coef @ coef)
        logs = d * np.log(self.prior_precision) - 2.0 * np.log(np.diag(lower)).sum()
        logs -= free * LOG_TWO_PI
        logs -= np.log(self.n_seen_) if self.fit_intercept else 0.0
        if known:
            self.noise_ = scale
            self._shape = np.inf
            evidence = 0.5 * (logs - free * np.log(scale) - left)
        else:
            a, b = float(self.noise_shape), float(self.noise_rate)
            self._shape, rate = a + 0.5 * free, b + 0.5 * left
            evidence = 0.5 * logs + a * np.log(b) - self._shape * np.log(rate)
            evidence += gammaln(self._shape) - gammaln(a)
            self.noise_ = rate / (self._shape - 1.0 if self._shape > 1 else self._shape)
            self._rate = rate
        self.log_evidence_ = float(evidence)
        whole_ = 1.0 if known else self.noise_
        self.covariance_ = whole_ * cho_solve((lower, True), np.eye(d))

    def _root(self, pull: Vector) -> Matrix:
        """Return the lower factor of the precision, if it has one."""
        if np.isfinite(self._precision).all() and np.isfinite(pull).all():
            try:
                return np.linalg.cholesky(self._precision)
            except np.linalg.LinAlgError:
                pass
        raise DataError(
            f"{type(self).__name__}: the squares of these samples cannot be added up "
            "exactly enough; scale the columns, or take a larger prior_precision."
        )

    def predict(self, X: Any, return_std: Any = False) -> Any:  # noqa: FBT002
        """Return the expected target of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to return the standard deviation of a new target, too; it is
            infinite where Student's law has no variance.
        """
        rows = self._rows(X)
        means = self._means(rows)
        if not return_std:
            return means
        spread = self._spread(rows)
        if np.isinf(self._shape):
            return means, np.sqrt(spread)
        degrees = 2.0 * self._shape
        factor = degrees / (degrees - 2.0) if degrees > 2.0 else np.inf
        return means, np.sqrt(spread * factor)

    def predict_law(self, x: Any) -> Normal | StudentT:
        """Return the posterior predictive law of a new target at one sample."""
        rows = self._rows(np.reshape(np.asarray(x, dtype=np.float64), (1, -1)))
        mean = float(self._means(rows)[0])
        spread = float(self._spread(rows)[0])
        if np.isinf(self._shape):
            return Normal(mean, spread)
        return StudentT(2.0 * self._shape, mean, float(np.sqrt(spread)))

    def predict_interval(self, X: Any, level: float = 0.95) -> Matrix:
        """Return intervals that hold a new target with probability `level`."""
        check_domain(f"{type(self).__name__}.level", level, opened(0, 1))
        rows = self._rows(X)
        means = self._means(rows)
        law: Any = Normal() if np.isinf(self._shape) else StudentT(2.0 * self._shape)
        half = float(law.quantile(0.5 + 0.5 * level)) * np.sqrt(self._spread(rows))
        return np.column_stack([means - half, means + half])

    def credible_intervals(self, level: float = 0.95) -> Matrix:
        """Return an interval for each coefficient, of posterior probability `level`."""
        check_domain(f"{type(self).__name__}.level", level, opened(0, 1))
        check_fitted(self)
        law: Any = Normal() if np.isinf(self._shape) else StudentT(2.0 * self._shape)
        spread = np.diag(self.covariance_)
        if not np.isinf(self._shape):
            spread = spread * self._rate / self._shape / self.noise_
        half = float(law.quantile(0.5 + 0.5 * level)) * np.sqrt(spread)
        return np.column_stack([self.coef_ - half, self.coef_ + half])

    def sample_posterior(self, n: int = 1000, random_state: Any = None) -> Matrix:
        """Draw coefficients, intercept and noise variance, one row for each draw."""
        check_domain(f"{type(self).__name__}.n", n, whole(1))
        check_fitted(self)
        with one_blas_thread():
            return self._drawn(n, generator(type(self).__name__, random_state))

    def _drawn(self, n: int, rng: Any) -> Matrix:
        d = len(self.coef_)
        noise = np.full(n, self.noise_)
        if not np.isinf(self._shape):
            noise = self._rate / rng.gamma(self._shape, size=n)
        lower = np.linalg.cholesky(self._precision)
        moves = solve_triangular(lower.T, rng.standard_normal((d, n))).T
        root = np.sqrt(noise)[:, None] if not np.isinf(self._shape) else 1.0
        coefs = self.coef_ + moves * root
        free: Vector = np.zeros(n)
        if self.fit_intercept:
            shift = np.sqrt(noise / self.n_seen_) * rng.standard_normal(n)
            free = self._y_mean - coefs @ self._x_mean + shift
        return np.column_stack([coefs, free, noise])

    def sample_predictive(
        self, X: Any, n: int = 1000, random_state: Any = None
    ) -> Matrix:
        """Draw n new targets for each sample: posterior draws with their noise."""
        rng = generator(type(self).__name__, random_state)
        rows, drawn = self._rows(X), self.sample_posterior(n, rng)
        with one_blas_thread():
            means = drawn[:, :-2] @ rows.T + drawn[:, -2:-1]
        return means + np.sqrt(drawn[:, -1:]) * rng.standard_normal(means.shape)

    def prior_predictive(self, x: ArrayLike) -> Normal | StudentT:
        """Return the law of a target at one sample before any data.

        A flat prior of the intercept has none: it asks for ``fit_intercept=False``.
        """
        self._check()
        if self.fit_intercept:
            raise DataError(
                f"{type(self).__name__}.prior_predictive needs fit_intercept=False: a "
                "flat intercept predicts nothing."
            )
        point = np.ravel(np.asarray(x, dtype=np.float64))
        spread = float(point @ point) / float(self.prior_precision)
        if self.noise is not None:
            return Normal(0.0, spread + float(self.noise))
        ratio = float(self.noise_rate) / float(self.noise_shape)
        root = float(np.sqrt(ratio * (1.0 + spread)))
        return StudentT(2.0 * float(self.noise_shape), 0.0, root)

    def _rows(self, X: Any) -> Matrix:
        found = samples(self, X, accept_sparse=False)
        return np.asarray(found, dtype=np.float64)

    def _means(self, rows: Matrix) -> Vector:
        with one_blas_thread():
            return np.asarray(rows @ self.coef_ + self.intercept_)

    def _spread(self, rows: Matrix) -> Vector:
        """Return the squared scale of the predictive law at each row."""
        apart = rows - self._x_mean
        with one_blas_thread():
            lower = np.linalg.cholesky(self._precision)
            white = solve_triangular(lower, apart.T, lower=True)
        far = np.einsum("ij,ij->j", white, white)
        own = 1.0 + (1.0 / self.n_seen_ if self.fit_intercept else 0.0)
        if np.isinf(self._shape):
            return np.asarray(self.noise_ * own + far)
        return np.asarray(self._rate / self._shape * (own + far))

    def _check(self) -> None:
        name = type(self).__name__
        for each in ("prior_precision", "noise_shape", "noise_rate"):
            check_domain(f"{name}.{each}", getattr(self, each), positive)
        if self.noise is not None:
            check_domain(f"{name}.noise", self.noise, positive)


class _Sums:
    """What a posterior needs of samples: their number, means, squares and products."""

    def __init__(self, n: float, x: Vector, y: float, products: Any) -> None:
        self.n, self.x, self.y = n, x, y
        self.gram, self.pull, self.squares = products

    @classmethod
    def of(
        cls, X: Matrix, y: Vector, weights: Vector | None, *, centred: bool
    ) -> _Sums:
        n = float(len(X)) if weights is None else float(weights.sum())
        x_mean, y_mean = np.zeros(X.shape[1]), 0.0
        if centred:
            x_mean = X.mean(axis=0) if weights is None else weights @ X / n
            y_mean = float(y.mean() if weights is None else weights @ y / n)

        def part(rows: slice) -> tuple[Matrix, Vector, float]:
            table, targets = X[rows], y[rows]
            if centred:
                table, targets = table - x_mean, targets - y_mean
            if weights is not None:
                root = np.sqrt(weights[rows])
                table, targets = table * root[:, None], targets * root
            return table.T @ table, table.T @ targets, float(targets @ targets)

        found = in_fixed_parts(X, part)
        products = tuple(np.sum(each, axis=0) for each in zip(*found, strict=True))
        return cls(n, x_mean, y_mean, products)

    @classmethod
    def of_model(cls, model: Any) -> _Sums:
        products = model._gram, model._pull, model._squares
        return cls(model.n_seen_, model._x_mean, model._y_mean, products)

    def with_more(self, other: _Sums) -> _Sums:
        """Return the sums of both, with the products around the common means."""
        total = self.n + other.n
        share = self.n * other.n / total
        x, y = other.x - self.x, other.y - self.y
        products = (
            self.gram + other.gram + share * np.outer(x, x),
            self.pull + other.pull + share * y * x,
            self.squares + other.squares + share * y * y,
        )
        means = self.x + other.n / total * x, self.y + other.n / total * y
        return _Sums(total, *means, products)
