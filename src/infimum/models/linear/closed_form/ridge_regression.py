"""Ridge regression as a function: samples and targets in, coefficients out."""

from __future__ import annotations

from typing import Any

from infimum.models.linear.closed_form.ridge import Ridge

__all__ = ["ridge_regression"]


def ridge_regression(
    X: Any,
    y: Any,
    alpha: Any,
    *,
    sample_weight: Any = None,
    solver: str = "auto",
    max_iter: int | None = None,
    tol: float = 1e-4,
    verbose: int = 0,
    positive: bool = False,
    random_state: Any = None,
    return_n_iter: bool = False,
    return_intercept: bool = False,
    check_input: bool = True,
) -> Any:
    """Return the coefficients of ridge regression, without an intercept by default.

    Parameters
    ----------
    X, y, sample_weight
        The data, as for `Ridge.fit`.
    alpha : float or array of shape (n_targets,)
        Weight of the penalty.
    tol, positive
        As in `Ridge`.
    solver, max_iter, verbose, random_state, check_input
        Accepted for compatibility with scikit-learn; the closed form needs none, and
        input is always checked.
    return_n_iter : bool, default=False
        Whether to return the number of iterations as well.
    return_intercept : bool, default=False
        Whether to learn an intercept and return it as well.

    Returns
    -------
    coef : ndarray of shape (n_features,) or (n_targets, n_features)
    n_iter : int
        Only with ``return_n_iter=True``.
    intercept : float or ndarray of shape (n_targets,)
        Only with ``return_intercept=True``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> ridge_regression(X, [0.0, 1.0, 2.0], alpha=5.0)
    array([0.5])
    """
    model = Ridge(
        alpha,
        fit_intercept=return_intercept,
        max_iter=max_iter,
        tol=tol,
        solver=solver,
        positive=positive,
        random_state=random_state,
    ).fit(X, y, sample_weight=sample_weight)
    answer = [model.coef_]
    answer += [model.n_iter_] if return_n_iter else []
    answer += [model.intercept_] if return_intercept else []
    return tuple(answer) if len(answer) > 1 else answer[0]
