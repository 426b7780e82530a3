"""`Concentration`: a tail bound that inverts to a radius or a sample size."""

from abc import ABC, abstractmethod
from math import ceil, exp, inf, isfinite, log
from typing import Any, ClassVar

from infimum.parameters import check_domain, check_domains, opened, positive, whole

__all__ = ["Concentration", "rounded_up"]

#: A count that rounding put just above a whole number means that number.
_ROUNDING = 1e-12


class Concentration(ABC):
    r"""How far the mean of n draws can be from its expectation.

    .. math:: P\bigl(|\bar X_n - \mu| \ge \varepsilon\bigr) \le \text{probability}(n,
        \varepsilon)

    Subclasses are frozen dataclasses. The three methods say the same: given two of n,
    ε and δ each returns the third. `assumption` names what the proof needs;
    `approximate` is True if there is no proof for a finite n.
    """

    assumption: ClassVar[str]
    approximate: ClassVar[bool] = False

    __post_init__ = check_domains

    def probability(self, n: int, epsilon: float) -> float:
        """Return a bound of the probability of a deviation of `epsilon` or more."""
        self._check(n=n, epsilon=epsilon)
        return exp(min(0.0, self._log_probability(int(n), float(epsilon))))

    def radius(self, n: int, delta: float) -> float:
        """Return a deviation that is reached with probability at most `delta`."""
        self._check(n=n, delta=delta)
        return self._radius(int(n), log(delta))

    def sample_size(self, epsilon: float, delta: float) -> float:
        """Return the draws from which on `probability` is at most `delta`.

        It is a whole number, or infinite if no number of draws suffices.
        """
        self._check(epsilon=epsilon, delta=delta)
        return rounded_up(self._sample_size(float(epsilon), log(delta)))

    @abstractmethod
    def _log_probability(self, n: int, epsilon: float) -> float:
        """Return the logarithm of the bound; it may exceed 0."""

    @abstractmethod
    def _radius(self, n: int, log_delta: float) -> float:
        """Return the deviation at which the bound is δ."""

    @abstractmethod
    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        """Return the number of draws, not rounded, at which the bound is δ."""

    def _check(self, **given: Any) -> None:
        domains = {"n": whole(1), "epsilon": positive, "delta": opened(0, 1)}
        for name, value in given.items():
            check_domain(f"{type(self).__name__}'s {name}", value, domains[name])


def rounded_up(count: float) -> float:
    """Return the next whole number, at least 1; what is not finite is infinite."""
    return max(1, ceil(count * (1 - _ROUNDING))) if isfinite(count) else inf
