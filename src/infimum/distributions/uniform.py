"""Uniform: every value of an interval alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import Interval
from infimum.typing import Mask, Vector

__all__ = ["Uniform"]


@dataclass(frozen=True)
class Uniform(Distribution):
    r"""The law with the same density everywhere between `low` and `high`.

    .. math:: p(y; a, b) = \frac{1}{b - a}, \qquad a \le y \le b

    Examples
    --------
    >>> Uniform(-1.0, 1.0).density([0.0, 2.0])
    array([0.5, 0. ])
    """

    low: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})
    high: float = field(default=1.0, metadata={"domain": Interval(-np.inf, np.inf)})

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.high:
            raise InvalidParameterError(
                f"Uniform.high must be above low, got {self.low!r} and {self.high!r}."
            )

    support: ClassVar[str] = "[low, high]"

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= self.low) & (y <= self.high))

    def _log_density(self, y: Vector) -> Vector:
        return np.full(y.shape, -np.log(self.high - self.low))

    @property
    def mean(self) -> float:
        return float(0.5 * self.low + 0.5 * self.high)

    @property
    def variance(self) -> float:
        return float((self.high - self.low) ** 2 / 12.0)

    @property
    def ends(self) -> tuple[float, float]:
        return float(self.low), float(self.high)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray((y - self.low) / (self.high - self.low))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(self.low + q * (self.high - self.low))

    def _characteristic(self, omega: Vector) -> Any:
        half = 0.5 * (self.high - self.low)
        return np.exp(1j * self.mean * omega) * np.sinc(half * omega / np.pi)

    def entropy(self) -> float:
        return float(np.log(self.high - self.low))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.uniform(self.low, self.high - self.low)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:  # noqa: ARG003
        low, high = float(y.min()), float(y.max())
        if not low < high:
            raise DataError("Uniform.fit needs two different values or more.")
        return cls(low, high)
