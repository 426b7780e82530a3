"""The trace of a descent that follows gradients, and the logbook it is written in."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.parameters import check_domain, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.norms import dual_order, norm
from infimum.typing import Matrix, Vector

__all__ = ["DescentTrace", "Logbook"]


@dataclass(frozen=True, eq=False)
class DescentTrace(Trace):
    """A trace that also has the gradient at each point and each direction and step.

    There is one more point than there are steps. `reason` is ``"gradient"`` (the
    gradient fell below the tolerance), ``"movement"`` (the last step was shorter than
    the tolerance), ``"gap"`` (the proven gap did), ``"stalled"`` (the step no longer
    changes the point) or ``"budget"`` (the iterations are used up).
    """

    gradients: Matrix = field(default_factory=lambda: np.empty((0, 0)))
    directions: Matrix = field(default_factory=lambda: np.empty((0, 0)))
    steps: Vector = field(default_factory=lambda: np.empty(0))

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
    """A trace in the making.

    What is known to lie below the minimum is noted with `prove`; a strongly convex
    function proves f(w) - ‖∇f(w)‖²/2σ by itself.
    """

    function: ConvexFunction
    start: Vector
    values: list[float] = field(default_factory=list)
    _best: float = np.inf
    _rows: list[tuple[Vector, float, Vector]] = field(default_factory=list)
    _moves: list[tuple[Vector, float]] = field(default_factory=list)
    _lower: list[float] = field(default_factory=list)
    _seconds: list[float] = field(default_factory=list)
    _began: float = field(default_factory=perf_counter)

    def __post_init__(self) -> None:
        point = np.array(self.start, dtype=float)
        if point.ndim != 1 or not np.isfinite(point).all():
            raise InvalidParameterError(
                f"A descent starts from a vector of finite numbers, got {self.start!r}."
            )
        try:
            self._arrive(point)
        except (IndexError, TypeError, ValueError) as error:
            raise IncompatibleError(
                f"{type(self.function).__name__} cannot be evaluated at a start of "
                f"{len(point)} numbers: {error}"
            ) from error

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

    @property
    def gap(self) -> float:
        """The least value so far minus the largest lower bound proved so far."""
        return self._best - self._lower[-1]

    def recent(self, count: int) -> list[float]:
        """Return the last `count` values."""
        return self.values[-count:]

    def move(self, step: float, direction: Vector, to: Vector | None = None) -> bool:
        """Go step · direction further, or `to` a point; return whether it moved."""
        target = self.point + step * direction if to is None else to
        moved = not np.array_equal(target, self.point)
        self._moves.append((direction, step))
        self._arrive(target)
        return moved

    def prove(self, lower: float) -> None:
        """Note, at the present point, a number that no value lies below."""
        self._lower[-1] = max(self._lower[-1], lower)

    def close(self, reason: str) -> DescentTrace:
        """Return the finished trace."""
        points, values, gradients = zip(*self._rows, strict=True)
        shape = (len(self._moves), self.point.size)
        # Rounding may put a tight bound a hair above the value it belongs to.
        gaps = np.minimum.accumulate(values) - np.array(self._lower)
        return DescentTrace(
            np.array(points),
            np.array(values),
            np.maximum(gaps, 0.0),
            np.array(self._seconds),
            reason,
            np.array(gradients),
            np.array([direction for direction, _ in self._moves]).reshape(shape),
            np.array([step for _, step in self._moves]),
        )

    def _arrive(self, point: Vector) -> None:
        value, gradient = self.function.value(point), self.function.gradient(point)
        self._rows.append((point, value, gradient))
        self.values.append(value)
        self._best = min(self._best, value)
        self._seconds.append(perf_counter() - self._began)
        self._lower.append(self._lower[-1] if self._lower else -np.inf)
        sigma = self.function.strong_convexity
        if sigma > 0.0:
            length = norm(gradient, dual_order(self.function.norm_order))
            self.prove(value - length**2 / (2.0 * sigma))
