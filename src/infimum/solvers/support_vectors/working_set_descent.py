"""Working-set descent: support vector machines, a thousand variables at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.objectives import HeldTiles, KernelTiles, SupportVectorDual
from infimum.parameters import check_domains, positive, whole
from infimum.solvers.progress import CLOSED, INTERRUPTED, STUCK, Callback
from infimum.solvers.support_vectors._dual_run import DualRun, DualSolution, Extremes
from infimum.solvers.support_vectors._variable_selection import WorkingSets
from infimum.solvers.support_vectors._whole_set import WholeSet
from infimum.typing import Vector

__all__ = ["WorkingSetDescent"]

#: Makes the tiles of the kernel in a precision.
Tiling = Callable[[Any], KernelTiles]

#: Problems of at most so many variables are solved at once, to many more digits.
SMALL = 1024
#: Below this relative gap single precision is not asked to help.
FINE = 1e-8
#: Iterations without a narrower gap after which rounding has the last word; fewer where
#: large sets are solved to the last digit.
PATIENCE, LEAST_PATIENCE = 200, 20
#: Reasons for which a stage ends and another one may begin.
ENDS = (CLOSED, STUCK)
#: Working sets that may run out of steps without a narrower gap; large ones count more.
FUTILE = 20


@dataclass(frozen=True)
class WorkingSetDescent:
    """Solve for many variables at once, exactly, while the others stand still.

    The kernel values of a working set are one matrix product; sequential minimal
    optimisation on them is a compiled loop; and the gradient of all variables follows
    in one more product. A set takes the worst violators of the KKT conditions and
    keeps the free variables of the last one. Kernel rows stay in a cache of bounded
    size; when so many variables are free that sets of that kind would chase each
    other, larger sets are solved whose square just fits the same memory: by pairs too,
    or by one factorisation where pairs only creep.

    Rows may be single precision when the `tiling` allows it; the proof at the end is
    recomputed in double precision, except at samples that are certain to lose
    nothing, and decides.

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
        from infimum.compiled.threads import one_blas_thread

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
        if self._small(dual):
            self._at_once(run, HeldTiles(exact), start)
            return run.solution()
        single = single and self.tolerance >= FINE
        rough = tiling(np.float32) if single else exact
        run.begin(rough, start)
        # Rounding in a square only bends the path, so that single precision will do
        # for it even when f has to be right.
        stages = [(rough, rough, False), (rough, exact, True), (exact, exact, True)]
        try:
            for tiles, follow, wide in stages if single else [(exact, exact, False)]:
                sets = WorkingSets(run, tiles, follow, self.cache_size, wide=wide)
                run.reason = self._descend(run, sets)
                if run.prove(exact, sets.sketch()) or run.reason not in ENDS:
                    break
                run.complete(exact)
            if run.reason == CLOSED and len(run.point) <= SMALL:
                self._polish(run, exact)
        except KeyboardInterrupt:
            run.reason = INTERRUPTED
            run.prove(exact)
        run.recall(exact)
        return run.solution()

    def _polish(self, run: DualRun, exact: KernelTiles) -> None:
        """Spend a few more steps on a small problem, as `WholeSet.polish` does."""
        sets = WorkingSets(run, exact, exact, self.cache_size, wide=True)
        for _ in range(3):
            gradient = run.dual.gradient(run.point, run.scores)
            everything = np.argsort(run.dual.groups, kind="stable")
            sets.inner(everything, gradient, shrinkage=0.0)
            run.prove(exact)

    def _small(self, dual: SupportVectorDual) -> bool:
        held = dual.n_samples**2 + len(dual.low) ** 2
        return len(dual.low) <= SMALL and 8 * held <= self.cache_size * 2**20

    def _at_once(self, run: DualRun, tiles: HeldTiles, start: Vector | None) -> None:
        """Solve a problem so small that all its kernel values are held."""
        run.begin(tiles, start)
        try:
            everything = WholeSet(run, tiles)
            run.reason = self._descend(run, everything)
            if run.reason == CLOSED:
                everything.polish()
        except KeyboardInterrupt:
            run.reason = INTERRUPTED
        run.prove(tiles)
        run.recall(tiles)

    def _descend(self, run: DualRun, sets: WorkingSets | WholeSet) -> str:
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
            patience = PATIENCE if sets.known is None else LEAST_PATIENCE
            if run.iterations - since >= patience or sets.exhausted >= FUTILE:
                return STUCK
            if sets.blurred(extremes.gap) or not sets.solve(gradient, extremes):
                return STUCK
            run.iterations += 1
