"""The lasso under the strength that predicts held-back folds best."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.models.linear.lassos._sparse_cv import CrossValidatedSparse

__all__ = ["LassoCV"]


class LassoCV(CrossValidatedSparse):
    """The lasso, with a strength chosen by cross-validation along certified paths.

    On every fold the path is followed from strong to weak, each model started from the
    last and solved to a proven gap.

    Parameters
    ----------
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
    coef_ : ndarray of shape (n_features,)
    sparse_coef_ : csr_matrix
        The same, without its zeros.
    intercept_ : float
    alphas_ : ndarray of shape (n_alphas,)
        The strengths tried, from strong to weak.
    mse_path_ : ndarray of shape (n_alphas, n_folds)
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
    >>> model = LassoCV(alphas=20).fit(X, y)
    >>> model.mse_path_.shape, model.path_gap_ <= model.tol
    ((20, 5), True)
    >>> bool(model.alpha_1se_ >= model.alpha_)
    True
    """

    l1_ratio: ClassVar[float] = 1.0  # type: ignore[misc]

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        copy_X: bool = True,
        cv: Any = None,
        verbose: Any = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
