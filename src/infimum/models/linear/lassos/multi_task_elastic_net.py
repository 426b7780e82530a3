"""The multi-task elastic net: several targets that need the same few features."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._multi_task import MultiTaskRegressor, task_recipe
from infimum.parameters import Domains, closed, nonnegative, or_none, whole

__all__ = ["MultiTaskElasticNet"]


class MultiTaskElasticNet(MultiTaskRegressor):
    r"""Least squares for several targets with a penalty on whole features.

    .. math:: \min_W \tfrac{1}{2n} \|Y - XW - b\|_F^2 + \alpha \Bigl(
              \rho \sum_j \|W_j\|_2 + \tfrac{1 - \rho}{2} \|W\|_F^2\Bigr)

    The rows W_j belong to features: a feature enters for all tasks or for none.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty; 0 is ordinary least squares.
    l1_ratio : float, default=0.5
        ρ: 1 is the multi-task lasso, 0 is ridge.
    fit_intercept : bool, default=True
        Whether to learn intercepts; they are never penalised.
    copy_X, random_state, selection
        Accepted for compatibility with scikit-learn; they need no setting here.
    max_iter : int, default=1000
        Most iterations; left at its default, the solver's own limit holds.
    tol : float, default=1e-4
        Stop when the duality gap is below `tol` times the variance to explain.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    coef_ : ndarray of shape (n_tasks, n_features)
    intercept_ : ndarray of shape (n_tasks,)
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    >>> Y = np.column_stack([X[:, 0], -X[:, 0]])
    >>> MultiTaskElasticNet(alpha=0.2).fit(X, Y).coef_.round(2)
    array([[ 0.87,  0.  ],
           [-0.87,  0.  ]])
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
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.selection = selection

    def _recipe(self, rows: Rows) -> Recipe:
        return task_recipe(self, rows, float(self.alpha), float(self.l1_ratio))
