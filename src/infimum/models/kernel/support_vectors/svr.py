"""Support vector regression with a tube of given width."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from infimum.losses import EpsilonInsensitive
from infimum.models.kernel.support_vectors._support_vector_regressor import (
    SupportVectorRegressor,
    Tube,
)
from infimum.objectives import SupportVectorDual
from infimum.parameters import Choice, Domains, nonnegative

__all__ = ["SVR"]


class SVR(SupportVectorRegressor):
    r"""Support vector regression: errors within a tube are free.

    .. math:: \min_{f, b} \tfrac12 \|f\|^2
              + C \sum_i w_i \max(0, |y_i - f(x_i) - b| - ε)

    Samples strictly inside the tube do not matter to the solution, which makes it a
    sum over the others alone.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        scikit-learn's name of a kernel, a kernel of `infimum.kernels` (on things of
        any kind), a function of two matrices that returns kernel values, or
        "precomputed". Whether a function is positive semi-definite, without which
        there is no proof, is examined on the first 500 samples only.
    degree, gamma, coef0 : default=3, "scale", 0.0
        Parameters of a named kernel, as in scikit-learn.
    tol : float, default=1e-3
        Stop when the KKT conditions hold to `tol` and the duality gap is below `tol`
        of the null risk, or the gap is below a tenth of `tol` of the objective.
    C : float, default=1.0
        Price of an error beyond the tube.
    epsilon : float, default=0.1
        Half the width of the tube.
    shrinking, verbose
        Accepted for compatibility with scikit-learn; they need no setting here.
    cache_size : float, default=200
        Megabytes for kernel values.
    max_iter : int, default=-1
        Most working sets to solve; -1 means 300, or a tenth of the number of
        samples if that is more.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}
        What an error beyond the tube costs; the first is the default.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Which samples lie on the tube or outside.
    support_vectors_ : the support vectors; empty for a precomputed kernel
    n_support_ : ndarray of shape (1,)
    dual_coef_ : ndarray of shape (1, n_support)
    intercept_ : ndarray of shape (1,)
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int
    fit_status_ : int
        0 if the gap closed.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = SVR(kernel="linear", C=10.0, epsilon=0.5).fit(X, [0.0, 1.0, 2.0, 3.0])
    >>> model.predict([[0.0], [3.0]]).round(3), model.certificate_.closed
    (array([0.5, 2.5]), True)
    """

    _domains: ClassVar[Domains] = {
        "epsilon": nonnegative,
        "loss": Choice(("epsilon_insensitive", "squared_epsilon_insensitive")),
    }

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
        loss: str = "epsilon_insensitive",
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.loss = loss

    def _recipe(self) -> Tube:
        width, squared = float(self.epsilon), self.loss.startswith("squared")
        return Tube(
            partial(SupportVectorDual.regression, epsilon=width, squared=squared),
            None if squared else EpsilonInsensitive(width),
        )
