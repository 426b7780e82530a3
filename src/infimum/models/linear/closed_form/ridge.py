"""Ridge regression: least squares with small coefficients."""

from __future__ import annotations

from typing import Any

from infimum.data.doors import Rows
from infimum.models.linear._regressor import MultiTargetRegressor
from infimum.models.linear.closed_form._ridge_model import RidgeModel
from infimum.models.linear.coding import measured_coding
from infimum.models.linear.fit import Recipe

__all__ = ["Ridge"]


class Ridge(RidgeModel, MultiTargetRegressor):
    r"""Least squares with an ℓ₂ penalty, in closed form, for one target or many.

    .. math:: \min_w \|y - Xw - b\|_2^2 + \alpha \|w\|_2^2

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        Weight of the penalty, one for all targets or one each.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    copy_X, max_iter, solver, random_state
        Accepted for compatibility with scikit-learn; the closed form needs none, and
        systems too large to factorise go to conjugate gradients.
    tol : float, default=1e-4
        Bound on the gradient; certified when the relative gap is below tol².
    positive : bool, default=False
        Forbid negative coefficients.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    certificate_ : Certificate
        How far the least certain target's coefficients can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> Ridge(alpha=2.0).fit(X, [0.0, 1.0, 2.0]).coef_
    array([0.5])
    """

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    def _recipe(self, rows: Rows) -> Recipe:
        return self._ridge(rows, measured_coding(rows.y))
