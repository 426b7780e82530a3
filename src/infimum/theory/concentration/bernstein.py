"""Bernstein's inequality: a small variance makes a bounded mean stray less."""

from dataclasses import dataclass, field
from math import log, sqrt
from typing import ClassVar

from infimum.parameters import Choice, positive
from infimum.theory.concentration._concentration import Concentration

__all__ = ["Bernstein"]


@dataclass(frozen=True)
class Bernstein(Concentration):
    r"""The mean of independent draws with a known variance and a known range.

    .. math:: P(|\bar X - \mu| \ge \varepsilon)
        \le 2 \exp\Bigl(-\frac{n \varepsilon^2}{2\sigma^2 + \frac23 w\varepsilon}\Bigr)

    where no draw is further than w from the mean; the length of the range will do.

    Examples
    --------
    >>> from infimum.theory import Bernstein, Hoeffding
    >>> rare = Bernstein(variance=0.01 * 0.99)
    >>> rare.sample_size(0.01, 0.05), Hoeffding().sample_size(0.01, 0.05)
    (977, 18445)
    """

    variance: float = field(default=0.25, metadata={"domain": positive})
    width: float = field(default=1.0, metadata={"domain": positive})
    sides: int = field(default=2, metadata={"domain": Choice((1, 2))})
    assumption: ClassVar[str] = (
        "draws are independent, have this variance and lie in a known interval"
    )

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.sides) - n * epsilon / self._per_epsilon(epsilon)

    def _radius(self, n: int, log_delta: float) -> float:
        doubt = log(self.sides) - log_delta
        # The positive root of n ε² - (2/3) w L ε - 2 σ² L = 0, with L the doubt.
        half = self.width * doubt / 3
        return (half + sqrt(half * half + 2 * n * self.variance * doubt)) / n

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return (log(self.sides) - log_delta) * self._per_epsilon(epsilon) / epsilon

    def _per_epsilon(self, epsilon: float) -> float:
        return 2 * self.variance / epsilon + 2 * self.width / 3
