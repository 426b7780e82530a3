"""Working sets of a support vector machine: which variables, and how f follows."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.objectives import KernelCache, KernelTiles
from infimum.solvers._certain_scores import Sketch
from infimum.solvers.support_vectors._dual_run import DualRun, Extremes
from infimum.solvers.support_vectors._subproblem import LARGE, SetProblem
from infimum.typing import Indices, Matrix, Vector

__all__ = ["WorkingSets"]

#: Variables of a working set whose kernel rows are kept whole, at most; and how many
#: there must be room for.
MANY, FEWEST = 2048, 128
#: Variables from which on rounded kernel values may help with the proof.
FEW = 1025
#: What a rounded value costs, as a share of the cost of an exact one.
CHEAPER = 0.6
#: A working set is solved until its KKT gap is this share of what it was.
SHRINKAGE, WIDE_SHRINKAGE = 0.1, 0.03
#: With more free variables than this share of a working set, larger sets pay.
CROWDED = 0.75
#: Iterations after which the KKT gap should have halved.
PATCH = 24
#: By this share the objective may rise, which is rounding.
RISE = 1e-12


class WorkingSets:
    """Choosing and solving working sets, within the memory there is.

    Parameters
    ----------
    run : DualRun
    tiles : KernelTiles
        Where kernel values of a set come from.
    follow : KernelTiles
        What f follows with.
    megabytes : float
        How much memory kernel values may take.
    wide : bool
        Whether to begin with the largest sets there is room for: near the end.
    """

    def __init__(
        self,
        run: DualRun,
        tiles: KernelTiles,
        follow: KernelTiles,
        megabytes: float,
        *,
        wide: bool,
    ) -> None:
        self.run, self.tiles, self.follow = run, tiles, follow
        self.cache = KernelCache(tiles, megabytes)
        room = int(np.sqrt(megabytes * 2**20 / tiles.dtype.itemsize))
        self.room = max(min(room, len(run.point)), 2)
        self.size = min(MANY, self.cache.slots // 2)
        self.whole_rows = self.size >= min(len(run.point), FEWEST)
        if wide or not self.whole_rows:
            self.whole_rows, self.size = False, self.room
        self.last: Indices = np.empty(0, dtype=np.int64)
        #: The working set at which each variable was last chosen for its violation.
        self.entered: Indices = np.zeros(len(run.point), dtype=np.int64)
        self.count, self.gap_before = 0, np.inf
        self.exhausted = 0
        self.near, self.leaps = wide, True
        self.known: SetProblem | None = None

    def sketch(self) -> Sketch | None:
        """Return f at all samples, recomputed from kernel values that are rounded.

        Nothing where they are not, or where that would not save anything.
        """
        if self.tiles.dtype == np.float64 or len(self.run.point) < FEW:
            return None
        coefficients = self.run.dual.coefficients(self.run.point)
        members = np.flatnonzero(coefficients)
        others = len(coefficients) - len(members)
        unkept = len(members) - self.cache.count(members)
        if CHEAPER * unkept * len(coefficients) >= others * len(members):
            return None
        found = Sketch(*self.cache.bounded_sums(members, coefficients[members]))
        return found if np.isfinite(found.errors).all() else None

    def blurred(self, gap: float) -> bool:
        """Tell whether a KKT gap is mere rounding of the kernel values in f."""
        values = np.finfo(self.tiles.dtype if self.whole_rows else self.follow.dtype)
        return gap <= float(values.eps) * float(np.linalg.norm(self.run.point))

    def solve(self, gradient: Vector, extremes: Extremes) -> bool:
        """Solve one working set and follow with f; tell whether anything moved."""
        self._widen(extremes.gap)
        chosen = self._choose(gradient, extremes)
        shrinkage = SHRINKAGE if self.whole_rows else WIDE_SHRINKAGE
        before = self.run.point.copy(), self.run.scores.copy(), self._value()
        moved, change = self.inner(chosen, gradient, shrinkage)
        self.last, self.count = chosen, self.count + 1
        if not len(moved):
            return False
        self._follow(moved, change)
        most = before[2] + RISE * abs(before[2])
        if self.known is not None and self._value() > most:
            # Rounding has led a leap astray: pairs never go up.
            self.run.point, self.run.scores, _ = before
            self.leaps, self.known = False, None
        return True

    def _value(self) -> float:
        return self.run.dual.value(self.run.point, self.run.scores)

    def _follow(self, moved: Indices, change: Vector) -> None:
        places = self.run.dual.places[moved]
        if self.whole_rows:
            self.cache.add(places, change, self.run.scores)
        else:
            self.run.scores += self.follow.multiply(change, places)

    def _widen(self, gap: float) -> None:
        """Go over to larger sets when small ones only chase each other.

        The sign is a KKT gap that has stopped falling although most of a set is free.
        """
        if not self.whole_rows or self.count % PATCH:
            return
        stalled, self.gap_before = gap > 0.5 * self.gap_before, gap
        dual, point = self.run.dual, self.run.point
        free = np.count_nonzero((point > dual.low) & (point < dual.high))
        if stalled and free > CROWDED * self.size and self.room > self.size:
            self.cache.drop()
            self.whole_rows, self.size = False, self.room

    def _choose(self, gradient: Vector, extremes: Extremes) -> Indices:
        """Return the variables to work on, those of the first group first."""
        dual, point = self.run.dual, self.run.point
        rising, falling = point < dual.high, point > dual.low
        kept = self._keep(rising & falling)
        taken = np.zeros(len(point), dtype=bool)
        taken[kept] = True
        parts = [kept]
        wanted = max(2, self.size - len(kept))
        worth = [
            np.where(rising, extremes.most[dual.groups] - gradient, -np.inf),
            np.where(falling, gradient - extremes.least[dual.groups], -np.inf),
        ]
        for gain in worth:
            gain[taken] = -np.inf
            best = _largest(gain, wanted // 2)
            taken[best] = True
            self.entered[best] = self.count
            parts.append(best)
        chosen = np.sort(np.concatenate(parts))
        return chosen[np.argsort(dual.groups[chosen], kind="stable")]

    def _keep(self, free: Any) -> Indices:
        """Keep free variables: half of a set of rows, four fifths of a large set.

        Of rows the newest: who has been in several sets is nearly where it belongs.
        """
        if self.whole_rows:
            order = np.lexsort((-self.entered[self.last], ~free[self.last]))
            return self.last[order][: self.size // 2]
        return np.flatnonzero(free)[: (4 * self.size) // 5]

    def inner(
        self, chosen: Indices, gradient: Vector, shrinkage: float
    ) -> tuple[Indices, Vector]:
        """Solve for the chosen variables; return which moved, and how far."""
        point, known = self.run.point, self.known
        if known is None or not np.array_equal(known.chosen, chosen):
            self.known = known = None
            known = SetProblem(self.run, chosen, self._square)
        change = self._solved(known, gradient, shrinkage)
        moved = np.flatnonzero(change)
        # Not their sum: a variable at its bound is there to the last digit.
        point[chosen] = known.point
        return chosen[moved], change[moved]

    def _solved(
        self, problem: SetProblem, gradient: Vector, shrinkage: float
    ) -> Vector:
        """Return the changes: by a leap where one is possible, else by pairs."""
        problem.begin(gradient, self.tiles.dtype)
        if self.leaps and not self.whole_rows:
            near = self.near or problem.ready
            if not near and problem.hurry(shrinkage):
                return problem.change
            if problem.leap():
                self.known = problem
                return problem.change
            self.leaps = not problem.singular
        self.known = None
        if not problem.by_pairs(shrinkage):
            self.exhausted += 1 + len(problem.chosen) // LARGE
        return problem.change

    def _square(self, chosen: Indices) -> Matrix:
        """Return the matrix of the quadratic in the chosen variables."""
        places = self.run.dual.places[chosen]
        if self.whole_rows and self.count:
            square = self.cache.square(places)
        else:  # of the first set most never move: their rows are not needed
            square = self.tiles.block(places, places)
        square[np.diag_indices_from(square)] += self.run.dual.ridge[chosen]
        return square


def _largest(gain: Vector, count: int) -> Indices:
    """Return the places of the `count` largest gains that are positive."""
    if count < len(gain):
        best = np.argpartition(-gain, count)[:count]
    else:
        best = np.arange(len(gain))
    return best[gain[best] > 0]
