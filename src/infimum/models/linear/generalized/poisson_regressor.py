"""Poisson regression: counts whose log-rate is linear."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.errors import DataError
from infimum.losses import Poisson
from infimum.models.linear.fit import Recipe
from infimum.models.linear.generalized._linked import LinkedRegressor

__all__ = ["PoissonRegressor"]


class PoissonRegressor(LinkedRegressor):
    r"""Generalised linear model of counts, with a ridge penalty.

    .. math:: \min_w \tfrac1n \sum_i \bigl(e^{f_i} - y_i f_i\bigr)
              + \tfrac{\alpha}{2} \|w\|_2^2, \qquad f_i = x_i^\top w + b + o_i

    Where counts were collected over different lengths of time or numbers of people,
    give those to `fit` and `predict` as `exposure`: o is its logarithm.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    solver, verbose
        Accepted for compatibility with scikit-learn; Newton's method is used.
    max_iter : int, default=100
        Most iterations; left at its default, the solver's own limit holds.
    tol : float, default=1e-4
        Bound on the gradient, as in scikit-learn; the fit stops when the relative
        duality gap is below tol².
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = PoissonRegressor(alpha=0.0).fit(X, [1.0, 2.0, 4.0, 8.0])
    >>> model.predict([[4.0]]).round(3)
    array([16.])
    """

    power: ClassVar[float] = 1.0  # type: ignore[misc]

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        solver: str = "lbfgs",
        max_iter: int = 100,
        tol: float = 1e-4,
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose

    def _recipe(self, rows: Rows) -> Recipe:
        if rows.y.min() < 0:
            raise DataError(
                "PoissonRegressor needs targets in [0, inf): some values of y are out "
                f"of the valid range, the least is {rows.y.min():g}."
            )
        if not rows.y.any():
            raise DataError("PoissonRegressor needs a target above 0: all are 0.")
        return self._glm(Poisson())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags
