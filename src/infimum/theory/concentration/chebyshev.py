"""Chebyshev's inequality: a variance bounds how far a mean strays."""

from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import ClassVar

from infimum.errors import InvalidParameterError
from infimum.parameters import positive
from infimum.theory.concentration._concentration import Concentration

__all__ = ["Chebyshev", "max_variance"]


@dataclass(frozen=True)
class Chebyshev(Concentration):
    r"""The mean of draws with a known variance.

    .. math:: P(|\bar X - \mu| \ge \varepsilon) \le \frac{\sigma^2}{n \varepsilon^2}

    Nothing else is assumed of the law, so that it pays much for a small δ.

    Examples
    --------
    >>> from infimum.theory import Chebyshev
    >>> Chebyshev(variance=40_000.0).sample_size(20.0, 0.05)
    2000
    """

    variance: float = field(default=0.25, metadata={"domain": positive})
    assumption: ClassVar[str] = "draws are uncorrelated and have this variance"

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.variance) - log(n) - 2 * log(epsilon)

    def _radius(self, n: int, log_delta: float) -> float:
        return sqrt(self.variance / n) * exp(-log_delta / 2)

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return self.variance / (epsilon * epsilon * exp(log_delta))


def max_variance(low: float, high: float, mean: float | None = None) -> float:
    """Return the largest variance of a quantity in [low, high] with this mean.

    It is ``(mean - low) * (high - mean)``, reached by a law on the two ends (Bhatia and
    Davis). None takes the worst mean, the middle.

    Examples
    --------
    >>> from infimum.theory import max_variance
    >>> max_variance(0, 400), max_variance(0, 400, 300)
    (40000.0, 30000.0)
    """
    middle = 0.5 * (low + high) if mean is None else mean
    if not (low < high and low <= middle <= high):
        raise InvalidParameterError(
            f"max_variance needs low < high and a mean in between, got {low:g}, "
            f"{high:g} and {middle:g}."
        )
    return float((middle - low) * (high - middle))
