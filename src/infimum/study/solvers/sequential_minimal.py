"""Sequential minimal optimisation: the smallest step that keeps a sum, repeated."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from infimum.objectives import KernelTiles, SupportVectorDual
from infimum.parameters import Choice, check_domains, positive, whole
from infimum.solvers.progress import INTERRUPTED, STUCK, Callback
from infimum.solvers.support_vectors._dual_run import DualRun, DualSolution, Extremes
from infimum.typing import Indices, Matrix, Vector

__all__ = ["SequentialMinimalOptimization", "pair_step"]


def pair_step(
    gradients: tuple[float, float], curvature: float, room: tuple[float, float]
) -> float:
    r"""Return how far to raise one variable and lower another, their sum kept.

    .. math:: t = \min\Bigl(\frac{g_j - g_i}{K_{ii} + K_{jj} - 2K_{ij}},\;
              u_i - β_i,\; β_j - l_j\Bigr)

    The minimum of a parabola in one variable, cut off where either box ends; a
    direction without curvature goes to the end of the box.

    Parameters
    ----------
    gradients : (float, float)
        Of the one that rises and the one that falls.
    curvature : float
        The denominator.
    room : (float, float)
        How far the first may rise and the second may fall.

    Examples
    --------
    >>> pair_step((-1.0, 1.0), 4.0, (9.0, 9.0)), pair_step((-1.0, 1.0), 4.0, (0.2, 9.0))
    (0.5, 0.2)
    """
    slope = gradients[1] - gradients[0]
    if slope <= 0:
        return 0.0
    wanted = slope / curvature if curvature > 0 else np.inf
    return float(min(wanted, *room))


@dataclass(frozen=True)
class SequentialMinimalOptimization:
    """Move two variables at a time, as the textbooks derive it.

    The equality constraint leaves no smaller step: one variable rises, another falls
    by as much, and the best such step has a formula (see `pair_step`). The pair is the
    one that violates the KKT conditions most (``selection="first_order"``), or the
    worst one with the partner whose parabola promises most (``"second_order"``). With
    `shrinking`, variables that sit firmly at a bound are set aside until the rest is
    solved, then looked at again.

    For learning how it works and for small problems, whose kernel matrix it holds;
    `WorkingSetDescent` makes the same steps on large ones.

    Parameters
    ----------
    tolerance : float
        Stop when the KKT conditions hold to this and the duality gap is below this
        share of the null risk, or the gap is below a tenth of it of the objective.
    max_iterations : int
        Stop after so many steps.
    max_seconds : float or None
        Stop after so many seconds; None means no limit.
    selection : {"second_order", "first_order"}
    shrinking : bool
    check_every : int
        Steps between two looks at the gap.

    Examples
    --------
    >>> from infimum.kernels import Linear
    >>> from infimum.objectives import SupportVectorDual, kernel_tiles
    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    >>> dual = SupportVectorDual.classification(y, np.full(4, 10.0))
    >>> found = SequentialMinimalOptimization().solve(dual, kernel_tiles(Linear(), X))
    >>> found.point.round(6), found.offsets.round(6)
    (array([ 0. , -0.5,  0.5,  0. ]), array([-2.,  0.]))

    References
    ----------
    Platt (1999), in Advances in Kernel Methods. Keerthi, Shevade, Bhattacharyya &
    Murthy (2001), Neural Computation 13. Fan, Chen & Lin (2005), JMLR 6.
    """

    tolerance: float = field(default=1e-3, metadata={"domain": positive})
    max_iterations: int = field(default=10_000_000, metadata={"domain": whole(1)})
    max_seconds: float | None = None
    selection: str = field(
        default="second_order",
        metadata={"domain": Choice(("second_order", "first_order"))},
    )
    shrinking: bool = True
    check_every: int = field(default=1_000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def solve(
        self,
        dual: SupportVectorDual,
        tiles: KernelTiles,
        start: Vector | None = None,
        callback: Callback | None = None,
    ) -> DualSolution:
        """Minimise `dual`, from `start` or from its own feasible point."""
        limits = self.tolerance, self.max_iterations, self.max_seconds
        run = DualRun(dual, limits, callback)
        run.begin(tiles, start)
        samples = np.arange(dual.n_samples)
        gram = np.asarray(tiles.block(samples), dtype=np.float64)
        try:
            run.reason = self._descend(run, gram)
        except KeyboardInterrupt:
            run.reason = INTERRUPTED
        run.prove(tiles)
        run.recall(tiles)
        return run.solution()

    def _descend(self, run: DualRun, gram: Matrix) -> str:
        dual = run.dual
        while True:
            gradient = dual.gradient(run.point, run.scores)
            extremes = Extremes.of(dual, run.point, gradient)
            if reason := run.look(extremes):
                return reason
            active: Indices = np.arange(len(run.point))
            if self.shrinking and run.iterations:
                active = self._active(run, gradient, extremes)
            steps = self._steps(run, gram, active, gradient)
            if not steps:
                return STUCK
            run.iterations += steps

    def _active(self, run: DualRun, gradient: Vector, extremes: Extremes) -> Indices:
        """Set aside who sits at a bound and would only go further beyond it."""
        dual, point = run.dual, run.point
        rising, falling = point < dual.high, point > dual.low
        useful = rising & (gradient < extremes.most[dual.groups])
        useful |= falling & (gradient > extremes.least[dual.groups])
        return np.flatnonzero(useful)

    def _steps(
        self, run: DualRun, gram: Matrix, active: Indices, gradient: Vector
    ) -> int:
        """Make a number of steps among the active variables; f follows."""
        from infimum.compiled.descent.sequential_minimal import descend_pairs

        dual = run.dual
        active = active[np.argsort(dual.groups[active], kind="stable")]
        places = dual.places[active]
        square = gram[np.ix_(places, places)]
        square[np.diag_indices_from(square)] += dual.ridge[active]
        some = run.point[active]
        left = run.max_iterations - run.iterations
        steps, _, _ = descend_pairs(
            square,
            gradient[active],
            some,
            (dual.low[active], dual.high[active]),
            int(np.count_nonzero(dual.groups[active] == 0)),
            self.selection == "second_order",
            0.0,
            0.0,
            min(self.check_every, left),
        )
        change = dual.coefficients(_spread(active, some - run.point[active], run.point))
        run.point[active] = some
        run.scores += gram @ change
        return int(steps)


def _spread(active: Indices, change: Vector, like: Vector) -> Vector:
    out = np.zeros_like(like)
    out[active] = change
    return out
