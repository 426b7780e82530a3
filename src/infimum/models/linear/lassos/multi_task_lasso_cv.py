"""The multi-task lasso under the strength that predicts folds best."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.models.linear.lassos._multi_task_cv import CrossValidatedTasks

__all__ = ["MultiTaskLassoCV"]


class MultiTaskLassoCV(CrossValidatedTasks):
    """The multi-task lasso, with its strength chosen by cross-validation.

    Parameters
    ----------
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
    >>> model = MultiTaskLassoCV(alphas=10).fit(X, Y)
    >>> model.mse_path_.shape, model.coef_.shape
    ((10, 5), (2, 5))
    """

    l1_ratio: ClassVar[float] = 1.0  # type: ignore[misc]

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        copy_X: bool = True,
        cv: Any = None,
        verbose: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.selection = selection
