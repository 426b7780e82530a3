"""The bound for finitely many functions: Hoeffding and a union."""

from dataclasses import dataclass, field
from math import log, sqrt
from typing import ClassVar, Self

from infimum.parameters import check_domain, nonnegative, opened, positive, whole
from infimum.theory.bounds._capacity_bound import CapacityBound

__all__ = ["FiniteBound"]


@dataclass(frozen=True)
class FiniteBound(CapacityBound):
    r"""m functions, chosen before the rows were seen.

    .. math:: \varepsilon = \sqrt{\frac{\log(2m) + \log(1/\delta)}{2n}}

    The field is log m, so that m may be :math:`2^{10000}`; `of` takes m itself. A class
    that is described in b bits has :math:`m = 2^b` functions.

    Examples
    --------
    >>> from infimum.theory import FiniteBound
    >>> round(FiniteBound.of(50).width(1000, 0.05), 6)
    0.061648
    >>> FiniteBound.of(100).sample_size(0.05, 0.05)
    1659
    """

    log_size: float = field(metadata={"domain": nonnegative})
    method: ClassVar[str] = "finite class bound"

    def __post_init__(self) -> None:
        check_domain("FiniteBound.log_size", self.log_size, nonnegative)

    @classmethod
    def of(cls, size: int) -> Self:
        """Return the bound for this many functions, however many."""
        if type(size) is not int or size < 1:  # a huge whole number is no float
            check_domain("FiniteBound's size", size, whole(1))
        return cls(log(size))

    @classmethod
    def of_bits(cls, bits: float) -> Self:
        """Return the bound for functions that are told apart by so many bits."""
        return cls(bits * log(2.0))

    @property
    def bits(self) -> float:
        """How many bits name one of the functions."""
        return self.log_size / log(2.0)

    def largest(self, n: int, epsilon: float, delta: float) -> float:
        """Return log m of the largest class with this width; negative: not even one."""
        check_domain("FiniteBound's n", n, whole(1))
        check_domain("FiniteBound's epsilon", epsilon, positive)
        check_domain("FiniteBound's delta", delta, opened(0, 1))
        return 2 * n * epsilon * epsilon + log(delta) - log(2.0)

    def _width(self, n: int, log_delta: float) -> float:
        return sqrt((log(2.0) + self.log_size - log_delta) / (2 * n))

    def _slack(self, n: int, log_delta: float) -> float:
        return sqrt((log(2.0) - log_delta) / (2 * n))
