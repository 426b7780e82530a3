"""Gamma regression: positive amounts whose log-mean is linear."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.errors import DataError
from infimum.losses import Gamma
from infimum.models.linear.fit import Recipe
from infimum.models.linear.generalized._linked import LinkedRegressor

__all__ = ["GammaRegressor"]


class GammaRegressor(LinkedRegressor):
    r"""Generalised linear model of positive amounts, with a ridge penalty.

    .. math:: \min_w \tfrac1n \sum_i \bigl(f_i + y_i e^{-f_i}\bigr)
              + \tfrac{\alpha}{2} \|w\|_2^2, \qquad f_i = x_i^\top w + b + o_i

    For durations, costs and other amounts whose spread grows in proportion to their
    mean. Offsets o and exposures are given to `fit` and `predict`.

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
    >>> model = GammaRegressor(alpha=0.0, tol=1e-6).fit(X, [1, 2, 4, 8])
    >>> model.predict([[4.0]]).round(3)
    array([16.])
    """

    power: ClassVar[float] = 2.0  # type: ignore[misc]

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
        if rows.y.min() <= 0:
            raise DataError(
                "GammaRegressor needs targets in (0, inf): some values of y are out of "
                f"the valid range, the least is {rows.y.min():g}."
            )
        return self._glm(Gamma())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags
