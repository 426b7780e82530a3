"""Hypergeometric: drawing from an urn without putting back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy.special import betaln

from infimum.distributions._distribution import Distribution
from infimum.errors import InvalidParameterError
from infimum.parameters import whole
from infimum.typing import Mask, Vector

__all__ = ["Hypergeometric"]


@dataclass(frozen=True)
class Hypergeometric(Distribution):
    r"""The number of marked balls among `draws` from an urn of `total` with `marked`.

    .. math:: p(k) = \binom{K}{k} \binom{N - K}{n - k} \Big/ \binom{N}{n}

    Examples
    --------
    >>> Hypergeometric(total=10, marked=5, draws=3).density([0, 1, 2, 3]).round(4)
    array([0.0833, 0.4167, 0.4167, 0.0833])
    """

    total: int = field(default=2, metadata={"domain": whole(1)})
    marked: int = field(default=1, metadata={"domain": whole(0)})
    draws: int = field(default=1, metadata={"domain": whole(0)})

    def __post_init__(self) -> None:
        super().__post_init__()
        if max(self.marked, self.draws) > self.total:
            raise InvalidParameterError(
                "Hypergeometric.marked and draws must not exceed total, got "
                f"{self.marked}, {self.draws} and {self.total}."
            )

    support: ClassVar[str] = "the possible counts"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray(
            (y >= self.ends[0]) & (y <= self.ends[1]) & (y == np.floor(y))
        )

    def _log_density(self, y: Vector) -> Vector:
        plain = self.total - self.marked
        ways = _log_ways(self.marked, y) + _log_ways(plain, self.draws - y)
        return np.asarray(ways - _log_ways(self.total, self.draws))

    @property
    def mean(self) -> float:
        return float(self.draws * self.marked / self.total)

    @property
    def variance(self) -> float:
        return float(self._spread())

    @property
    def ends(self) -> tuple[float, float]:
        return float(max(0, self.draws + self.marked - self.total)), float(
            min(self.draws, self.marked)
        )

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        plain = self.total - self.marked
        drawn = rng.hypergeometric(self.marked, plain, self.draws, size=n)
        return np.asarray(drawn, dtype=np.float64)

    def _spread(self) -> float:
        if self.total == 1:
            return 0.0
        share = self.marked / self.total
        left = (self.total - self.draws) / (self.total - 1.0)
        return self.draws * share * (1.0 - share) * left

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.hypergeom(self.total, self.marked, self.draws)


def _log_ways(n: float, k: Any) -> Any:
    """Return the logarithm of the binomial coefficient."""
    return -betaln(n - k + 1.0, k + 1.0) - np.log(n + 1.0)
