"""Wishart: sums of squares and products of normal vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import multigammaln, polygamma, psi

from infimum.compiled.threads import one_blas_thread
from infimum.distributions._distribution import positive_definite
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import Interval
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Wishart"]


@dataclass(frozen=True, eq=False)
class Wishart(ExponentialFamily):
    r"""The law of Σᵢxᵢxᵢᵀ for `degrees` normal vectors of covariance `scale`.

    .. math:: p(Y; \nu, V) \propto |Y|^{(\nu - d - 1)/2}
              \exp\bigl(-\tfrac12 \operatorname{tr} V^{-1} Y\bigr)

    With the base measure |Y|^(-(d + 1)/2) the statistics are log|Y| and -Y/2 and the
    natural parameters ν/2, which must exceed (d - 1)/2, and V⁻¹.

    Examples
    --------
    >>> Wishart(3.0, [[1.0, 0.0], [0.0, 2.0]]).mean
    array([[3., 0.],
           [0., 6.]])
    """

    degrees: float
    scale: Matrix

    support: ClassVar[str] = "the positive definite matrices"
    event_axes: ClassVar[int] = 2

    def __post_init__(self) -> None:
        scale, _ = positive_definite("Wishart.scale", self.scale)
        if self.degrees not in Interval(len(scale) - 1, np.inf, open_low=True):
            raise InvalidParameterError(
                f"Wishart.degrees must be above {len(scale) - 1}, got {self.degrees!r}."
            )
        object.__setattr__(self, "scale", scale)

    def covers(self, y: Vector) -> Mask:
        d = len(self.scale)
        if y.shape[-2:] != (d, d):
            raise DataError(
                f"Wishart reads {d} × {d} matrices, got an array of shape {y.shape}."
            )
        even = np.isclose(y, np.swapaxes(y, -1, -2), rtol=1e-9, atol=0.0)
        safe = np.where(np.isfinite(y), y, 0.0)
        inside = np.linalg.eigvalsh(safe).min(axis=-1) > 0
        return np.asarray(inside & even.all(axis=(-1, -2)))

    def _log_density(self, y: Vector) -> Vector:
        d, eta = len(self.scale), self.natural
        logs = np.linalg.slogdet(y)[1]
        traces = np.einsum("ij,...ji->...", eta[1:].reshape(d, d), y)
        kernel = 0.5 * (self.degrees - d - 1.0) * logs - 0.5 * traces
        return np.asarray(kernel - self.log_partition(eta))

    @property
    def mean(self) -> Matrix:
        return np.asarray(self.degrees * self.scale)

    @property
    def variance(self) -> Matrix:
        """The variance of each entry."""
        diagonal = np.diag(self.scale)
        return self.degrees * (self.scale**2 + np.outer(diagonal, diagonal))

    def _sample(self, n: int, rng: np.random.Generator) -> Matrix:
        # Bartlett's decomposition: a triangle of normal values, roots of χ² on top.
        d = len(self.scale)
        triangle = np.tril(rng.standard_normal((n, d, d)), -1)
        places = np.arange(d)
        squares = rng.chisquare(self.degrees - places, size=(n, d))
        triangle[:, places, places] = np.sqrt(squares)
        with one_blas_thread():  # whose sums do not depend on the number of threads
            lower = np.linalg.cholesky(self.scale) @ triangle
            return np.asarray(lower @ np.swapaxes(lower, 1, 2))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.wishart(self.degrees, self.scale)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        from scipy.optimize import brentq

        d = y.shape[-1]
        if not cls(d + 1.0, np.eye(d)).covers(y).all():
            raise DataError(f"Wishart reads {cls.support}.")
        mean = np.einsum("i,ijk->jk", weights, y)
        logs = float(weights @ np.linalg.slogdet(y)[1])
        excess = float(np.linalg.slogdet(mean)[1]) - logs

        def slope(degrees: float) -> float:
            digammas = psi(0.5 * (degrees - np.arange(d))).sum()
            return float(d * np.log(0.5 * degrees) - digammas) - excess

        if excess <= 1e-12 or slope(1e12) > 0:
            raise DataError("Wishart.fit needs two different matrices or more.")
        degrees = brentq(slope, d - 1.0 + 1e-9, 1e12, xtol=1e-12, rtol=1e-14)
        return cls(float(degrees), mean / degrees)

    @property
    def natural(self) -> Vector:
        inverse = np.linalg.inv(self.scale)
        return np.concatenate([[0.5 * self.degrees], inverse.ravel()])

    def from_natural(self, eta: Vector) -> Self:
        scale = np.linalg.inv(_matrix(eta))
        return type(self)(2.0 * float(eta[0]), 0.5 * (scale + scale.T))

    def statistics(self, y: ArrayLike) -> Matrix:
        values = np.asarray(y, dtype=np.float64)
        logs = np.linalg.slogdet(values)[1][:, None]
        return np.hstack([logs, -0.5 * values.reshape(len(values), -1)])

    def log_base(self, y: ArrayLike) -> Vector:
        values = np.asarray(y, dtype=np.float64)
        power = -0.5 * (values.shape[-1] + 1.0)
        return np.asarray(power * np.linalg.slogdet(values)[1])

    def log_partition(self, eta: Vector) -> float:
        half, inverse = float(eta[0]), _matrix(eta)
        d = len(inverse)
        if half <= 0.5 * (d - 1) or np.linalg.eigvalsh(inverse).min() <= 0:
            return np.inf
        logs = float(np.linalg.slogdet(inverse)[1])
        return float(multigammaln(half, d) + half * (d * np.log(2.0) - logs))

    def mean_statistics(self, eta: Vector) -> Vector:
        law = self.from_natural(eta)
        d = len(law.scale)
        logs = float(np.linalg.slogdet(law.scale)[1]) + d * np.log(2.0)
        logs += float(psi(0.5 * (law.degrees - np.arange(d))).sum())
        return np.concatenate([[logs], -0.5 * law.mean.ravel()])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        law = self.from_natural(eta)
        V, d = law.scale, len(law.scale)
        first = float(polygamma(1, 0.5 * (law.degrees - np.arange(d))).sum())
        pairs = np.einsum("ik,jl->ijkl", V, V) + np.einsum("il,jk->ijkl", V, V)
        inner = 0.25 * law.degrees * pairs.reshape(d * d, d * d)
        across = -V.reshape(1, -1)
        return np.block([[np.array([[first]]), across], [across.T, inner]])


def _matrix(eta: Vector) -> Matrix:
    """Return V⁻¹ from natural parameters."""
    d = int(np.sqrt(len(eta) - 1))
    inverse = eta[1:].reshape(d, d)
    return np.asarray(0.5 * (inverse + inverse.T))
