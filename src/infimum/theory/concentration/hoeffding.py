"""Hoeffding's inequality: a range bounds how far a mean strays, exponentially."""

from dataclasses import dataclass, field
from math import expm1, log, sqrt
from typing import ClassVar

from infimum.parameters import Choice, check_domain, positive
from infimum.theory.concentration._concentration import Concentration

__all__ = ["Hoeffding"]


@dataclass(frozen=True)
class Hoeffding(Concentration):
    r"""The mean of independent draws from an interval of length `width`.

    .. math:: P(|\bar X - \mu| \ge \varepsilon)
        \le 2 \exp\Bigl(-\frac{2 n \varepsilon^2}{(b - a)^2}\Bigr)

    With ``sides=1`` only deviations in one direction count, and the factor 2 is gone.

    Examples
    --------
    >>> from infimum.theory import Hoeffding
    >>> Hoeffding(width=400.0).sample_size(20.0, 0.05)
    738
    >>> round(Hoeffding().radius(1000, 0.05), 4)
    0.0429
    """

    width: float = field(default=1.0, metadata={"domain": positive})
    sides: int = field(default=2, metadata={"domain": Choice((1, 2))})
    assumption: ClassVar[str] = "draws are independent and lie in a known interval"

    def summed_probability(self, epsilon: float) -> float:
        """Return the sum of the bounds over all sizes n from 1 on.

        It is finite, so that with probability 1 only finitely many means are off by
        `epsilon` or more (Borel and Cantelli): the strong law of large numbers.
        """
        check_domain("Hoeffding's epsilon", epsilon, positive)
        return self.sides / expm1(2 * (epsilon / self.width) ** 2)

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.sides) - 2 * n * (epsilon / self.width) ** 2

    def _radius(self, n: int, log_delta: float) -> float:
        return self.width * sqrt((log(self.sides) - log_delta) / (2 * n))

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return (log(self.sides) - log_delta) / 2 * (self.width / epsilon) ** 2
