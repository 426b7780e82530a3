"""What a descent leaves behind: every point it visited, and why it stopped."""

from dataclasses import dataclass, field

import numpy as np

from infimum.convexity.convex_function import ConvexFunction
from infimum.parameters import check_domain, positive
from infimum.typing import Matrix, Vector

__all__ = ["Logbook", "Trace"]


@dataclass(frozen=True, eq=False)
class Trace:
    """The visited points (one row each), with values, gradients, directions and steps.

    There is one more point than there are steps. `reason` is ``"gradient"`` (the
    gradient fell below the tolerance), ``"movement"`` (the last step was shorter than
    the tolerance), ``"stalled"`` (the step no longer changes the point) or ``"budget"``
    (the iterations are used up).
    """

    points: Matrix
    values: Vector
    gradients: Matrix
    directions: Matrix
    steps: Vector
    reason: str

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
    def iterations(self) -> int:
        """The number of steps taken."""
        return len(self.steps)

    @property
    def gradient_norms(self) -> Vector:
        """The Euclidean norm of each gradient."""
        return np.asarray(np.linalg.norm(self.gradients, axis=1))

    def gap_bounds(self, strong_convexity: float) -> Vector:
        """Return ‖gradient‖² / 2σ for each point: it bounds value minus minimum."""
        check_domain("Trace.gap_bounds strong_convexity", strong_convexity, positive)
        return np.asarray(self.gradient_norms**2 / (2.0 * strong_convexity))


@dataclass
class Logbook:
    """A trace in the making."""

    function: ConvexFunction
    start: Vector
    _rows: list[tuple[Vector, float, Vector]] = field(default_factory=list)
    _moves: list[tuple[Vector, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._arrive(np.array(self.start, dtype=float))

    @property
    def point(self) -> Vector:
        """The present point."""
        return self._rows[-1][0]

    @property
    def value(self) -> float:
        """The present value."""
        return self._rows[-1][1]

    @property
    def gradient(self) -> Vector:
        """The present gradient."""
        return self._rows[-1][2]

    def recent(self, count: int) -> list[float]:
        """Return the last `count` values."""
        return [value for _, value, _ in self._rows[-count:]]

    def move(self, step: float, direction: Vector, to: Vector | None = None) -> bool:
        """Go step · direction further, or `to` a point; return whether it moved."""
        target = self.point + step * direction if to is None else to
        moved = not np.array_equal(target, self.point)
        self._moves.append((direction, step))
        self._arrive(target)
        return moved

    def close(self, reason: str) -> Trace:
        """Return the finished trace."""
        points, values, gradients = zip(*self._rows, strict=True)
        shape = (len(self._moves), self.point.size)
        return Trace(
            np.array(points),
            np.array(values),
            np.array(gradients),
            np.array([direction for direction, _ in self._moves]).reshape(shape),
            np.array([step for _, step in self._moves]),
            reason,
        )

    def _arrive(self, point: Vector) -> None:
        row = (point, self.function.value(point), self.function.gradient(point))
        self._rows.append(row)
