"""The elastic net under the strength and the share that predict folds best."""

from __future__ import annotations

from typing import Any

from infimum.models.linear.lassos._sparse_cv import CrossValidatedSparse

__all__ = ["ElasticNetCV"]


class ElasticNetCV(CrossValidatedSparse):
    """The elastic net, with strength and share of ℓ₁ chosen by cross-validation.

    On every fold and for every share the path is followed from strong to weak, each
    model started from the last and solved to a proven gap.

    Parameters
    ----------
    l1_ratio : float or list of float, default=0.5
        Shares of the ℓ₁ penalty to try: 1 is the lasso.
    eps : float, default=1e-3
        The ratio of the weakest to the strongest strength.
    alphas : int or array-like, default=100
        Strengths to try, or how many: evenly spaced in the logarithm, from the least at
        which all coefficients vanish.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        Accepted for compatibility: X is never changed, Gram matrices are kept where
        they pay, and the method is deterministic, so its answer depends on none.
    max_iter : int, default=1000
        Most rounds of coordinate descent for each strength.
    tol : float, default=1e-4
        Stop when the duality gap is below `tol` times the variance to explain.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None means 5.
    positive : bool, default=False
        Forbid negative coefficients.

    Attributes
    ----------
    alpha_ : float
        The strength with the least mean error over the folds.
    alpha_1se_ : float
        The greatest strength whose mean error is within one standard error of the
        least: the simplest model that the best one does not clearly beat.
    l1_ratio_ : float
        The share that goes with it.
    coef_ : ndarray of shape (n_features,)
    sparse_coef_ : csr_matrix
        The same, without its zeros.
    intercept_ : float
    alphas_ : ndarray of shape (n_alphas,) or (n_l1_ratio, n_alphas)
        The strengths tried, from strong to weak.
    mse_path_ : ndarray of shape (n_alphas, n_folds) or \
(n_l1_ratio, n_alphas, n_folds)
        Mean squared error on every held-back fold.
    certificate_ : Certificate
        The proof of the final fit.
    path_gap_ : float
        The largest relative gap of all the models that were compared.
    dual_gap_ : float
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 8))
    >>> y = 2 * X[:, 0] - X[:, 3] + 0.3 * rng.standard_normal(60)
    >>> model = ElasticNetCV(l1_ratio=[0.5, 0.95], alphas=10).fit(X, y)
    >>> model.mse_path_.shape, float(model.l1_ratio_)
    ((2, 10, 5), 0.95)
    """

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        cv: Any = None,
        copy_X: bool = True,
        verbose: Any = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
