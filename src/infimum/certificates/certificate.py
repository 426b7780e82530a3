"""A certificate: two numbers with the optimum between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["FINEST", "Certificate", "least_certain"]

#: The gap cannot be resolved below this share of the numbers it is the difference of.
RESOLUTION = 1e-15
#: The finest tolerance that rounding does not excuse.
FINEST = 1e-9
#: Where no rounding was counted, bounds may contradict each other by this share.
UNCOUNTED = 1e-12


@dataclass(frozen=True)
class Certificate:
    """An upper bound `primal` and a lower bound `dual` on the least possible risk.

    Attributes
    ----------
    primal : float
        The objective at the certified point, as computed.
    dual : float
        A number that no point can go below. The rounding that was counted is already
        subtracted from it.
    scale : float
        What there is to gain: the excess risk of the null model. 0 if rounding hides
        whether there is anything.
    tolerance : float
        The relative gap that was asked for.
    reason : str
        Why the solver stopped there.
    slack : float
        The rounding that was counted: a bound on the error of both numbers together.

    Examples
    --------
    >>> proof = Certificate(primal=1.25, dual=1.0, scale=5.0, tolerance=0.1)
    >>> proof.gap, proof.relative_gap, proof.closed
    (0.25, 0.05, True)

    A lower bound above the upper one is a contradiction, and proves nothing:

    >>> wrong = Certificate(primal=0.65, dual=0.81)
    >>> wrong.invalid, wrong.gap, wrong.closed
    (True, inf, False)
    """

    primal: float
    dual: float
    scale: float = 1.0
    tolerance: float = 1e-6
    reason: str = "checked"
    slack: float = 0.0

    @property
    def invalid(self) -> bool:
        """Whether the bounds contradict each other by more than rounding can explain.

        Then one of them is wrong, or the problem is not what it is taken for: nothing
        is proved.
        """
        size = max(abs(self.primal), abs(self.dual))
        if not math.isfinite(size):
            return not self.dual < self.primal
        return self.dual - self.primal > (self.slack or UNCOUNTED * size)

    @property
    def gap(self) -> float:
        """Largest possible excess risk of the certified point."""
        return math.inf if self.invalid else max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of what there is to gain."""
        gap = self.gap
        if not math.isfinite(gap):
            return math.inf  # no bound at all; without this, inf <= inf would close it
        nothing = RESOLUTION * max(abs(self.primal), abs(self.dual))
        if self.scale <= 0.0:  # nothing to gain that rounding does not hide
            nothing += 2.0 * self.slack
        if gap <= nothing:
            return 0.0
        return gap / self.scale if self.scale > 0 else math.inf

    @property
    def closed(self) -> bool:
        """Whether the gap is within the tolerance that was asked for."""
        return bool(self.relative_gap <= self.tolerance)

    @property
    def rounded(self) -> bool:
        """Whether rounding alone keeps the gap open."""
        known = math.isfinite(self.gap) and self.slack > 0.0
        return (
            known
            and not self.closed
            and (self.gap - self.slack <= self.tolerance * self.scale)
        )

    def as_fine_as_rounding_allows(self) -> Certificate:
        """Return the certificate, its tolerance raised where only rounding is above it.

        To 1e-9 at most: rounding that hides more than that is told, not allowed for.
        """
        if self.closed or self.tolerance >= FINEST:
            return self
        raised = replace(self, tolerance=FINEST)
        return raised if self.rounded and raised.closed else self

    def plot(self, history: Sequence[Any] = ()) -> Figure:
        """Draw both bounds; along a fit if its ``history_`` is given.

        Returns
        -------
        plotly.graph_objects.Figure

        Examples
        --------
        >>> proof = Certificate(primal=1.25, dual=1.0, scale=5.0, tolerance=0.1)
        >>> [trace.name for trace in proof.plot().data]
        ['no model below', 'risk reached']
        """
        from infimum.certificates.picture import draw

        return draw(self, history)

    def __str__(self) -> str:
        if self.invalid:
            return (
                f"INVALID: risk {self.primal:.6g}, but no model below {self.dual:.6g}: "
                f"the bounds contradict each other, nothing is proved ({self.reason})"
            )
        verdict = "proved" if self.closed else "NOT proved"
        return (
            f"risk {self.primal:.6g}, no model below {self.dual:.6g}: relative gap "
            f"{self.relative_gap:.1e}, optimal within {self.tolerance:.0e} {verdict} "
            f"({self.reason})"
        )


def least_certain(proofs: Sequence[Certificate]) -> int:
    """Return which proof says least: an open one, if there is, with the widest gap.

    Examples
    --------
    >>> wide, fine = Certificate(1.0, 0.5, 1.0, 0.6), Certificate(1.0, 0.9, 1.0, 0.01)
    >>> least_certain([wide, fine])
    1
    """

    def doubt(k: int) -> tuple[bool, float]:
        return not proofs[k].closed, proofs[k].relative_gap

    return max(range(len(proofs)), key=doubt)
