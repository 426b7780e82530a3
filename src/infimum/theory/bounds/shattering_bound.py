"""The bounds of Vapnik and Chervonenkis: by a growth function, by a dimension."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isinf, log, sqrt
from typing import Any, ClassVar, Self

from infimum.errors import IncompatibleError
from infimum.parameters import check_domain, opened, positive, whole
from infimum.theory.bounds._capacity_bound import CapacityBound

__all__ = ["ShatteringBound", "VCBound"]


def _inverted(log_growth: float, n: int, log_delta: float) -> float:
    """Solve 2 N exp(-n ε²/4) = δ for ε."""
    return 2 * sqrt((log(2.0) + log_growth - log_delta) / n)


@dataclass(frozen=True)
class ShatteringBound(CapacityBound):
    r"""A class with growth function N, by symmetrisation with a ghost sample.

    .. math:: P\bigl(\sup_f |R - R_n| > \varepsilon\bigr) \le 2 N(F, 2n)\,
        e^{-n\varepsilon^2/4}, \qquad
        \varepsilon = 2\sqrt{\frac{\log(2 N(F, 2n)) + \log(1/\delta)}{n}}

    Lectures often drop the 2 inside the logarithm; that width fails with probability
    up to 2δ.

    Examples
    --------
    >>> from infimum.theory import Discs, ShatteringBound
    >>> round(ShatteringBound.of(Discs()).width(1000, 0.05), 5)
    0.31432
    """

    log_growth: Callable[[int], float]
    method: ClassVar[str] = "shattering bound"

    @classmethod
    def of(cls, hypotheses: Any) -> Self:
        """Return the bound of a hypothesis class with a finite VC dimension."""
        _refuse_infinite(hypotheses.vc_dimension, type(hypotheses).__name__)
        return cls(lambda n: log(hypotheses.growth(n)))

    def _width(self, n: int, log_delta: float) -> float:
        return _inverted(self.log_growth(2 * n), n, log_delta)

    def _slack(self, n: int, log_delta: float) -> float:
        return _inverted(0.0, n, log_delta)


@dataclass(frozen=True)
class VCBound(CapacityBound):
    r"""A class of VC dimension d, with the power that bounds its growth.

    .. math:: \varepsilon = 2\sqrt{\frac{\log 2 + d \log(2en/d) + \log(1/\delta)}{n}}

    Up to constants and a logarithm it asks for :math:`n = d/\varepsilon^2` rows.

    Examples
    --------
    >>> from infimum.theory import VCBound
    >>> round(VCBound(3).width(1000, 0.05), 5), VCBound(3).sample_size(0.1, 0.05)
    (0.3237, 13612)
    """

    dimension: float = field(metadata={"domain": positive})
    method: ClassVar[str] = "VC bound"

    def __post_init__(self) -> None:
        _refuse_infinite(self.dimension, "A class")
        check_domain("VCBound.dimension", self.dimension, positive)

    def largest(self, n: int, epsilon: float, delta: float) -> float:
        """Return the largest dimension with this width; 0: not even 1."""
        check_domain("VCBound's n", n, whole(1))
        check_domain("VCBound's epsilon", epsilon, positive)
        check_domain("VCBound's delta", delta, opened(0, 1))
        low, high, doubt = 0, 2 * n + 1, log(delta)
        while high - low > 1:
            middle = (low + high) // 2
            fits = VCBound(middle)._width(n, doubt) <= epsilon
            low, high = (middle, high) if fits else (low, middle)
        return low

    def _width(self, n: int, log_delta: float) -> float:
        d = self.dimension
        # Fewer points than the dimension may all be labelled in every way.
        power = d * (1 + log(2 * n / d)) if 2 * n >= d else inf
        return _inverted(min(power, 2 * n * log(2.0)), n, log_delta)

    def _slack(self, n: int, log_delta: float) -> float:
        return _inverted(0.0, n, log_delta)


def _refuse_infinite(dimension: float, whose: str) -> None:
    if isinf(dimension):
        raise IncompatibleError(
            f"{whose} of infinite VC dimension has no uniform bound: it can be right "
            "on every training row and say nothing about others."
        )
