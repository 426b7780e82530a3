"""Multivariate normal: vectors whose every linear combination is normal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.distributions._distribution import positive_definite
from infimum.distributions._given import numbers
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.distributions.normal import HALF_LOG_TWO_PI
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["MultivariateNormal"]

#: Coordinates from which on BLAS is quicker, with rows that stay in the cache.
WIDE, BLOCK = 64, 2048
#: Numbers from which on a compiled loop pays.
MANY = 20_000


@dataclass(frozen=True, eq=False)
class MultivariateNormal(ExponentialFamily):
    r"""The normal law of vectors with mean `location` and a `covariance`.

    .. math:: p(y; \mu, \Sigma) = (2\pi)^{-d/2} |\Sigma|^{-1/2}
              \exp\bigl(-\tfrac12 (y - \mu)^\top \Sigma^{-1} (y - \mu)\bigr)

    The statistics are y and -½yyᵀ, the natural parameters Σ⁻¹μ and Σ⁻¹. A covariance
    that is not positive definite is refused.

    Examples
    --------
    >>> law = MultivariateNormal([0.0, 0.0], [[1.0, 0.5], [0.5, 1.0]])
    >>> law.log_density([[0.0, 0.0]]).round(3)
    array([-1.694])
    """

    location: Vector
    covariance: Matrix

    support: ClassVar[str] = "the real vectors"
    event_axes: ClassVar[int] = 1

    def __post_init__(self) -> None:
        owner = "MultivariateNormal.covariance"
        covariance, factor = positive_definite(owner, self.covariance)
        location = numbers("MultivariateNormal.location", self.location).copy()
        if location.shape != covariance.shape[:1] or not np.isfinite(location).all():
            raise InvalidParameterError(
                f"MultivariateNormal.location must be {len(covariance)} finite "
                f"numbers, got {self.location!r}."
            )
        object.__setattr__(self, "location", location)
        object.__setattr__(self, "covariance", covariance)
        object.__setattr__(self, "_factor", factor)

    def covers(self, y: Vector) -> Mask:
        self._check_width(y)
        return np.asarray(np.isfinite(y).all(axis=-1))

    def _logs(self, y: ArrayLike) -> Vector:
        values = numbers("MultivariateNormal", y)
        self._check_width(values)
        # Rows are read once: only where an answer is not finite are they looked at.
        with np.errstate(invalid="ignore", over="ignore"):
            logs = self._log_density(values)
        if np.isfinite(logs).all():
            return logs
        hidden = np.isnan(logs) | ~self.covers(values)
        return np.asarray(np.where(hidden, -np.inf, logs))

    def _log_density(self, y: Vector) -> Vector:
        d = len(self.location)
        with one_blas_thread():
            inverse = solve_triangular(self._lower, np.eye(d), lower=True)
        rows = np.ascontiguousarray(y.reshape(-1, d))
        squares = _squares(rows, self.location, np.ascontiguousarray(inverse))
        constant = np.log(np.diag(self._lower)).sum() + d * HALF_LOG_TWO_PI
        squares *= -0.5
        squares -= constant
        return squares.reshape(y.shape[:-1])

    @property
    def mean(self) -> Vector:
        return self.location

    @property
    def variance(self) -> Matrix:
        """The covariance matrix."""
        return self.covariance

    @property
    def deviation(self) -> Vector:
        """The standard deviation of each coordinate."""
        return np.sqrt(np.diag(self.covariance))

    def axes(self) -> tuple[Vector, Matrix]:
        """Return variances along the axes of the ellipsoids and the axes (columns)."""
        lengths, directions = np.linalg.eigh(self.covariance)
        return lengths, directions

    def marginal(self, places: ArrayLike) -> Self:
        """Return the law of some coordinates, which is normal again."""
        kept = self._coordinates("marginal", places)
        return type(self)(self.location[kept], self.covariance[np.ix_(kept, kept)])

    def conditional(self, places: ArrayLike, values: ArrayLike) -> Self:
        """Return the law of the other coordinates once those at `places` are known."""
        known = self._coordinates("conditional", places)
        seen = numbers("MultivariateNormal.conditional", values)
        if seen.shape != known.shape or not np.isfinite(seen).all():
            raise DataError(
                "MultivariateNormal.conditional takes one finite value for each of "
                f"{len(known)} coordinates, got {values!r}."
            )
        free = np.setdiff1d(np.arange(len(self.location)), known)
        across = self.covariance[np.ix_(free, known)]
        gain = np.linalg.solve(self.covariance[np.ix_(known, known)], across.T).T
        if not len(free):
            raise DataError("MultivariateNormal.conditional: no coordinate is left.")
        apart = seen - self.location[known]
        left = self.covariance[np.ix_(free, free)] - gain @ across.T
        return type(self)(self.location[free] + gain @ apart, 0.5 * (left + left.T))

    def _sample(self, n: int, rng: np.random.Generator) -> Matrix:
        drawn = rng.standard_normal((n, len(self.location)))
        with one_blas_thread():  # whose sums do not depend on the number of threads
            return np.asarray(self.location + drawn @ self._lower.T)

    def entropy(self) -> float:
        d = len(self.location)
        return float(np.log(np.diag(self._lower)).sum() + d * (HALF_LOG_TWO_PI + 0.5))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.multivariate_normal(self.location, self.covariance)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        with one_blas_thread():
            mean = weights @ y
            apart = y - mean
            spread = (weights[:, None] * apart).T @ apart
        if _flat(spread, mean):
            raise DataError(
                "MultivariateNormal.fit: the rows lie in a plane, so that no law is "
                "likeliest."
            )
        return cls(mean, 0.5 * (spread + spread.T))

    @property
    def natural(self) -> Vector:
        precision = np.linalg.inv(self.covariance)
        return np.concatenate([precision @ self.location, precision.ravel()])

    def from_natural(self, eta: Vector) -> Self:
        pull, precision = _parted(eta)
        covariance = np.linalg.inv(precision)
        return type(self)(covariance @ pull, 0.5 * (covariance + covariance.T))

    def statistics(self, y: ArrayLike) -> Matrix:
        rows = np.asarray(y, dtype=np.float64)
        outer = -0.5 * rows[:, :, None] * rows[:, None, :]
        return np.hstack([rows, outer.reshape(len(rows), -1)])

    def log_base(self, y: ArrayLike) -> Vector:
        rows = np.asarray(y)
        return np.full(len(rows), -HALF_LOG_TWO_PI * rows.shape[1])

    def log_partition(self, eta: Vector) -> float:
        pull, precision = _parted(eta)
        try:
            lower = np.linalg.cholesky(precision)
        except np.linalg.LinAlgError:
            return np.inf
        half = solve_triangular(lower, pull, lower=True)
        return float(0.5 * half @ half - np.log(np.diag(lower)).sum())

    def mean_statistics(self, eta: Vector) -> Vector:
        law = self.from_natural(eta)
        second = law.covariance + np.outer(law.location, law.location)
        return np.concatenate([law.location, -0.5 * second.ravel()])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        law = self.from_natural(eta)
        m, S, d = law.location, law.covariance, len(law.location)
        cross = np.einsum("ik,j->ijk", S, m) + np.einsum("ij,k->ijk", S, m)
        pairs = np.einsum("jl,km->jklm", S, S) + np.einsum("jm,kl->jklm", S, S)
        for first, second in (("jl", "km"), ("jm", "kl"), ("kl", "jm"), ("km", "jl")):
            pairs += np.einsum(f"{first},{second}->jklm", np.outer(m, m), S)
        across = -0.5 * cross.reshape(d, d * d)
        inner = 0.25 * pairs.reshape(d * d, d * d)
        return np.block([[S, across], [across.T, inner]])

    @property
    def _lower(self) -> Matrix:
        factor: Matrix = self.__dict__["_factor"]
        return factor

    def _coordinates(self, what: str, places: ArrayLike) -> Indices:
        """Return different coordinates of this law, or refuse them."""
        owner, d = f"MultivariateNormal.{what}", len(self.location)
        found = numbers(owner, places)
        proper = found.ndim == 1 and np.isin(found, np.arange(-d, d)).all()
        kept = np.asarray(found % d if proper else [], dtype=np.intp)
        if not len(kept) or len(np.unique(kept)) < len(kept):
            raise DataError(
                f"{owner} takes one or more different coordinates of {d}, got "
                f"{places!r}."
            )
        return kept

    def _check_width(self, y: Vector) -> None:
        if y.ndim == 0 or y.shape[-1] != len(self.location):
            raise DataError(
                f"MultivariateNormal reads vectors of {len(self.location)} numbers, "
                f"got an array of shape {y.shape}."
            )


def _parted(eta: Vector) -> tuple[Vector, Matrix]:
    """Return Σ⁻¹μ and Σ⁻¹ from natural parameters."""
    d = int(np.sqrt(len(eta)))
    precision = eta[d:].reshape(d, d)
    return eta[:d], 0.5 * (precision + precision.T)


def _flat(spread: Matrix, mean: Vector) -> bool:
    """Tell whether a covariance is singular but for the rounding of the rows."""
    sizes = np.sqrt(np.diag(spread))
    rounding = len(mean) * np.finfo(np.float64).eps
    if not (sizes > rounding * np.abs(mean)).all():
        return True
    correlation = spread / sizes / sizes[:, None]
    return bool(np.linalg.eigvalsh(correlation).min() <= 10.0 * rounding)


def _squares(rows: Matrix, centre: Vector, lower: Matrix) -> Vector:
    """Return ‖L(y - μ)‖² of each row."""
    if len(centre) < WIDE and rows.size > MANY:
        from infimum.compiled.laws.white_squares import white_squares

        return white_squares(rows, centre, lower)
    squares, shift = np.empty(len(rows)), lower @ centre

    def fill(blocks: slice) -> None:
        for block in range(blocks.start, blocks.stop):
            some = slice(block * BLOCK, (block + 1) * BLOCK)
            apart = rows[some] @ lower.T
            apart -= shift
            squares[some] = np.einsum("ij,ij->i", apart, apart)

    with one_blas_thread():
        count = -(-len(rows) // BLOCK)
        in_parts(count, fill, max(1, min(count, 16)))
    return squares
