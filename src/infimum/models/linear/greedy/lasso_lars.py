"""The lasso at one strength, reached along its exact path."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.models.linear.greedy._least_angle import LeastAngle, Route
from infimum.parameters import Domains, nonnegative

__all__ = ["LassoLars"]


class LassoLars(LeastAngle):
    r"""Least squares with an ℓ₁ penalty, by its path instead of by iteration.

    .. math:: \min_w \tfrac{1}{2n} \|y - Xw - b\|_2^2 + \alpha \|w\|_1

    The same problem as `Lasso`. The path from the strongest penalty down to `alpha` is
    followed corner by corner, so the solution is exact up to rounding, and its
    certificate shows it. Where columns tie in a way that the path cannot resolve,
    iteration takes over from its end.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty.
    fit_intercept : bool, default=True
        Whether to learn b; it is never penalised.
    verbose, precompute, eps, copy_X
        Accepted for compatibility; X is never changed.
    max_iter : int, default=500
        Most corners of the path.
    fit_path : bool, default=True
        Whether to keep the whole path.
    positive : bool, default=False
        Forbid negative coefficients.
    jitter : float or None, default=None
        Add uniform noise up to this to y, against ties.
    random_state : int, RandomState or None, default=None
        Where that noise comes from.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    alphas_ : ndarray of shape (n_corners,)
        The strengths of the corners, down to `alpha` (a list of such for several
        targets, as below).
    active_ : list of int
        The features that are active at the end.
    coef_path_ : ndarray of shape (n_features, n_corners)
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    n_iter_ : int or list of int
        Number of steps.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    >>> model = LassoLars(alpha=0.01).fit(X, [-1.0, 0.0, -1.0])
    >>> model.coef_.round(3), model.certificate_.closed
    (array([ 0.   , -0.955]), True)
    """

    _domains: ClassVar[Domains] = {"alpha": nonnegative}

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        verbose: Any = False,
        precompute: Any = "auto",
        max_iter: int = 500,
        eps: float = np.finfo(float).eps,
        copy_X: bool = True,
        fit_path: bool = True,
        positive: bool = False,
        jitter: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.verbose = verbose
        self.precompute = precompute
        self.max_iter = max_iter
        self.eps = eps
        self.copy_X = copy_X
        self.fit_path = fit_path
        self.positive = positive
        self.jitter = jitter
        self.random_state = random_state

    def _recipe(self) -> Route:
        most, floor = int(self.max_iter), float(self.alpha)
        how = {"positive": bool(self.positive), "kept": bool(self.fit_path)}
        return Route(most, floor, lasso=True, **how)
