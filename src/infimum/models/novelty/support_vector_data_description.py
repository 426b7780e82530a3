"""Support vector data description: the smallest ball around most of the samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import things
from infimum.errors import DataError
from infimum.models.kernel.support_vectors.nu_property import NuProperty
from infimum.models.novelty._support_vector_detector import SupportVectorDetector
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.solvers import DualSolution
from infimum.typing import Vector

__all__ = ["SupportVectorDataDescription"]

#: By so little, as a share of squared lengths, fields that say one thing may differ.
WORDS = 1e-7


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

    def _dual(self, things: Any, weights: Vector) -> SupportVectorDual:
        bounds = weights / (self.nu * weights.sum())
        tiles = kernel_tiles(self.kernel_, things)
        vague = tiles.blur() * tiles.lengths() ** 2
        return SupportVectorDual.description(bounds, self._diagonal(things), vague)

    def _read(self, dual: SupportVectorDual, found: DualSolution) -> float:
        outside = found.scores + found.offsets[0] + dual.linear < 0
        self.nu_property_ = NuProperty.of(found.point, dual.high, outside, self.nu)
        norm = max(float(found.point @ found.scores), 0.0)
        self.center_norm_ = float(np.sqrt(norm))
        # On the border 2f(x) - k(x, x) + 2b = 0, and ‖Φ(x) - c‖² = k(x, x) - 2f + ‖c‖².
        square = max(norm + 2.0 * float(found.offsets[0]), 0.0)
        self.radius_ = float(np.sqrt(square))
        return -square

    def _offset(self) -> float:
        return -0.5 * float(self.offset_[0] + self.center_norm_**2)

    def _check_words(self, dual: SupportVectorDual, point: Vector, some: Any) -> None:
        super()._check_words(dual, point, some)
        scores = dual.scores(kernel_tiles(self.kernel_, some), point)
        size = float(np.abs(point) @ self._diagonal(some)) + self.radius_**2
        wrong = abs(float(point @ scores) - self.center_norm_**2)
        wrong = max(wrong, abs(self.radius_**2 + float(self.offset_[0])))
        if not wrong <= WORDS * size:
            raise DataError(
                "SupportVectorDataDescription has a radius_ or a center_norm_ that its "
                "other fields contradict: its file or its fields were changed."
            )

    def _diagonal(self, things: Any) -> Vector:
        kernel = self.kernel_
        if kernel is None:
            return np.asarray(np.diag(things), dtype=np.float64)
        if hasattr(things, "dtype"):
            things = things.astype(np.float64)  # as the sums are
        return np.asarray(kernel.diagonal(things), dtype=np.float64)

    def score_samples(self, X: Any) -> Vector:
        """Return the negative squared distance of each sample from the centre.

        Of a precomputed kernel the value of a new sample with itself is not known; it
        is taken to be 1, as it is after normalisation.
        """
        sums = np.asarray(self._sums(X)[:, 0])
        own: Vector = np.ones(len(sums))
        if self.kernel_ is not None:
            own = self._diagonal(things(self, X, reset=False).X)
        return 2.0 * sums - own - self.center_norm_**2
