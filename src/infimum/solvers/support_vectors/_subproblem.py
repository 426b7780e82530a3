"""The quadratic in the variables of one working set, while the others stand still."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.solvers.support_vectors._box_quadratic import CROWD, ActiveSet
from infimum.solvers.support_vectors._dual_run import DualRun
from infimum.solvers.support_vectors._free_step import free_step
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LARGE", "SetProblem"]

#: Steps of a working set, per variable.
STEPS = 200
#: Variables from which on a set may be solved all at once, and steps per variable after
#: which that takes less time.
LARGE, HASTE = 1500, 10
#: Bounds that variables may run into while equations are solved.
HITS = 3
#: Multiplications between two looks at the clock, when there is a time limit.
GLANCE = 2e8


class SetProblem:
    """A square of kernel values, the slopes and the point of some variables.

    Parameters
    ----------
    run : DualRun
    chosen : array of places
        The variables, those of the first group first.
    square : callable
        Makes the matrix of the quadratic in the chosen variables.
    """

    def __init__(
        self, run: DualRun, chosen: Indices, square: Callable[[Indices], Matrix]
    ) -> None:
        self.run, self.chosen, self._make = run, chosen, square
        dual = run.dual
        self.box = dual.low[chosen], dual.high[chosen]
        self.split = int(np.count_nonzero(dual.groups[chosen] == 0))
        self._square: Matrix | None = None
        self._bounds: ActiveSet | None = None
        #: Whether there was no factor to leap with.
        self.singular = False

    def begin(self, gradient: Vector, kind: Any = np.float64) -> None:
        """Start at the run's point; slopes are numbers of that kind.

        While sums are kept only differences count; those from the mean of the free
        variables, which vanish at the optimum, survive rounding best.
        """
        self.start = self.run.point[self.chosen]
        slopes = gradient[self.chosen]
        free = (self.start > self.box[0]) & (self.start < self.box[1])
        for group in (slice(0, self.split), slice(self.split, None)):
            if free[group].any():
                slopes[group] -= slopes[group][free[group]].mean()
        self.point, self.slopes = self.start.copy(), slopes.astype(kind)

    @property
    def change(self) -> Vector:
        """How far the variables have moved."""
        return self.point - self.start

    @property
    def ready(self) -> bool:
        """Whether a leap has been prepared."""
        return self._bounds is not None

    def hurry(self, shrinkage: float) -> bool:
        """Try a few pairs; tell whether they were enough."""
        return self.by_pairs(shrinkage, HASTE)

    def by_pairs(self, shrinkage: float, most: int = STEPS) -> bool:
        """Move two of the variables at a time; tell whether they are solved.

        Until the KKT gap is a share of what it was, or rounding.
        """
        from infimum.compiled.descent.sequential_minimal import descend_pairs

        if self._square is None:
            self._square = self._make(self.chosen)
        square, left = self._square, most * len(self.chosen)
        smallest = 4.0 * float(np.finfo(square.dtype).eps)
        floor = smallest * float(np.abs(self.slopes).max())
        rarely = self.run.max_seconds is None
        stint = left if rarely else int(GLANCE / len(self.chosen)) + 1
        while left > 0:
            steps, before, after = descend_pairs(
                square, self.slopes, self.point, self.box, self.split, True, floor,
                shrinkage, min(left, stint),
            )  # fmt: skip
            left -= steps
            floor, shrinkage = max(floor, shrinkage * before), 0.0
            if after <= floor or self.run.late:
                return True
        return False

    def settle(self) -> bool:
        """Solve for the variables inside their boxes; tell whether they got there.

        Where one would leave its box, all go as far as they can, and it stays there.
        """
        if self._square is None:
            self._square = self._make(self.chosen)
        places = self.run.dual.places[self.chosen]
        for _ in range(HITS):
            step = free_step(
                self._square, self.slopes, self.point, self.box, self.split, places
            )
            if step is None:
                return False
            free, aims, whole = step
            change = aims - self.point[free]
            slopes = self.slopes + self._square[:, free] @ change
            if float(change @ (self.slopes[free] + slopes[free])) > 0.0:
                return False  # up instead of down: that was rounding
            self.slopes, self.point[free] = slopes, aims
            if whole:
                return True
        return False

    def leap(self) -> bool:
        """Go to the minimum at once; tell whether that was possible.

        Near the optimum of a large set pairs creep, but the bounds that hold are known.
        """
        low, high = self.box
        held = np.count_nonzero((self.point <= low) | (self.point >= high))
        if len(self.chosen) < LARGE or held > CROWD * len(self.chosen):
            return False
        if self._bounds is None:
            square = self._make(self.chosen) if self._square is None else self._square
            self._square, self._bounds = None, ActiveSet(square, self.split)
        found = self._bounds.minimum(self.slopes, self.point, *self.box)
        if found is None:
            self.singular, self._bounds = self._bounds.failed, None
            return False
        self.point = found
        return True
