"""Least angle regression: features join when they correlate as much as the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.linear.greedy._least_angle import LeastAngle, Route

__all__ = ["Lars"]


class Lars(LeastAngle):
    """Least squares along a path on which all active features pull equally hard.

    The strongest feature goes first. As its coefficient grows, its correlation with
    the residual falls; when another feature's is as large, both go on together, and
    so forth until the residual is explained. The path is linear between these events
    and is followed exactly. It differs from that of `LassoLars` in that a coefficient
    may pass through 0.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn b.
    verbose, precompute, eps, copy_X
        Accepted for compatibility; X is never changed.
    n_nonzero_coefs : int, default=500
        How many features to take at most.
    fit_path : bool, default=True
        Whether to keep the whole path.
    jitter : float or None, default=None
        Add uniform noise up to this to y, against ties.
    random_state : int, RandomState or None, default=None
        Where that noise comes from.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    alphas_ : ndarray of shape (n_steps + 1,)
        The largest correlation before each step and at the end (a list of such for
        several targets, as below).
    active_ : list of int
        The features in the order in which they joined.
    coef_path_ : ndarray of shape (n_features, n_steps + 1)
    n_iter_ : int or list of int
        Number of steps.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    >>> model = Lars(n_nonzero_coefs=1).fit(X, [-1.1111, 0.0, -1.1111])
    >>> model.coef_.round(4), model.active_
    (array([ 0.    , -1.1111]), [1])

    References
    ----------
    Efron, Hastie, Johnstone & Tibshirani (2004), Annals of Statistics 32.
    """

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        verbose: Any = False,
        precompute: Any = "auto",
        n_nonzero_coefs: int = 500,
        eps: float = np.finfo(float).eps,
        copy_X: bool = True,
        fit_path: bool = True,
        jitter: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.verbose = verbose
        self.precompute = precompute
        self.n_nonzero_coefs = n_nonzero_coefs
        self.eps = eps
        self.copy_X = copy_X
        self.fit_path = fit_path
        self.jitter = jitter
        self.random_state = random_state

    def _recipe(self) -> Route:
        return Route(int(self.n_nonzero_coefs), kept=bool(self.fit_path))
