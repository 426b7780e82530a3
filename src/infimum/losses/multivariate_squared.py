"""Multivariate squared loss: several measured targets, errors weighed together."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.losses._loss import VectorLoss
from infimum.typing import Matrix, Vector

__all__ = ["MultivariateSquared"]

#: Eigenvalues this small, relative to the largest, count as 0.
RANK_TOLERANCE = 1e-12


@dataclass(frozen=True)
class MultivariateSquared(VectorLoss):
    r"""Half the squared length of the residual in the metric of a matrix.

    .. math:: \ell(y, f) = \tfrac12 (f - y)^\top M (f - y)

    `matrix` is M, symmetric and positive semi-definite: the precision (inverse
    covariance) of the noise makes this a Gaussian negative log-likelihood, the identity
    the sum of squared losses. Targets have one row per sample.

    Examples
    --------
    >>> import numpy as np
    >>> loss = MultivariateSquared(((2.0, 1.0), (1.0, 2.0)))
    >>> loss.value(np.zeros((1, 2)), np.array([[1.0, -1.0]]))
    array([1.])
    """

    matrix: tuple[tuple[float, ...], ...] = ((1.0, 0.0), (0.0, 1.0))

    target: ClassVar[str] = "vector"
    unlimited: ClassVar[bool] = True
    distance_based: ClassVar[bool] = True

    def __post_init__(self) -> None:
        owner, given = f"{type(self).__name__}.matrix", self.matrix
        M = np.array(given, dtype=np.float64)
        if M.ndim != 2 or M.shape[0] != M.shape[1] or not np.isfinite(M).all():  # noqa: PLR2004
            raise InvalidParameterError(
                f"{owner} must be a square table of numbers, got {given!r}."
            )
        if not np.array_equal(M, M.T) or self._values[0] < -self._rounding:
            raise InvalidParameterError(
                f"{owner} must be symmetric and positive semi-definite, got {given!r}."
            )

    @property
    def curvature(self) -> float:
        """The largest eigenvalue of M."""
        return float(self._values[-1])

    @property
    def outputs(self) -> int:
        return len(self.matrix)

    def value(self, y: Matrix, f: Matrix) -> Vector:
        residual = f - y
        return np.asarray(
            0.5 * np.einsum("ij,ij->i", residual @ self._metric, residual)
        )

    def derivative(self, y: Matrix, f: Matrix) -> Matrix:
        return np.asarray((f - y) @ self._metric)

    def curve(self, y: Matrix, f: Matrix, u: Matrix) -> Matrix:
        return np.asarray(u @ self._metric)

    def conjugate(self, y: Matrix, s: Matrix) -> Vector:
        # Finite on the range of M alone, where ½·sᵀM⁺s + sᵀy is the supremum.
        values, vectors = self._axes
        flat = values <= self._rounding
        if not flat.any():
            squares = np.square(s @ vectors) @ (1.0 / values)
            return np.asarray(0.5 * squares + np.einsum("ij,ij->i", s, y))
        along = s @ vectors
        size = np.abs(along).max(axis=1, initial=0.0)
        inside = np.abs(along[:, flat]).max(axis=1, initial=0.0) <= 1e-9 * size
        squares = (along[:, ~flat] ** 2 / values[~flat]).sum(axis=1)
        return np.where(inside, 0.5 * squares + (s * y).sum(axis=1), np.inf)

    def ceiling(self, y: Matrix, s: Matrix, room: Vector) -> Vector:
        # ½(s + t)ᵀM⁺(s + t) + (s + t)ᵀy is convex: its maximum is at an end of an axis.
        values, vectors = self._axes
        if (values <= self._rounding).any():
            return super().ceiling(y, s, room)
        inverse = (vectors / values) @ vectors.T
        reach = (self.outputs * room)[:, None]
        steep = np.abs(s @ inverse + y)
        risen = reach * steep + 0.5 * reach**2 * inverse.diagonal()
        return np.asarray(self.conjugate(y, s) + risen.max(axis=1))

    def slack(self, y: Matrix, s: Matrix) -> Vector:
        # The domain is a linear space: slopes may move along slopes without limit.
        return np.ones(len(s))

    def best_constant(self, y: Matrix, weights: Vector | None = None) -> Vector:
        if weights is None:
            return np.asarray(y.mean(axis=0))
        return np.asarray(weights @ y / weights.sum())

    @property
    def _metric(self) -> Matrix:
        return _metric_of(tuple(map(tuple, self.matrix)))

    @property
    def _axes(self) -> tuple[Vector, Matrix]:
        return _axes_of(tuple(map(tuple, self.matrix)))

    @property
    def _values(self) -> Vector:
        return self._axes[0]

    @property
    def _rounding(self) -> float:
        return RANK_TOLERANCE * max(float(np.abs(self._metric).max()), 1e-300)


@lru_cache(maxsize=16)
def _metric_of(matrix: tuple[tuple[float, ...], ...]) -> Matrix:
    """Return a matrix as an array, remembered for its asker, who must not change it."""
    metric = np.array(matrix, dtype=np.float64)
    metric.flags.writeable = False
    return metric


@lru_cache(maxsize=16)
def _axes_of(matrix: tuple[tuple[float, ...], ...]) -> tuple[Vector, Matrix]:
    """Return the eigenvalues and eigenvectors of a matrix, remembered for its asker."""
    values, vectors = np.linalg.eigh(np.array(matrix, dtype=np.float64))
    return values, vectors
