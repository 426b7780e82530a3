"""The elastic net: least squares with few and small coefficients."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.models.linear._regressor import SparseRegressor
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._sparse_recipe import elastic_net_recipe
from infimum.parameters import Domains, closed, nonnegative, or_none, whole

__all__ = ["ElasticNet"]


class ElasticNet(SparseRegressor):
    r"""Least squares with a mixture of ℓ₁ and ℓ₂ penalties, to a proven gap.

    .. math:: \min_w \tfrac{1}{2n} \|y - Xw - b\|_2^2
              + \alpha \bigl(\rho \|w\|_1 + \tfrac{1 - \rho}{2} \|w\|_2^2\bigr)

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty; 0 is ordinary least squares.
    l1_ratio : float, default=0.5
        ρ: 1 is the lasso, 0 is ridge.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    precompute, copy_X, random_state, selection
        Accepted for compatibility with scikit-learn; they need no setting here.
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
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]])
    >>> ElasticNet(alpha=0.1).fit(X, np.array([1.0, 2.0, 3.0, 4.0])).coef_.round(2)
    array([0.47, 0.47])
    """

    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "max_iter": or_none(whole(1)),
        "l1_ratio": closed(0, 1),
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        precompute: Any = False,
        max_iter: int = 1000,
        copy_X: bool = True,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection

    def _recipe(self, rows: Rows) -> Recipe:
        return elastic_net_recipe(self, rows, float(self.alpha), float(self.l1_ratio))
