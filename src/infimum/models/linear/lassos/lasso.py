"""The lasso: least squares with few coefficients."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.models.linear._regressor import SparseRegressor
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._sparse_recipe import sparse_recipe
from infimum.parameters import Domains, nonnegative, or_none, whole
from infimum.penalties import Lasso as LassoPenalty

__all__ = ["Lasso"]


class Lasso(SparseRegressor):
    r"""Least squares with an ℓ₁ penalty, solved to a proven gap.

    .. math:: \min_w \tfrac{1}{2n} \|y - Xw - b\|_2^2 + \alpha \|w\|_1

    Parameters are those of scikit-learn's class of the same name; `precompute`,
    `copy_X`, `selection` and `random_state` are accepted and need no setting here.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty; 0 is ordinary least squares.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    precompute, copy_X, random_state, selection
        Accepted for compatibility: X is never changed, Gram matrices are kept where
        they pay, and the method is deterministic.
    max_iter : int, default=1000
        Most rounds of coordinate descent.
    tol : float, default=1e-4
        Stop when the duality gap is below `tol` times the variance to explain.
    warm_start : bool, default=False
        Start from the last solution.
    positive : bool, default=False
        Forbid negative coefficients.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    sparse_coef_ : csr_matrix
        The same, without its zeros.
    intercept_ : float or ndarray of shape (n_targets,)
    dual_gap_ : float or ndarray of shape (n_targets,)
        The duality gap of each target's fit.
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.2], [2.0, 0.1], [3.0, 0.4], [4.0, 0.3]])
    >>> model = Lasso(alpha=0.1).fit(X, np.array([1.0, 2.0, 3.0, 4.0]))
    >>> model.coef_.round(2)
    array([0.92, 0.  ])
    >>> model.certificate_.closed
    True
    """

    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "max_iter": or_none(whole(1)),
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Any = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection

    def _recipe(self, rows: Rows) -> Recipe:
        alpha, positive = float(self.alpha), bool(self.positive)
        return sparse_recipe(
            self, rows, LassoPenalty(alpha, positive) if alpha > 0 else None
        )
