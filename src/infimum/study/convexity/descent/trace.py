"""Traces of descent methods: points, values, gaps and times.

Descents on plain functions and solvers of risks leave the same `Trace`, so that one
picture (`plot`) shows them side by side.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Trace", "TraceRow"]


class TraceRow(NamedTuple):
    """One row of a trace: after `iteration` steps, which took so many `seconds`.

    `gap` bounds how far the best value up to here lies above the minimum; it is
    infinite where nothing is proved.
    """

    iteration: int
    point: Vector
    value: float
    gap: float
    seconds: float


@dataclass(frozen=True, eq=False)
class Trace:
    """The visited points (one row each) with value, proven gap and time of each.

    Parameters
    ----------
    points : array, one row for each record
        Where the method was; the first row is the start.
    values : array
        The objective at each point.
    gaps : array, optional
        After each point, how far the best value so far can at most be above the
        minimum; infinite where nothing is proved, which is the default.
    seconds : array, optional
        The time since the start at which each point was reached; zeros by default.
    reason : str
        Why the run ended, in a word or a sentence.

    Iterating over a trace gives its `TraceRow` rows.

    >>> import numpy as np
    >>> trace = Trace(np.array([[2.0], [0.0]]), np.array([4.0, 0.0]), reason="gradient")
    >>> trace.iterations, trace.value, trace.gap
    (1, 0.0, inf)
    >>> [record.value for record in trace]
    [4.0, 0.0]
    """

    points: Matrix
    values: Vector
    gaps: Vector = field(default_factory=lambda: np.empty(0))
    seconds: Vector = field(default_factory=lambda: np.empty(0))
    reason: str = ""

    def __post_init__(self) -> None:
        count = len(self.values)
        for name, missing in (("gaps", np.inf), ("seconds", 0.0)):
            if len(getattr(self, name)) == 0:
                object.__setattr__(self, name, np.full(count, missing))
        lengths = {len(self.points), len(self.gaps), len(self.seconds)}
        if lengths != {count} or count == 0:
            raise DataError(
                "Trace needs one value, gap and time for each of at least one point, "
                f"got {count} values and lengths {sorted(lengths)}."
            )

    @property
    def point(self) -> Vector:
        """The last point."""
        return np.asarray(self.points[-1])

    @property
    def value(self) -> float:
        """The last value."""
        return float(self.values[-1])

    @property
    def best(self) -> float:
        """The least value seen."""
        return float(np.min(self.values))

    @property
    def best_point(self) -> Vector:
        """The point with the least value."""
        return np.asarray(self.points[int(np.argmin(self.values))])

    @property
    def gap(self) -> float:
        """The last gap: no point anywhere is better than the best one by more."""
        return float(self.gaps[-1])

    @property
    def iterations(self) -> int:
        """The number of steps taken."""
        return len(self.values) - 1

    @property
    def seconds_per_iteration(self) -> Vector:
        """The time each step took."""
        return np.asarray(np.diff(self.seconds))

    def __iter__(self) -> Iterator[TraceRow]:
        rows = zip(self.points, self.values, self.gaps, self.seconds, strict=True)
        for iteration, (point, value, gap, seconds) in enumerate(rows):
            yield TraceRow(iteration, point, float(value), float(gap), float(seconds))

    def plot(self, against: str = "iteration", name: str = "") -> "Figure":
        """Draw value and gap `against` the ``"iteration"`` or the ``"seconds"``."""
        from infimum.study.convexity.descent.picture import plot

        return plot({name or "value": self}, against)
