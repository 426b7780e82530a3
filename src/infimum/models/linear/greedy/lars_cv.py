"""Least angle regression that stops where held-back folds are predicted best."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.linear.greedy._least_angle import Route
from infimum.models.linear.greedy._least_angle_cv import LeastAngleCV

__all__ = ["LarsCV"]


class LarsCV(LeastAngleCV):
    """Least angle regression with the end of its path chosen by cross-validation.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn b.
    verbose, precompute, n_jobs, eps, copy_X
        Accepted for compatibility; X is never changed.
    max_iter : int, default=500
        Most steps of a path.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None means 5.
    max_n_alphas : int, default=1000
        About how many strengths to compare, of all corners of all folds.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    alpha_ : float
        The strength with the least mean error over the folds.
    cv_alphas_ : ndarray
        The strengths compared, from weak to strong.
    mse_path_ : ndarray of shape (n_cv_alphas, n_folds)
        Mean squared error on every held-back fold.
    alphas_ : ndarray
        The corners of the path on all samples, down to `alpha_`.
    active_ : list of int
    coef_path_ : ndarray of shape (n_features, n_alphas)
    n_iter_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 8))
    >>> y = 2 * X[:, 0] - X[:, 3] + 0.3 * rng.standard_normal(60)
    >>> model = LarsCV().fit(X, y)
    >>> model.active_[:2], model.mse_path_.shape[1]
    ([0, 3], 5)
    """

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        verbose: Any = False,
        max_iter: int = 500,
        precompute: Any = "auto",
        cv: Any = None,
        max_n_alphas: int = 1000,
        n_jobs: int | None = None,
        eps: float = np.finfo(float).eps,
        copy_X: bool = True,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.verbose = verbose
        self.max_iter = max_iter
        self.precompute = precompute
        self.cv = cv
        self.max_n_alphas = max_n_alphas
        self.n_jobs = n_jobs
        self.eps = eps
        self.copy_X = copy_X

    def _recipe(self) -> Route:
        return Route(int(self.max_iter))
