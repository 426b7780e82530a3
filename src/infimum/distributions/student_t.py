"""Student: the normal law with an uncertain variance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import betaln, gammaln, psi, stdtr, stdtrit

from infimum.distributions._distribution import Distribution
from infimum.distributions.inference._likeliest import likeliest
from infimum.errors import DataError
from infimum.parameters import Interval, positive
from infimum.typing import Mask, Vector

__all__ = ["StudentT"]


#: A scale, in units of the range, at which a fit has fallen into one value.
COLLAPSED = 1e-8
#: Half the degrees from which on the first two terms of a series are exact.
NORMAL = 1e5


@dataclass(frozen=True)
class StudentT(Distribution):
    r"""Student's law, shifted to `location` and stretched by `scale`.

    .. math:: p(y; \nu, m, s) \propto
              \Bigl(1 + \frac{((y - m)/s)^2}{\nu}\Bigr)^{-(\nu + 1)/2}

    It is the normal law averaged over an inverse-gamma variance, and what a Bayesian
    linear regression predicts.

    Examples
    --------
    >>> StudentT(4.0, 0.0, 3.0).variance
    18.0
    """

    degrees: float = field(default=1.0, metadata={"domain": positive})
    location: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})
    scale: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "the real numbers"

    def covers(self, y: Vector) -> Mask:
        return np.asarray(np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        far = ((y - self.location) / self.scale) ** 2 / self.degrees
        half = 0.5 * self.degrees
        constant = (
            gammaln(half + 0.5) - gammaln(half) - 0.5 * np.log(np.pi * self.degrees)
        )
        return np.asarray(constant - np.log(self.scale) - (half + 0.5) * np.log1p(far))

    @property
    def mean(self) -> float:
        return float(self.location if self.degrees > 1.0 else np.nan)

    @property
    def variance(self) -> float:
        return float(self._spread())

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(stdtr(self.degrees, (y - self.location) / self.scale))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(stdtr(self.degrees, (self.location - y) / self.scale))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(self.location + self.scale * stdtrit(self.degrees, q))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return self.location + self.scale * rng.standard_t(self.degrees, size=n)

    def _spread(self) -> float:
        if self.degrees <= 2.0:
            return np.inf if self.degrees > 1.0 else np.nan
        return float(self.scale**2 * self.degrees / (self.degrees - 2.0))

    def entropy(self) -> float:
        half = 0.5 * self.degrees
        constant = 0.5 * np.log(self.degrees) + betaln(half, 0.5) + np.log(self.scale)
        rise = float(psi(half + 0.5) - psi(half))
        if half > NORMAL:  # the difference of two numbers that agree in most digits
            rise = 0.5 / half + 0.125 / half**2
        return float((half + 0.5) * rise + constant)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.t(self.degrees, self.location, self.scale)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        values, places = np.unique(y, return_inverse=True)
        if len(values) < 2:  # noqa: PLR2004
            raise DataError("StudentT.fit needs two different values or more.")
        shares = np.asarray(np.bincount(places, weights), dtype=np.float64)
        cuts = np.searchsorted(np.cumsum(shares), (0.25, 0.5, 0.75))
        low, middle, high = values[np.minimum(cuts, len(values) - 1)].tolist()
        whole = float(np.ptp(values))
        start = 5.0, middle, 0.7 * (high - low) or whole
        found = likeliest(cls, values, shares, start, (True, False, True))
        if not found.scale > COLLAPSED * whole:
            raise DataError(
                "StudentT.fit: the likelihood grows without bound around "
                f"{found.location:g}; no law is likeliest."
            )
        return found
