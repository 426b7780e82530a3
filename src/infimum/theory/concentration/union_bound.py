"""The union bound: many statements at once cost a logarithm."""

from dataclasses import dataclass, field
from math import log
from typing import Any

from infimum.parameters import whole
from infimum.theory.concentration._concentration import Concentration

__all__ = ["UnionBound"]


@dataclass(frozen=True)
class UnionBound(Concentration):
    r"""Several statements by the same inequality that hold together.

    .. math:: P(A_1 \cup \dots \cup A_k) \le \sum_i P(A_i) \le k \max_i P(A_i)

    It is an inequality itself: ask it for a radius at δ and it asks `each` at δ/k.
    `count` may be any whole number, such as ``2**10_000``.

    Examples
    --------
    >>> from infimum.theory import Hoeffding, UnionBound
    >>> round(UnionBound(Hoeffding(), 100).radius(1000, 0.05), 6)
    0.064397
    """

    each: Concentration
    count: int = field(metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        # A huge whole number is no float: the domain is asked only about the others.
        if type(self.count) is not int or self.count < 1:
            super().__post_init__()

    @property
    def assumption(self) -> Any:  # type: ignore[override]
        """What each of the statements assumes; they may depend on each other."""
        return self.each.assumption

    @property
    def approximate(self) -> Any:  # type: ignore[override]
        """Whether each statement is approximate."""
        return self.each.approximate

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.count) + self.each._log_probability(n, epsilon)

    def _radius(self, n: int, log_delta: float) -> float:
        return self.each._radius(n, log_delta - log(self.count))

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return self.each._sample_size(epsilon, log_delta - log(self.count))
