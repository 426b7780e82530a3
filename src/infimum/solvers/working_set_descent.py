"""Working-set descent: support vector machines, a thousand variables at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.objectives import KernelCache, KernelTiles, SupportVectorDual
from infimum.parameters import check_domains, positive, whole
from infimum.solvers._dual_run import STUCK, DualRun, DualSolution, Extremes
from infimum.solvers.progress import CLOSED, Callback
from infimum.typing import Indices, Matrix, Vector

__all__ = ["WorkingSetDescent"]

#: Makes the tiles of the kernel in a precision.
Tiling = Callable[[Any], KernelTiles]

#: Variables of a working set whose kernel rows are kept whole, at most; and how many
#: there must be room for.
MANY, FEWEST = 2048, 128
#: Problems of at most so many variables are solved to many more digits.
SMALL = 1024
#: A working set is solved until its KKT gap is this share of what it was.
SHRINKAGE, WIDE_SHRINKAGE = 0.1, 0.03
#: With more free variables than this share of a working set, larger sets pay.
CROWDED = 0.75
#: Iterations after which the KKT gap should have halved.
PATCH = 24
#: Below this relative gap single precision is not asked to help.
FINE = 1e-5
#: Iterations without a narrower gap after which rounding has the last word.
PATIENCE = 200
#: Steps of a working set, per variable; and how many sets may run out of them without
#: a narrower gap. Then two variables at a time will not do.
STEPS, FUTILE = 200, 20
#: Multiplications between two looks at the clock, when there is a time limit.
GLANCE = 2e8


@dataclass(frozen=True)
class WorkingSetDescent:
    """Solve for many variables at once, exactly, while the others stand still.

    The kernel values of a working set are one matrix product; sequential minimal
    optimisation on them is a compiled loop; and the gradient of all variables follows
    in one more product. A set takes the worst violators of the KKT conditions and
    keeps the free variables of the last one. Kernel rows stay in a cache of bounded
    size; when so many variables are free that sets of that kind would chase each
    other, larger sets are solved whose square just fits the same memory.

    Rows may be single precision when the `tiling` allows it; the proof at the end is
    always computed afresh in double precision, and decides.

    Parameters
    ----------
    tolerance : float
        Stop when the KKT conditions hold to this and the duality gap is below this
        share of the null risk, or the gap is below a tenth of it of the objective.
    max_iterations : int
        Stop after so many working sets.
    max_seconds : float or None
        Stop after so many seconds; None means no limit.
    cache_size : float
        Megabytes for kernel values.

    References
    ----------
    Joachims (1999), in Advances in Kernel Methods. Fan, Chen & Lin (2005), JMLR 6.
    Wen, Shi, Li, He & Chen (2018), JMLR 19.
    """

    tolerance: float = field(default=1e-3, metadata={"domain": positive})
    max_iterations: int = field(default=100_000, metadata={"domain": whole(1)})
    max_seconds: float | None = None
    cache_size: float = field(default=200.0, metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)

    def solve(
        self,
        dual: SupportVectorDual,
        tiling: Tiling,
        start: Vector | None = None,
        callback: Callback | None = None,
        *,
        single: bool = False,
    ) -> DualSolution:
        """Minimise `dual` for the kernel that `tiling` makes tiles of.

        Parameters
        ----------
        dual : SupportVectorDual
        tiling : callable
            Maps a NumPy float type to `KernelTiles` of the samples with themselves.
        start : array of shape (n_variables,), optional
            A feasible point, such as the solution for a smaller C.
        callback : callable, optional
            Called with each `Record`; returning True stops the run.
        single : bool, default=False
            Whether kernel values may be single precision on the way.
        """
        from infimum.compiled import one_blas_thread

        # Threads of BLAS that wait for more work would take the cores from ours, and
        # how many there are would show in the last digits.
        with one_blas_thread():
            return self._solve(dual, tiling, start, callback, single=single)

    def _solve(
        self,
        dual: SupportVectorDual,
        tiling: Tiling,
        start: Vector | None,
        callback: Callback | None,
        *,
        single: bool,
    ) -> DualSolution:
        limits = self.tolerance, self.max_iterations, self.max_seconds
        run = DualRun(dual, limits, callback)
        exact = tiling(np.float64)
        single = single and self.tolerance >= FINE
        rough = tiling(np.float32) if single else exact
        run.begin(rough, start)
        # Rounding in a square only bends the path, so that single precision will do
        # for it even when f has to be right.
        stages = [(rough, rough, False), (rough, exact, True), (exact, exact, True)]
        try:
            for tiles, follow, wide in stages if single else [(exact, exact, False)]:
                sets = _Sets(run, tiles, follow, self.cache_size, wide=wide)
                run.reason = self._descend(run, sets)
                if run.prove(exact) or run.reason not in (CLOSED, STUCK):
                    break
            if run.reason == CLOSED and len(run.point) <= SMALL:
                self._polish(run, exact)
        except KeyboardInterrupt:
            run.reason = "interrupted"
            run.prove(exact)
        run.recall(exact)
        return run.solution()

    def _polish(self, run: DualRun, exact: KernelTiles) -> None:
        """Spend a few more steps where they cost next to nothing.

        A small problem is solved to many more digits than asked for, so that equal
        problems in different words have equal solutions.
        """
        sets = _Sets(run, exact, exact, self.cache_size, wide=True)
        for _ in range(3):
            gradient = run.dual.gradient(run.point, run.scores)
            everything = np.argsort(run.dual.groups, kind="stable")
            sets.inner(everything, gradient, shrinkage=0.0)
            run.prove(exact)

    def _descend(self, run: DualRun, sets: _Sets) -> str:
        """Solve working sets until there is a reason to stop; return it."""
        narrowest, since = np.inf, run.iterations
        while True:
            gradient = run.dual.gradient(run.point, run.scores)
            extremes = Extremes.of(run.dual, run.point, gradient)
            if reason := run.look(extremes):
                return reason
            record = run.history[-1]
            if (gap := record.primal - record.dual) < 0.99 * narrowest:
                narrowest, since, sets.exhausted = gap, run.iterations, 0
            if run.iterations - since >= PATIENCE or sets.exhausted >= FUTILE:
                return STUCK
            if not sets.solve(gradient, extremes):
                return STUCK
            run.iterations += 1


class _Sets:
    """Choosing and solving working sets, within the memory there is."""

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
        self.count, self.gap_before = 0, np.inf
        self.exhausted = 0

    def solve(self, gradient: Vector, extremes: Extremes) -> bool:
        """Solve one working set and follow with f; tell whether anything moved."""
        self._widen(extremes.gap)
        chosen = self._choose(gradient, extremes)
        shrinkage = SHRINKAGE if self.whole_rows else WIDE_SHRINKAGE
        moved, change = self.inner(chosen, gradient, shrinkage)
        self.last, self.count = chosen, self.count + 1
        if not len(moved):
            return False
        places = self.run.dual.places[moved]
        if self.whole_rows:
            self.cache.add(places, change, self.run.scores)
        else:
            self.run.scores += self.follow.multiply(change, places)
        return True

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
            parts.append(best)
        chosen = np.sort(np.concatenate(parts))
        return chosen[np.argsort(dual.groups[chosen], kind="stable")]

    def _keep(self, free: Any) -> Indices:
        """Keep free variables: half of a set of rows, four fifths of a large set."""
        if self.whole_rows:
            order = np.argsort(~free[self.last], kind="stable")
            return self.last[order][: self.size // 2]
        return np.flatnonzero(free)[: (4 * self.size) // 5]

    def inner(
        self, chosen: Indices, gradient: Vector, shrinkage: float
    ) -> tuple[Indices, Vector]:
        """Solve for the chosen variables; return which moved, and how far."""
        dual, point = self.run.dual, self.run.point
        places = dual.places[chosen]
        if self.whole_rows:
            square = self.cache.square(places)
        else:
            square = self.tiles.block(places, places)
        square[np.diag_indices_from(square)] += dual.ridge[chosen]
        some = point[chosen]
        self._pairs(square, gradient, some, chosen, shrinkage)
        change = some - point[chosen]
        moved = np.flatnonzero(change)
        point[chosen] = some
        return chosen[moved], change[moved]

    def _pairs(
        self,
        square: Matrix,
        gradient: Vector,
        some: Vector,
        chosen: Indices,
        shrinkage: float,
    ) -> None:
        """Move two of the chosen variables at a time, while steps and time are left."""
        from infimum.compiled import descend_pairs

        dual, slopes = self.run.dual, gradient[chosen].astype(square.dtype)
        split = int(np.count_nonzero(dual.groups[chosen] == 0))
        floor = 4.0 * float(np.finfo(square.dtype).eps) * float(np.abs(slopes).max())
        low, high = dual.low[chosen], dual.high[chosen]
        left = STEPS * len(chosen)
        stint = left if self.run.max_seconds is None else int(GLANCE / len(chosen)) + 1
        while left > 0:
            most = min(left, stint)
            steps, before, after = descend_pairs(
                square, slopes, some, low, high, split, True, floor, shrinkage, most
            )
            left -= steps
            floor, shrinkage = max(floor, shrinkage * before), 0.0
            if after <= floor or self.run.late:
                return
        self.exhausted += 1


def _largest(gain: Vector, count: int) -> Indices:
    """Return the places of the `count` largest gains that are positive."""
    if count < len(gain):
        best = np.argpartition(-gain, count)[:count]
    else:
        best = np.arange(len(gain))
    return best[gain[best] > 0]
