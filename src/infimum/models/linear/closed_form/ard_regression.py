"""Automatic relevance determination: every coefficient has a prior of its own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.data.short_products import products_of
from infimum.limits import in_time
from infimum.models.linear.closed_form._evidence import (
    TINY,
    EvidenceRegressor,
    WeightedRows,
)
from infimum.parameters import Domains, nonnegative
from infimum.penalties import Penalty, WeightedRidge
from infimum.typing import Mask, Matrix, Vector

__all__ = ["ARDRegression"]

#: A weight of the penalty that leaves nothing of a coefficient.
HEAVY = 1e30


class ARDRegression(EvidenceRegressor):
    r"""Linear regression that finds out which features matter.

    .. math:: y \mid w \sim N(Xw + b,\ \alpha^{-1} I), \qquad
              w_j \sim N(0,\ \lambda_j^{-1})

    with Gamma priors on α and every λⱼ. Where the data do not ask for a coefficient,
    its precision grows without bound, and it is pruned: the model is sparse without a
    corner in its penalty.

    Parameters
    ----------
    max_iter : int, default=300
        Most updates of the precisions.
    tol : float, default=1e-3
        Stop when the coefficients change by less, in sum.
    alpha_1, alpha_2 : float, default=1e-6
        Shape and rate of the Gamma prior on α.
    lambda_1, lambda_2 : float, default=1e-6
        Shape and rate of the Gamma prior on every λ.
    compute_score : bool, default=False
        Whether to record the log marginal likelihood of every iteration.
    threshold_lambda : float, default=1e4
        Coefficients of a greater precision are pruned; it has the unit of their
        inverse squares.
    fit_intercept : bool, default=True
        Whether to learn b, which has no prior.
    copy_X, verbose
        Accepted for compatibility; X is never changed.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Mean of the coefficients given the data; 0 where pruned.
    intercept_ : float
    alpha_ : float
        Precision of the noise.
    lambda_ : ndarray of shape (n_features,)
        Precisions of the coefficients before any data.
    sigma_ : ndarray of shape (n_kept, n_kept)
        Covariance of the kept coefficients given the data.
    scores_ : ndarray
        Log marginal likelihoods, if asked for.
    certificate_ : Certificate
        Proof that `coef_` is the ridge solution with a strength for each coefficient.
    n_iter_ : int
    X_offset_, X_scale_ : ndarray of shape (n_features,)
        Means that were subtracted, and ones.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 6))
    >>> y = 3.0 * X[:, 1] + 0.1 * rng.standard_normal(80)
    >>> ARDRegression().fit(X, y).coef_.round(1)
    array([0., 3., 0., 0., 0., 0.])

    References
    ----------
    MacKay (1992), Neural Computation 4. Wipf & Nagarajan (2008), Advances in Neural
    Information Processing Systems 20.
    """

    _domains: ClassVar[Domains] = {
        "threshold_lambda": nonnegative,
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
        compute_score: bool = False,
        threshold_lambda: float = 1.0e4,
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
        self.compute_score = compute_score
        self.threshold_lambda = threshold_lambda
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.verbose = verbose

    def _learn(self, table: WeightedRows) -> tuple[Vector, Penalty]:
        table = _shortened(table)
        d = table.A.shape[1]
        noise = 1.0 / (table.variance + float(np.finfo(np.float64).eps))
        prior, kept, w = np.ones(d), np.ones(d, dtype=bool), np.zeros(d)
        before, scores = None, []
        for iteration in in_time(range(1, int(self.max_iter) + 1)):
            w[kept], sigma = _posterior(table, kept, noise, prior)
            left = float(np.sum((table.target - table.A @ w) ** 2))
            determined = 1.0 - prior[kept] * np.diag(sigma)
            prior[kept] = (determined + 2.0 * self.lambda_1) / np.maximum(
                w[kept] ** 2 + 2.0 * self.lambda_2, TINY
            )
            noise = self._noise(table, float(determined.sum()), left)
            kept = prior < self.threshold_lambda
            w[~kept] = 0.0
            scores.append(self._evidence(table, sigma, (noise, prior), w, left))
            self.n_iter_ = iteration
            settled = before is not None and np.abs(before - w).sum() < self.tol
            if settled or not kept.any():
                break
            before = w.copy()
        w[kept], self.sigma_ = _posterior(table, kept, noise, prior)
        self.alpha_, self.lambda_, self._kept = np.float64(noise), prior, kept
        self.scores_: Any = np.array(scores) if self.compute_score else []
        strength = 1.0 / max(noise, TINY) / table.total
        prices = np.where(kept, prior * strength, HEAVY)
        return w, WeightedRidge(1.0, tuple(prices.tolist()))

    def _evidence(
        self,
        table: WeightedRows,
        sigma: Matrix,
        precisions: tuple[float, Vector],
        w: Vector,
        left: float,
    ) -> float:
        """Return the log marginal likelihood, up to constants."""
        noise, prior = precisions
        volume = float(np.linalg.slogdet(sigma)[1])
        logs = np.log(np.maximum(prior, TINY))
        score = float((self.lambda_1 * logs - self.lambda_2 * prior).sum())
        score += self.alpha_1 * np.log(max(noise, TINY)) - self.alpha_2 * noise
        score += 0.5 * (volume + table.total * np.log(max(noise, TINY)) + logs.sum())
        return float(score - 0.5 * (noise * left + prior @ w**2))


def _shortened(table: WeightedRows) -> WeightedRows:
    """Return as many rows as columns and one, at the same distances from any fit."""
    n, d = table.A.shape
    if n <= d + 1:
        return table
    joined = np.column_stack([table.A, table.target])
    with products_of(joined.size * d):
        joint: Any = np.linalg.qr(joined, mode="r")
    return table._replace(A=joint[:, :d], target=joint[:, d])


def _posterior(
    table: WeightedRows, kept: Mask, noise: float, prior: Vector
) -> tuple[Vector, Matrix]:
    """Return the mean of the kept coefficients and their covariance.

    Singular values of the rows in units of noise and prior lose no digits, however
    small the noise, and copies of rows leave them as weights do.
    """
    scale, level = 1.0 / np.sqrt(prior[kept]), float(np.sqrt(noise))
    rows = level * table.A[:, kept] * scale
    left, s, right = np.linalg.svd(rows, full_matrices=False)
    known = s**2 / (1.0 + s**2)
    if len(s) == len(scale):
        sigma = (right.T / (1.0 + s**2)) @ right
    else:  # fewer rows than columns: the prior decides the other directions
        sigma = np.eye(len(scale)) - (right.T * known) @ right
    mean = right.T @ (s / (1.0 + s**2) * (left.T @ (level * table.target)))
    return scale * mean, sigma * np.outer(scale, scale)
