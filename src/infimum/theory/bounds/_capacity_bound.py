"""`CapacityBound`: a bound on the risk that inverts to a sample size."""

from abc import ABC, abstractmethod
from math import inf, log
from typing import ClassVar

from infimum.parameters import check_domain, closed, opened, positive, whole
from infimum.theory.guarantee import Guarantee

__all__ = ["CapacityBound"]

#: No bound is followed to more rows than this.
_MOST_ROWS = 1 << 62


class CapacityBound(ABC):
    r"""A bound for all functions of a class at once, from the rows they were chosen on.

    .. math:: \sup_{f \in F} |R(f) - R_n(f)| \le \text{width}(n, \delta)
        \quad\text{with probability at least } 1 - \delta

    so that it holds for the function that was chosen on the same rows. Losses lie in
    [0, 1]. Subclasses are frozen dataclasses.
    """

    method: ClassVar[str]
    assumption: ClassVar[str] = "rows are drawn independently from one law"

    def width(self, n: int, delta: float) -> float:
        """Return how far the true risk of any function is from the measured one."""
        check_domain(f"{type(self).__name__}'s n", n, whole(1))
        check_domain(f"{type(self).__name__}'s delta", delta, opened(0, 1))
        return self._width(int(n), log(delta))

    def sample_size(self, epsilon: float, delta: float) -> float:
        """Return the rows from which on the width is at most `epsilon`.

        It is a whole number, or infinite if no number of rows suffices.
        """
        check_domain(f"{type(self).__name__}'s epsilon", epsilon, positive)
        check_domain(f"{type(self).__name__}'s delta", delta, opened(0, 1))
        low, high, doubt = 0, 1, log(delta)
        while self._width(high, doubt) > epsilon:
            low, high = high, 2 * high
            if high > _MOST_ROWS:
                return inf
        while high - low > 1:
            middle = (low + high) // 2
            enough = self._width(middle, doubt) <= epsilon
            low, high = (low, middle) if enough else (middle, high)
        return high

    def guarantee(
        self,
        n: int,
        estimate: float = 0.0,
        confidence: float = 0.95,
        *,
        comparisons: int = 1,
    ) -> Guarantee:
        """Return the bound of a risk that was `estimate` on the n training rows.

        `capacity` is what the class costs beyond a single function, whose width is
        `slack`. `comparisons` bounds or classes share the risk of being wrong.
        """
        check_domain("The estimate of a guarantee", estimate, closed(0, 1))
        check_domain("The comparisons of a guarantee", comparisons, whole(1))
        check_domain("The confidence of a guarantee", confidence, opened(0, 1))
        delta = (1 - confidence) / comparisons
        width, slack = self.width(n, delta), self._slack(int(n), log(delta))
        return Guarantee(
            quantity="error rate",
            method=self.method,
            estimate=float(estimate),
            bound=estimate + width,
            confidence=confidence,
            n=int(n),
            comparisons=int(comparisons),
            capacity=width - slack,
            slack=slack,
            rows="training rows",
            assumption=self.assumption,
        )

    @abstractmethod
    def _width(self, n: int, log_delta: float) -> float:
        """Return the width at log δ."""

    @abstractmethod
    def _slack(self, n: int, log_delta: float) -> float:
        """Return the width for a class of one function."""
