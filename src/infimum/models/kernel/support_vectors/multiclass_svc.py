"""Support vector classification of several classes in one problem."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.losses import AdditiveMulticlassHinge, Hinge, MulticlassHinge
from infimum.models.kernel._risk_machine import KernelRiskClassifier
from infimum.models.linear.coding import Joint, Signs
from infimum.models.linear.fit import Recipe
from infimum.parameters import Choice, Domains
from infimum.solvers import MulticlassAscent

__all__ = ["MulticlassSVC"]

LOSSES = Choice(("crammer_singer", "additive"))
TWO = 2


class MulticlassSVC(KernelRiskClassifier):
    r"""Support vector machine that learns all classes together, not two at a time.

    .. math:: \min_{f, b} \tfrac12 \sum_k \|f_k\|^2
              + C \sum_i w_i \max_{k \ne y_i} \max(0, 1 - g_{y_i}(x_i) + g_k(x_i)),
              \qquad g_k = f_k + b_k

    for the loss of Crammer and Singer, which counts the worst rival of the right class;
    the additive loss counts every rival and has a sum in place of the first maximum.
    One objective, hence one proof for the whole machine, and scores of different
    classes that may be compared. It holds the kernel matrix and factors it: meant for a
    few thousand samples; `SVC` serves more. Two classes are the machine of `SVC`.

    Parameters
    ----------
    loss : {"crammer_singer", "additive"}, default="crammer_singer"
        Whether the worst rival of the right class counts, or all do.
    C : float, default=1.0
        Price of a margin violation.
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.
    fit_intercept : bool, default=True
        Whether to learn an intercept for each class; it is never penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    tol : float, default=1e-6
        Relative duality gap at which to stop.
    max_iter : int or None, default=None
        Most iterations; None leaves the limit to the solver.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_classes or 1, n_samples)
        Coefficients of the samples.
    intercept_ : ndarray of shape (n_classes or 1,)
    classes_ : ndarray of shape (n_classes,)
    X_fit_ : the samples; None for a precomputed kernel
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.2], [1.0], [1.2], [2.0], [2.2]])
    >>> y = ["low", "low", "mid", "mid", "high", "high"]
    >>> model = MulticlassSVC(C=10.0).fit(X, y)
    >>> model.predict([[0.1], [1.1], [2.1]]).tolist(), model.certificate_.closed
    (['low', 'mid', 'high'], True)

    References
    ----------
    Crammer & Singer (2001), JMLR 2. Weston & Watkins (1999), European Symposium on
    Artificial Neural Networks.
    """

    _domains: ClassVar[Domains] = {
        "loss": LOSSES,
    }

    def __init__(
        self,
        loss: str = "crammer_singer",
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = True,
        class_weight: Any = None,
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
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    def _recipe(self, rows: Rows) -> Recipe:
        count = len(rows.classes)
        if count == TWO:
            return self._in_space(Hinge(), Signs(count))
        kind = AdditiveMulticlassHinge if self.loss == "additive" else MulticlassHinge
        return self._in_space(kind(count), Joint(), MulticlassAscent)
