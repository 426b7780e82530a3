"""Markov's inequality: a mean alone bounds how often a value can be large."""

from dataclasses import dataclass, field
from math import exp, inf, log
from typing import ClassVar

from infimum.parameters import positive
from infimum.theory.concentration._concentration import Concentration

__all__ = ["Markov"]


@dataclass(frozen=True)
class Markov(Concentration):
    r"""The chance that a non-negative quantity is large, from its mean.

    .. math:: P(\bar X \ge \varepsilon) \le \mu / \varepsilon

    Here `epsilon` is the value itself, not a deviation, and the number of draws does
    not matter.

    Examples
    --------
    >>> from infimum.theory import Markov
    >>> round(Markov(mean=2.0).probability(1, 8.0), 6)
    0.25
    """

    mean: float = field(metadata={"domain": positive})
    assumption: ClassVar[str] = "values are not negative"

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.mean) - log(epsilon)

    def _radius(self, n: int, log_delta: float) -> float:
        return self.mean * exp(-log_delta)

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return 1.0 if self._log_probability(1, epsilon) <= log_delta else inf
