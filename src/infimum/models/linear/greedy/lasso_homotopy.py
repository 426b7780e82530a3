"""The exact lasso path: piecewise linear, found corner by corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from infimum.data.doors import weighed
from infimum.errors import DataError
from infimum.models.linear.greedy._lasso_walk import Walk
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["LassoPath", "lasso_homotopy"]


@dataclass(frozen=True, eq=False)
class LassoPath:
    """All solutions of a lasso at once: linear in the strength between its corners.

    Attributes
    ----------
    alphas : ndarray of shape (n_corners,)
        Strengths at which the set of active features changes, decreasing; above the
        first all coefficients are 0.
    coefs : ndarray of shape (n_corners, n_features)
        The solution at each corner.
    intercepts : ndarray of shape (n_corners,)
        Its intercepts.
    violations : ndarray of shape (n_corners,)
        The largest violation of the optimality conditions at each corner, as a share
        of the first strength: 0 up to rounding.
    """

    alphas: Vector
    coefs: Matrix
    intercepts: Vector
    violations: Vector

    def at(self, alpha: float) -> tuple[Vector, float]:
        """Return coefficients and intercept at any strength from the last corner up."""
        check_domain("LassoPath.at.alpha", alpha, nonnegative)
        if alpha < self.alphas[-1]:
            raise DataError(
                f"The path ends at {self.alphas[-1]:g}, before the strength {alpha:g}."
            )
        if alpha >= self.alphas[0]:
            return self.coefs[0].copy(), float(self.intercepts[0])
        k = int(np.searchsorted(-self.alphas, -alpha))
        high, low = self.alphas[k - 1], self.alphas[k]
        share = (high - alpha) / (high - low)
        coef = (1.0 - share) * self.coefs[k - 1] + share * self.coefs[k]
        both = self.intercepts[k - 1 : k + 1]
        return coef, float((1.0 - share) * both[0] + share * both[1])


def lasso_homotopy(
    X: Any,
    y: Any,
    *,
    l2: float = 0.0,
    fit_intercept: bool = True,
    sample_weight: Any = None,
    min_alpha: float = 0.0,
    max_corners: int = 10_000,
) -> LassoPath:
    r"""Follow the solution of the lasso from the strongest penalty to the weakest.

    .. math:: \min_w \tfrac{1}{2n} \|y - Xw - b\|_2^2 + \alpha \|w\|_1
              + \tfrac{\text{l2}}{2} \|w\|_2^2

    The solution is a piecewise linear function of α: between corners the active
    coefficients move along a straight line, at a corner one enters or leaves. Every
    corner is checked against the optimality conditions. The work is that of one least
    squares fit per corner; for many features and few strengths `Lasso` is faster.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Targets.
    l2 : float, default=0.0
        Weight of a squared penalty that stays the same along the path: the elastic
        net, whose solution is unique even where columns are tied.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    sample_weight : array-like of shape (n_samples,), optional
        A weight of k means the same as k copies of the sample.
    min_alpha : float, default=0.0
        Where to end.
    max_corners : int, default=10_000
        End after so many corners at the latest.

    Returns
    -------
    LassoPath

    Notes
    -----
    A column that is a combination of the active ones (a copy, for instance) is left
    out while they are active: the lasso then has many solutions, and this is one. Of
    columns that tie exactly, those enter that move as their pull says; ties that this
    does not resolve are refused in one sentence. A small `l2` makes every solution
    unique.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> path = lasso_homotopy(X, [2.0, 1.0, -2.0, -1.0])
    >>> path.alphas
    array([1. , 0.5, 0. ])
    >>> path.at(0.25)[0]
    array([1.5, 0.5])

    References
    ----------
    Osborne, Presnell & Turlach (2000), IMA J. Numerical Analysis 20. Efron, Hastie,
    Johnstone & Tibshirani (2004), Annals of Statistics 32.
    """
    check_domain("lasso_homotopy.l2", l2, nonnegative)
    check_domain("lasso_homotopy.min_alpha", min_alpha, nonnegative)
    A, target, means = _centred(X, y, sample_weight, intercept=fit_intercept)
    walk = Walk(A, target, float(l2))
    walk.go(float(min_alpha), max_corners - 1)
    coefs = np.array(walk.coefs)
    intercepts = means[-1] - coefs @ means[:-1]
    return LassoPath(
        np.array(walk.alphas), coefs, intercepts, np.array(walk.violations)
    )


def _centred(
    X: Any, y: Any, sample_weight: Any, *, intercept: bool
) -> tuple[Matrix, Vector, Vector]:
    """Return X and y without their means and scaled so that the mean is a sum."""
    A, target = np.array(X, dtype=np.float64), np.array(y, dtype=np.float64)
    if A.ndim != 2 or target.shape != A.shape[:1] or not A.size:  # noqa: PLR2004
        raise DataError(
            "lasso_homotopy takes a table X and one target for each of its rows, got "
            f"shapes {A.shape} and {target.shape}."
        )
    if not (np.isfinite(A).all() and np.isfinite(target).all()):
        raise DataError("lasso_homotopy takes finite numbers only.")
    given = weighed(sample_weight, A)
    weights = np.ones(len(A)) if given is None else given
    weights = weights / weights.sum()
    means = np.zeros(A.shape[1] + 1)
    if intercept:
        means = np.append(weights @ A, weights @ target)
    root = np.sqrt(weights)
    left = (target - means[-1]) * root
    if linalg.norm(left) <= 1e-14 * linalg.norm(target * root):
        left[:] = 0.0  # a constant target leaves nothing but rounding
    return (A - means[:-1]) * root[:, None], left, means
