"""The normal approximation of a mean: usual, narrow, and not proved."""

from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import ClassVar

from scipy.stats import norm

from infimum.parameters import Choice, nonnegative, positive
from infimum.theory.concentration._concentration import Concentration

__all__ = ["NormalApproximation"]


@dataclass(frozen=True)
class NormalApproximation(Concentration):
    r"""The mean of many draws, taken for normal with variance :math:`\sigma^2 / n`.

    .. math:: P(|\bar X - \mu| \ge \varepsilon) \approx
        2\,\Phi\bigl(-\varepsilon \sqrt n / \sigma\bigr)

    `inflate` is added to the variance: a variance that was estimated on few rows is
    better not underestimated.

    Examples
    --------
    >>> from infimum.theory import NormalApproximation
    >>> NormalApproximation(40_000.0).sample_size(20.0, 0.05)
    385
    """

    variance: float = field(default=0.25, metadata={"domain": positive})
    inflate: float = field(default=0.0, metadata={"domain": nonnegative})
    sides: int = field(default=2, metadata={"domain": Choice((1, 2))})
    assumption: ClassVar[str] = "means of so many draws are normal already"
    approximate: ClassVar[bool] = True

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.sides) + float(norm.logsf(epsilon * sqrt(n) / self._scale))

    def _radius(self, n: int, log_delta: float) -> float:
        return max(0.0, self._quantile(log_delta)) * self._scale / sqrt(n)

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return (max(0.0, self._quantile(log_delta)) * self._scale / epsilon) ** 2

    @property
    def _scale(self) -> float:
        return sqrt(self.variance + self.inflate)

    def _quantile(self, log_delta: float) -> float:
        return float(norm.isf(exp(log_delta) / self.sides))
