"""Support vector data description: the smallest ball around most of the samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models._kernel_door import admit_things
from infimum.models._support_vector_proof import Claim
from infimum.models.kernel.nu_property import NuProperty
from infimum.models.novelty._support_vector_detector import SupportVectorDetector
from infimum.objectives import SupportVectorDual
from infimum.typing import Vector

__all__ = ["SupportVectorDataDescription"]


class SupportVectorDataDescription(SupportVectorDetector):
    r"""The smallest ball in feature space that holds most of the samples.

    .. math:: \min_{c, R} R^2 + \frac{1}{ν n} \sum_i w_i
              \max\bigl(0, \|Φ(x_i) - c\|^2 - R^2\bigr)

    At most a share ν of the samples falls outside. With a kernel that is constant on
    the diagonal, such as the Gaussian, the region is that of `OneClassSVM`.

    Parameters
    ----------
    nu : float, default=0.5
        The share, in (0, 1].
    kernel, degree, gamma, coef0, tol, cache_size, max_iter
        As in `OneClassSVM`.

    Attributes
    ----------
    radius_ : float
    center_norm_ : float
        ‖c‖; the centre is the sum of the support vectors times `dual_coef_`.
    offset_ : ndarray of shape (1,)
        -R²; the score of a sample is its negative squared distance from the centre.
    support_, support_vectors_, n_support_, dual_coef_, intercept_
        As in `OneClassSVM`.
    nu_property_ : NuProperty
        The share of the samples outside, ν, and the share of support vectors, counted
        as they weigh.
    certificate_ : Certificate
        How far the ball can be from optimal, for half the objective above.
    history_ : tuple of Record
        Bounds against time.
    n_iter_, fit_status_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> ball = SupportVectorDataDescription(nu=0.01, kernel="linear").fit(X)
    >>> round(ball.radius_, 3), ball.predict([[0.5], [3.0]])
    (1.0, array([ 1, -1]))

    References
    ----------
    Tax & Duin (2004), Machine Learning 54.
    """

    def __init__(
        self,
        *,
        nu: float = 0.5,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter

    def _learn(
        self, things: Any, weights: Vector, start: Vector | None
    ) -> tuple[Vector, float]:
        bounds = weights / (self.nu * weights.sum())
        diagonal = self._diagonal(things)
        dual = SupportVectorDual.description(bounds, diagonal)
        start = None if start is None else dual.feasible(start)
        found = self._solve(dual, things, start)
        self._adopt([found])
        self.n_iter_ = max(1, found.iterations)
        outside = found.scores + found.offsets[0] < 0.5 * diagonal
        self.nu_property_ = NuProperty.of(found.point, bounds, outside, self.nu)
        norm = max(float(found.point @ found.scores), 0.0)
        self.center_norm_ = float(np.sqrt(norm))
        # On the border 2f(x) - k(x, x) + 2b = 0, and ‖Φ(x) - c‖² = k(x, x) - 2f + ‖c‖².
        square = max(norm + 2.0 * float(found.offsets[0]), 0.0)
        self.radius_ = float(np.sqrt(square))
        return found.point, -square

    def _claim(self, things: Any, weights: Vector, coefficients: Vector) -> Claim:
        bounds = weights / (self.nu * weights.sum())
        dual = SupportVectorDual.description(bounds, self._diagonal(things))
        offset = 0.5 * (self.radius_**2 - self.center_norm_**2)
        return Claim(dual, coefficients, np.array([offset, 0.0]))

    def _diagonal(self, things: Any) -> Vector:
        kernel = self.kernel_
        if kernel is None:
            return np.asarray(np.diag(things), dtype=np.float64)
        return np.asarray(kernel.diagonal(things), dtype=np.float64)

    def score_samples(self, X: Any) -> Vector:
        """Return the negative squared distance of each sample from the centre.

        Of a precomputed kernel the value of a new sample with itself is not known; it
        is taken to be 1, as it is after normalisation.
        """
        sums = np.asarray(self._sums(X)[:, 0])
        own: Vector = np.ones(len(sums))
        if self.kernel_ is not None:
            own = self._diagonal(admit_things(self, X))
        return 2.0 * sums - own - self.center_norm_**2
