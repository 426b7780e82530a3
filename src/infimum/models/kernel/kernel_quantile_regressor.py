"""Kernel quantile regression: the line that a share of the targets stay below."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.losses import Quantile
from infimum.models.kernel._risk_machine import KernelRiskRegressor
from infimum.models.linear.coding import Number
from infimum.models.linear.fit import Recipe
from infimum.parameters import Domains, opened

__all__ = ["KernelQuantileRegressor"]


class KernelQuantileRegressor(KernelRiskRegressor):
    r"""The conditional quantile as a smooth function of anything.

    .. math:: \min_{f, b} \tfrac12 \|f\|^2 + C \sum_i w_i\, ρ_τ(y_i - f(x_i) - b),
              \qquad ρ_τ(ξ) = \max(τ ξ, (τ - 1) ξ)

    The free intercept leaves a share τ of the targets below the function. In the dual
    the coefficients lie in :math:`[C(τ - 1), Cτ]` and sum to 0.

    Parameters
    ----------
    quantile : float, default=0.5
        The share τ of the targets below the function.
    C : float, default=1.0
        Weight of the losses against the penalty.
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    tol : float, default=1e-6
        Relative duality gap at which to stop.
    max_iter : int or None, default=None
        Most iterations; None leaves the limit to the solver.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,)
        Coefficients of the samples.
    intercept_ : float
    X_fit_ : the samples; None for a precomputed kernel
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.zeros((101, 1)), np.arange(101.0)
    >>> model = KernelQuantileRegressor(quantile=0.9).fit(X, y)
    >>> model.predict([[0.0]]).round(3)
    array([90.])
    """

    _domains: ClassVar[Domains] = {
        "quantile": opened(0, 1),
    }

    def __init__(
        self,
        quantile: float = 0.5,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = True,
        tol: float = 1e-6,
        max_iter: int | None = None,
    ) -> None:
        self.quantile = quantile
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def _recipe(self, rows: Rows) -> Recipe:
        return self._in_space(Quantile(float(self.quantile)), Number())
