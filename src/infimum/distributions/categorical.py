"""Categorical distribution: one trial with several outcomes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, softmax

from infimum.distributions._given import numbers
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Categorical"]


@dataclass(frozen=True)
class Categorical(ExponentialFamily):
    r"""The law of a die with faces 0, …, K - 1 and the given `probabilities`.

    .. math:: p(y; \eta) = e^{\eta_y - A(\eta)}, \qquad
              A(\eta) = \log \textstyle\sum_k e^{\eta_k}

    The natural parameters are log-probabilities; adding a constant to all of them
    changes nothing, so the covariance of the statistics is singular.

    Examples
    --------
    >>> Categorical.fit([0, 1, 1, 3]).probabilities
    (0.25, 0.5, 0.0, 0.25)
    """

    probabilities: tuple[float, ...] = (0.5, 0.5)

    support: ClassVar[str] = "{0, …, K - 1}"
    discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        shares = numbers("Categorical.probabilities", self.probabilities)
        whole = shares.ndim == 1 and len(shares) and shares.min() >= 0
        if not whole or abs(shares.sum() - 1.0) > 1e-9:
            raise InvalidParameterError(
                "Categorical.probabilities must be non-negative numbers that sum to "
                f"1, got {self.probabilities!r}."
            )

    def covers(self, y: Vector) -> Mask:
        last = len(self.probabilities) - 1
        return np.asarray((y >= 0) & (y <= last) & (y == np.floor(y)))

    def log_density(self, y: ArrayLike) -> Vector:
        """Return log p of each face; -inf, with a warning, for one that is never seen.

        Examples
        --------
        >>> Categorical((0.25, 0.75)).log_density([1]).round(4)
        array([-0.2877])
        """
        found = self._logs(y)
        if np.isneginf(found).any():
            face = np.ravel(np.asarray(y))[int(np.argmin(np.ravel(found)))]
            warnings.warn(
                f"Categorical: {face} has probability 0, so that its logarithm is "
                "-inf; a ConjugatePrior gives faces that were never seen some.",
                stacklevel=2,
            )
        return found

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(self.natural[y.astype(np.intp)])

    @property
    def mean(self) -> Vector:
        """The mean of the indicators of the faces: their probabilities."""
        return np.array(self.probabilities)

    @property
    def variance(self) -> Vector:
        """The variance of the indicator of each face."""
        return self.mean * (1.0 - self.mean)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        faces = rng.choice(len(self.probabilities), size=n, p=self.probabilities)
        return faces.astype(np.float64)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, float(len(self.probabilities) - 1)

    def _cdf(self, y: Vector) -> Vector:
        sums = np.minimum(np.cumsum(self.probabilities), 1.0)
        return np.asarray(sums[y.astype(np.intp)])

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.rv_discrete(
            values=(np.arange(len(self.probabilities)), self.probabilities)
        )

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        faces = int(y.max()) + 1 if y.min() >= 0 else 0
        if not faces or not (y == np.floor(y)).all():
            raise DataError("Categorical reads whole numbers that are not negative.")
        counts = np.bincount(y.astype(np.intp), weights, minlength=faces)
        return cls(tuple((counts / counts.sum()).tolist()))

    @property
    def natural(self) -> Vector:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.array(self.probabilities)))

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(tuple(softmax(eta).tolist()))

    def statistics(self, y: ArrayLike) -> Matrix:
        codes = np.asarray(y).astype(np.intp)
        return np.asarray(np.eye(len(self.probabilities))[codes])

    def log_base(self, y: ArrayLike) -> Vector:
        return np.zeros(len(np.asarray(y)))

    def log_partition(self, eta: Vector) -> float:
        return float(logsumexp(eta))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(softmax(eta))

    def statistics_covariance(self, eta: Vector) -> Matrix:
        shares = np.asarray(softmax(eta))
        return np.asarray(np.diag(shares) - np.outer(shares, shares))
