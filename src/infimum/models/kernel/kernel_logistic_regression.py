"""Kernel logistic regression: probabilities from the space of a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, softmax

from infimum.data.doors import Rows
from infimum.losses import Logistic, Softmax
from infimum.models.kernel._risk_machine import KernelRiskClassifier
from infimum.models.linear.coding import Joint, Signs
from infimum.models.linear.fit import Recipe
from infimum.typing import Matrix

__all__ = ["KernelLogisticRegression"]


class KernelLogisticRegression(KernelRiskClassifier):
    r"""Logistic regression in the space of a kernel, with its probabilities.

    .. math:: \min_{f, b} \tfrac12 \|f\|^2
              + C \sum_i w_i \log\left(1 + e^{-y_i (f(x_i) + b)}\right)

    More than two classes share one softmax. Unlike a support vector machine it uses
    every sample, and its scores are log-odds.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the losses against the penalty.
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    tol : float, default=1e-11
        Relative duality gap at which to stop.
    max_iter : int or None, default=None
        Most iterations; None leaves the limit to the solver.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_classes or 1, n_samples)
        Coefficients of the samples.
    intercept_ : ndarray of shape (n_classes or 1,)
    X_fit_ : the samples; None for a precomputed kernel
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = KernelLogisticRegression(C=10.0).fit(X, ["in", "out", "out", "in"])
    >>> model.predict([[0.1], [1.4]]).tolist(), model.certificate_.closed
    (['in', 'out'], True)
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = True,
        class_weight: Any = None,
        tol: float = 1e-11,
        max_iter: int | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class for each sample."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return np.asarray(softmax(scores, axis=1))

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _recipe(self, rows: Rows) -> Recipe:
        count = len(rows.classes)
        if count == 2:  # noqa: PLR2004
            return self._in_space(Logistic(), Signs(count))
        return self._in_space(Softmax(count), Joint(centred=False))
