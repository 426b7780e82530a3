"""The exact law of a share: what every bound for 0-1 draws is measured against."""

from dataclasses import dataclass, field
from math import log
from typing import Any, ClassVar

import numpy as np
from scipy.stats import binom

from infimum.parameters import Choice, closed
from infimum.theory.concentration._concentration import Concentration
from infimum.theory.concentration.hoeffding import Hoeffding
from infimum.typing import Vector

__all__ = ["ExactBinomial"]

#: k/n - p and ε are compared up to this share of one draw.
_ROUNDING = 1e-9
_BLOCK = 4096


@dataclass(frozen=True)
class ExactBinomial(Concentration):
    r"""The share of successes among n draws that succeed with probability `rate`.

    .. math:: P\bigl(|K/n - p| \ge \varepsilon\bigr), \qquad K \sim
        \text{Binomial}(n, p)

    Nothing is bounded: the probability is summed. ``side`` is "both", "above" or
    "below". `radius` returns the least deviation a share can have whose probability
    is at most δ; `sample_size` the draws from which on the probability stays below δ.

    Examples
    --------
    Eleven sixes or fewer in a hundred throws of a die:

    >>> from infimum.theory import ExactBinomial
    >>> round(ExactBinomial(1 / 6, "below").probability(100, 1 / 6 - 0.11), 5)
    0.07772
    """

    rate: float = field(default=0.5, metadata={"domain": closed(0, 1)})
    side: str = field(
        default="both", metadata={"domain": Choice(("both", "above", "below"))}
    )
    assumption: ClassVar[str] = "draws are independent and succeed at this rate"

    def _log_probability(self, n: int, epsilon: float) -> float:
        total = float(self._tails(np.array([n]), epsilon)[0])
        return log(total) if total > 0 else -np.inf

    def _radius(self, n: int, log_delta: float) -> float:
        gaps = np.arange(n + 1) / n - self.rate
        reached = {"both": np.abs(gaps), "above": gaps, "below": -gaps}[self.side]
        able = np.unique(reached[reached > _ROUNDING / n])
        # Tails fall with the deviation: find the first that is small enough.
        low, high = 0, len(able)
        while low < high:
            middle = (low + high) // 2
            small = self._log_probability(n, float(able[middle])) <= log_delta
            low, high = (low, middle) if small else (middle + 1, high)
        beyond = (able[-1] if len(able) else 0.0) + 1 / n
        return float(able[low]) if low < len(able) else float(beyond)

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        # Hoeffding holds from some n on; the tail is a saw before, so look backwards.
        sides = 2 if self.side == "both" else 1
        last = int(Hoeffding(sides=sides)._sample_size(epsilon, log_delta)) + 1
        for stop in range(last, 0, -_BLOCK):
            counts = np.arange(max(1, stop - _BLOCK + 1), stop + 1)
            large = np.flatnonzero(self._tails(counts, epsilon) > np.exp(log_delta))
            if len(large):
                return float(counts[large[-1]] + 1)
        return 1.0

    def _tails(self, n: Any, epsilon: float) -> Vector:
        total = np.zeros(len(n))
        if self.side != "above":
            low = np.floor(n * (self.rate - epsilon) + _ROUNDING)
            total += binom.cdf(low, n, self.rate)
        if self.side != "below":
            high = np.ceil(n * (self.rate + epsilon) - _ROUNDING)
            total += binom.sf(high - 1, n, self.rate)
        return total
