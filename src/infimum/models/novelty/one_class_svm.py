"""One-class support vector machine: a plane between the samples and the origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.kernel.support_vectors.nu_property import NuProperty
from infimum.models.novelty._support_vector_detector import SupportVectorDetector
from infimum.objectives import SupportVectorDual
from infimum.solvers import DualSolution
from infimum.typing import Vector

__all__ = ["OneClassSVM"]


class OneClassSVM(SupportVectorDetector):
    r"""The region of kernel sums above a level that most samples reach.

    .. math:: \min_{f, ρ} \tfrac12 \|f\|^2 - ν n ρ + \sum_i w_i \max(0, ρ - f(x_i))

    At most a share ν of the samples falls outside, and at least that share are support
    vectors.

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
        of what there is to gain, or the gap below a tenth of `tol` of the objective.
    nu : float, default=0.5
        The share, in (0, 1].
    shrinking, verbose
        Accepted for compatibility with scikit-learn; they need no setting here.
    cache_size : float, default=200
        Megabytes for kernel values.
    max_iter : int, default=-1
        Most working sets to solve; -1 means 300, or a tenth of the number of
        samples if that is more.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Which samples lie on the border or outside.
    support_vectors_ : the support vectors; empty for a precomputed kernel
    n_support_ : ndarray of shape (1,)
    dual_coef_ : ndarray of shape (1, n_support)
    offset_ : ndarray of shape (1,)
        The level ρ; `intercept_` is its negative.
    nu_property_ : NuProperty
        The share of the samples outside, ν, and the share of support vectors, counted
        as they weigh.
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_, fit_status_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3]])
    >>> OneClassSVM(gamma=1.0, nu=0.3).fit(X).predict([[0.15], [3.0]])
    array([ 1, -1])
    """

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        nu: float = 0.5,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def _dual(self, things: Any, weights: Vector) -> SupportVectorDual:
        return SupportVectorDual.one_class(weights, float(self.nu * weights.sum()))

    def _read(self, dual: SupportVectorDual, found: DualSolution) -> float:
        outside = found.scores + found.offsets[0] < 0
        self.nu_property_ = NuProperty.of(found.point, dual.high, outside, self.nu)
        return -float(found.offsets[0])

    def _offset(self) -> float:
        return -float(self.offset_[0])

    def score_samples(self, X: Any) -> Vector:
        """Return the kernel sum at each sample; the higher, the more familiar."""
        return np.asarray(self._sums(X)[:, 0])
