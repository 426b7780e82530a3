"""A certificate: two numbers with the optimum between them."""

import math
from dataclasses import dataclass

__all__ = ["Certificate"]

#: The gap cannot be resolved below this share of the numbers it is the difference of.
RESOLUTION = 1e-15


@dataclass(frozen=True)
class Certificate:
    """An upper bound `primal` and a lower bound `dual` on the least possible risk.

    Attributes
    ----------
    primal : float
        The objective at the certified point.
    dual : float
        A number that no point can go below.
    scale : float
        What there is to gain: the excess risk of the null model.
    tolerance : float
        The relative gap that was asked for.
    reason : str
        Why the solver stopped there.

    Examples
    --------
    >>> proof = Certificate(primal=1.25, dual=1.0, scale=5.0, tolerance=0.1)
    >>> proof.gap, proof.relative_gap, proof.closed
    (0.25, 0.05, True)
    """

    primal: float
    dual: float
    scale: float = 1.0
    tolerance: float = 1e-6
    reason: str = "checked"

    @property
    def gap(self) -> float:
        """Largest possible excess risk of the certified point."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of what there is to gain."""
        if not math.isfinite(self.gap):
            return math.inf  # no bound at all; without this, inf <= inf would close it
        if self.gap <= RESOLUTION * max(abs(self.primal), abs(self.dual)):
            return 0.0
        return self.gap / self.scale if self.scale > 0 else math.inf

    @property
    def closed(self) -> bool:
        """Whether the gap is within the tolerance that was asked for."""
        return self.relative_gap <= self.tolerance

    def __str__(self) -> str:
        verdict = "proved" if self.closed else "NOT proved"
        return (
            f"risk {self.primal:.6g}, no model below {self.dual:.6g}: relative gap "
            f"{self.relative_gap:.1e}, optimal within {self.tolerance:.0e} {verdict} "
            f"({self.reason})"
        )
