"""The multi-task elastic net under the settings that predict folds best."""

from __future__ import annotations

from typing import Any

from infimum.models.linear.lassos._multi_task_cv import CrossValidatedTasks

__all__ = ["MultiTaskElasticNetCV"]


class MultiTaskElasticNetCV(CrossValidatedTasks):
    """The multi-task elastic net, with strength and share chosen by cross-validation.

    Parameters
    ----------
    l1_ratio : float or list of float, default=0.5
        Shares of the penalty on the lengths of rows to try: 1 is the multi-task lasso.
    eps : float, default=1e-3
        The ratio of the weakest to the strongest strength.
    alphas : int or array-like, default=100
        Strengths to try, or how many: evenly spaced in the logarithm, from the least at
        which all coefficients vanish.
    fit_intercept : bool, default=True
        Whether to learn intercepts; they are never penalised.
    max_iter : int, default=1000
        Most sweeps for each strength; left at its default, the solver's own limit.
    tol : float, default=1e-4
        Stop when the duality gap is below `tol` times the variance to explain.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None means 5.
    copy_X, verbose, n_jobs, random_state, selection
        Accepted for compatibility with scikit-learn; they need no setting here.

    Attributes
    ----------
    alpha_ : float
        The strength with the least mean error over the folds.
    alpha_1se_ : float
        The greatest strength whose mean error is within one standard error of the
        least.
    l1_ratio_ : float
        The share that goes with it.
    coef_ : ndarray of shape (n_tasks, n_features)
    intercept_ : ndarray of shape (n_tasks,)
    alphas_ : ndarray
        The strengths tried, from strong to weak.
    mse_path_ : ndarray
        Mean squared error for each strength on every held-back fold.
    certificate_ : Certificate
        The proof of the final fit.
    path_gap_ : float
        The largest relative gap of all the models that were compared.
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> Y = X[:, :1] * [1.0, -2.0] + 0.3 * rng.normal(size=(60, 2))
    >>> model = MultiTaskElasticNetCV(alphas=10).fit(X, Y)
    >>> model.mse_path_.shape, model.coef_.shape
    ((10, 5), (2, 5))
    """

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        cv: Any = None,
        copy_X: bool = True,
        verbose: Any = 0,
        n_jobs: int | None = None,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.selection = selection
