"""ν support vector regression: the width of the tube follows from ν."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from infimum.models.kernel.support_vectors._support_vector_regressor import (
    SupportVectorRegressor,
    Tube,
)
from infimum.objectives import SupportVectorDual
from infimum.parameters import Domains, Interval

__all__ = ["NuSVR"]


class NuSVR(SupportVectorRegressor):
    r"""Support vector regression that is told how many samples may leave the tube.

    .. math:: \min_{f, b, ε} \tfrac12 \|f\|^2 + C \Bigl(ν n ε
              + \sum_i w_i \max(0, |y_i - f(x_i) - b| - ε)\Bigr)

    At most a share ν of the samples ends up outside the tube, and at least that share
    are support vectors.

    Parameters
    ----------
    nu : float, default=0.5
        The share, in (0, 1].
    C : float, default=1.0
        Price of an error beyond the tube.
    kernel, degree, gamma, coef0, shrinking, tol, cache_size, verbose, max_iter
        As in `SVR`.

    Attributes
    ----------
    epsilon_ : float
        Half the width that the tube found.
    nu_property_ : NuProperty
        The share of the samples outside the tube, ν, and the share of support vectors,
        counted as they weigh.
    support_, support_vectors_, n_support_, dual_coef_, intercept_
        As in `SVR`.
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_, fit_status_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(6.0)[:, None]
    >>> y = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 9.0])
    >>> model = NuSVR(nu=0.3, kernel="linear", C=10.0).fit(X, y)
    >>> model.predict([[0.0], [4.0]]).round(2), round(model.epsilon_, 2)
    (array([-1.6,  5.6]), 1.6)
    """

    _domains: ClassVar[Domains] = {
        "nu": Interval(0, 1, open_low=True),
    }

    def __init__(
        self,
        *,
        nu: float = 0.5,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 1e-3,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
    ) -> None:
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def _recipe(self) -> Tube:
        nu = float(self.nu)
        return Tube(partial(SupportVectorDual.nu_regression, nu=nu), nu=nu)
