"""The result of a method for constrained problems."""

from dataclasses import dataclass

from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.programmes.convex_program import Multipliers
from infimum.study.convexity.programmes.kkt import KKTReport
from infimum.typing import Vector

__all__ = ["ProgramSolution"]


@dataclass(frozen=True, eq=False)
class ProgramSolution:
    """A point, the prices of the constraints there, and the proof they make together.

    Attributes
    ----------
    point : array
        The point found.
    multipliers : Multipliers
        The multipliers of the inequalities (not negative) and of the equalities.
    report : KKTReport
        The optimality conditions at the point, with value, lower bound and gap.
    trace : Trace
        The points passed, with values, gaps and seconds.
    """

    point: Vector
    multipliers: Multipliers
    report: KKTReport
    trace: Trace

    @property
    def value(self) -> float:
        """The objective at the point."""
        return self.report.value

    @property
    def gap(self) -> float:
        """The value minus the dual value at the multipliers."""
        return self.report.gap

    @property
    def iterations(self) -> int:
        """The number of steps taken."""
        return self.trace.iterations
