"""Support vector regression for any convex loss."""

from __future__ import annotations

from typing import Any

from infimum import losses
from infimum.data.doors import Rows
from infimum.errors import InvalidParameterError
from infimum.losses import Loss
from infimum.models.kernel._risk_machine import KernelRiskRegressor
from infimum.models.linear.coding import Number
from infimum.models.linear.fit import Recipe
from infimum.models.linear.risk_minimizer import named_part

__all__ = ["KernelRegressor"]


class KernelRegressor(KernelRiskRegressor):
    r"""Regression in the space of a kernel under any convex loss of the residual.

    .. math:: \min_{f, b} \tfrac12 \|f\|^2 + C \sum_i w_i\, ℓ(y_i - f(x_i) - b)

    Squared, absolute, Huber, ε-insensitive, quantile: one machine, one proof. The
    dual coefficient of a sample is C wᵢ times minus the slope of its loss.

    Parameters
    ----------
    loss : Loss or str, default='huber'
        A loss of `infimum.losses` that reads real targets, or its name in snake case.
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
    >>> X = np.linspace(0, 3, 7)[:, None]
    >>> y = np.array([0.0, 0.5, 0.8, 99.0, 0.9, 0.6, 0.1])
    >>> model = KernelRegressor("absolute", C=10.0).fit(X, y)
    >>> bool(model.predict([[1.5]])[0] < 2.0)
    True
    """

    def __init__(
        self,
        loss: Any = "huber",
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
        self.loss = loss
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
        part = named_part(self.loss, losses, "KernelRegressor.loss")
        if not isinstance(part, Loss) or part.target != "real" or not part.convex:
            raise InvalidParameterError(
                "KernelRegressor.loss must be a convex loss of real targets, got "
                f"{self.loss!r}."
            )
        return self._in_space(part, Number())
