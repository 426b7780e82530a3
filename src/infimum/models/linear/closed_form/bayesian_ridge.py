"""Bayesian ridge regression: the strength of the penalty is learnt from the data."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import linalg

from infimum.limits import in_time
from infimum.models.linear.closed_form._evidence import (
    TINY,
    EvidenceRegressor,
    WeightedRows,
)
from infimum.parameters import Domains, nonnegative, or_none
from infimum.penalties import Penalty, Ridge
from infimum.typing import Matrix, Vector

__all__ = ["BayesianRidge"]


class BayesianRidge(EvidenceRegressor):
    r"""Ridge regression that learns its strength and the noise by their likelihood.

    .. math:: y \mid w \sim N(Xw + b,\ \alpha^{-1} I), \qquad
              w \sim N(0,\ \lambda^{-1} I)

    with Gamma priors on α and λ. The coefficients are the ridge solution of strength
    λ/α; predictions come with a standard deviation. One decomposition of X serves all
    iterations.

    Parameters
    ----------
    max_iter : int, default=300
        Most updates of the precisions.
    tol : float, default=1e-3
        Stop when the coefficients change by less, in sum.
    alpha_1, alpha_2 : float, default=1e-6
        Shape and rate of the Gamma prior on α.
    lambda_1, lambda_2 : float, default=1e-6
        Shape and rate of the Gamma prior on λ.
    alpha_init : float or None, default=None
        First α; None means one over the variance of y.
    lambda_init : float or None, default=None
        First λ; None means 1.
    compute_score : bool, default=False
        Whether to record the log marginal likelihood of every iteration.
    fit_intercept : bool, default=True
        Whether to learn b, which has no prior.
    copy_X, verbose
        Accepted for compatibility; X is never changed.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Mean of the coefficients given the data.
    intercept_ : float
    alpha_ : float
        Precision of the noise.
    lambda_ : float
        Precision of the coefficients before any data.
    sigma_ : ndarray of shape (n_features, n_features)
        Covariance of the coefficients given the data.
    scores_ : ndarray
        Log marginal likelihoods, if asked for.
    certificate_ : Certificate
        Proof that `coef_` is the ridge solution of strength λ/α.
    n_iter_ : int
    X_offset_, X_scale_ : ndarray of shape (n_features,)
        Means that were subtracted, and ones.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> model = BayesianRidge().fit(X, [0.0, 1.0, 2.0, 3.0])
    >>> model.predict([[1.0, 1.0]]).round(3)
    array([1.])
    >>> model.predict([[1.0, 1.0], [9.0, 0.0]], return_std=True)[1].round(1)
    array([0. , 4.5])

    References
    ----------
    MacKay (1992), Neural Computation 4. Tipping (2001), Journal of Machine Learning
    Research 1.
    """

    _domains: ClassVar[Domains] = {
        "alpha_init": or_none(nonnegative),
        "lambda_init": or_none(nonnegative),
    }

    def __init__(
        self,
        *,
        max_iter: int = 300,
        tol: float = 1.0e-3,
        alpha_1: float = 1.0e-6,
        alpha_2: float = 1.0e-6,
        lambda_1: float = 1.0e-6,
        lambda_2: float = 1.0e-6,
        alpha_init: float | None = None,
        lambda_init: float | None = None,
        compute_score: bool = False,
        fit_intercept: bool = True,
        copy_X: bool = True,
        verbose: bool = False,
    ) -> None:
        self.max_iter = max_iter
        self.tol = tol
        self.alpha_1 = alpha_1
        self.alpha_2 = alpha_2
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.alpha_init = alpha_init
        self.lambda_init = lambda_init
        self.compute_score = compute_score
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.verbose = verbose

    def _learn(self, table: WeightedRows) -> tuple[Vector, Penalty]:
        axes = _Axes.of(table)
        noise, prior = self._first(table)
        before, scores = None, []
        for iteration in in_time(range(1, int(self.max_iter) + 1)):
            along, left = axes.solved(prior / max(noise, TINY))
            w = along @ axes.directions
            scores.append(self._evidence(table, axes, (noise, prior), along, left))
            determined = float(np.sum(noise * axes.squares / _sum(axes, noise, prior)))
            squares = float(along @ along)
            prior = (determined + 2.0 * self.lambda_1) / max(
                squares + 2.0 * self.lambda_2, TINY
            )
            noise = self._noise(table, determined, left)
            self.n_iter_ = iteration
            if before is not None and np.abs(before - w).sum() < self.tol:
                break
            before = w
        along, left = axes.solved(prior / max(noise, TINY))
        scores.append(self._evidence(table, axes, (noise, prior), along, left))
        self.alpha_, self.lambda_ = np.float64(noise), np.float64(prior)
        self.scores_: Any = np.array(scores) if self.compute_score else []
        self.sigma_ = axes.covariance(noise, prior)
        strength = max(prior / max(noise, TINY) / table.total, TINY)
        return np.asarray(along @ axes.directions), Ridge(strength)

    def _first(self, table: WeightedRows) -> tuple[float, float]:
        noise, prior = self.alpha_init, self.lambda_init
        if noise is None:
            noise = 1.0 / (table.variance + float(np.finfo(np.float64).eps))
        return float(noise), 1.0 if prior is None else float(prior)

    def _evidence(
        self,
        table: WeightedRows,
        axes: _Axes,
        precisions: tuple[float, float],
        along: Vector,
        left: float,
    ) -> float:
        """Return the log marginal likelihood, up to the constants of the priors."""
        noise, prior = (max(each, TINY) for each in precisions)
        d, k = axes.directions.shape[1], len(axes.squares)
        volume = np.log(_sum(axes, noise, prior)).sum() + (d - k) * np.log(prior)
        fit = noise * left + prior * float(along @ along)
        half = d * np.log(prior) + table.total * np.log(noise / (2.0 * np.pi))
        priors = self.lambda_1 * np.log(prior) - self.lambda_2 * prior
        priors += self.alpha_1 * np.log(noise) - self.alpha_2 * noise
        return float(priors + 0.5 * (half - fit - volume))


def _sum(axes: _Axes, noise: float, prior: float) -> Vector:
    return np.asarray(np.maximum(prior + noise * axes.squares, TINY))


class _Axes(NamedTuple):
    """The table in its own axes, in which a ridge solution is a division."""

    #: Squared lengths of the table along its axes.
    squares: Vector
    #: The axes as directions of coefficients, one a row.
    directions: Matrix
    #: The products of table and target along the axes.
    products: Vector
    #: The squared length of the target that no coefficients explain.
    rest: float

    @classmethod
    def of(cls, table: WeightedRows) -> _Axes:
        n, d = table.A.shape
        both, rest = np.column_stack([table.A, table.target]), 0.0
        if n > d:  # a triangle has the same axes, and is smaller
            triangle: Any = np.linalg.qr(both, mode="r")
            both = triangle
            rest = float(both[d:, d] @ both[d:, d])
            both = both[:d]
        U, lengths, directions = linalg.svd(both[:, :d], full_matrices=False)
        share = U.T @ both[:, d]
        outside = both[:, d] - U @ share
        rest += float(outside @ outside)
        return cls(lengths**2, directions, lengths * share, rest)

    def solved(self, strength: float) -> tuple[Vector, float]:
        """Return the coefficients along the axes, and the squares left over."""
        bends = np.maximum(self.squares + strength, TINY)
        along = self.products / bends
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(self.squares > 0, self.products**2 / self.squares, 0.0)
        return along, self.rest + float(shares @ (strength / bends) ** 2)

    def covariance(self, noise: float, prior: float) -> Matrix:
        rows = self.directions / _sum(self, noise, prior)[:, None]
        inside = self.directions.T @ rows
        if len(self.squares) < self.directions.shape[1]:
            shadow = self.directions.T @ self.directions
            inside += (np.eye(len(shadow)) - shadow) / max(prior, TINY)
        return np.asarray(inside)
