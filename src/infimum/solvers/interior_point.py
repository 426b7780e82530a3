"""Interior point method for piecewise linear losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.penalties import SeparablePenalty
from infimum.solvers._piecewise_program import PiecewiseProgram
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Matrix, Vector

__all__ = ["InteriorPoint"]

LARGEST_SYSTEM = 2_000
#: The share of the way to the nearest wall that a step may go.
KEEP_INSIDE = 0.9995
VANISHED = 1e-30
#: A step or two more make the answer this much sharper than was asked for.
POLISH = 1e-8
#: What may be added to a diagonal, as a part of it, to make a matrix factorisable.
MOST_JITTER = 1e6
_Solve: TypeAlias = Callable[[Vector], Vector]
_Move: TypeAlias = tuple[Vector, Vector, Vector, Vector]


@dataclass(frozen=True)
class InteriorPoint(Solver):
    """Primal-dual path following with predictor and corrector.

    For sums of two-sided hinges (hinge, absolute, quantile, ε-insensitive losses) under
    no penalty, ridge, lasso or elastic net: the problem is a linear or quadratic
    program, and twenty or so weighted least-squares steps solve it to machine
    precision, however many samples there are. Short steps provably shrink the gap by
    1 - 0.4/√N in each of them for N complementary pairs; the long steps taken here have
    no better proof and do far better.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Hinge
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Hinge(), Ridge(0.1))
    >>> InteriorPoint().solve(risk).certified
    True

    References
    ----------
    Portnoy & Koenker (1997), Statistical Science 12 (Frisch–Newton for quantiles).
    Mehrotra (1992), SIAM J. Optimization 2 (predictor and corrector).
    """

    max_iterations: int = field(default=200, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        name = type(risk.loss).__name__
        if not isinstance(risk.loss, Loss) or risk.loss.pieces(risk.y[:1]) is None:
            return f"{name} is not piecewise linear"
        priced = risk.penalty
        if not isinstance(priced, SeparablePenalty) or priced.elastic is None:
            return f"{type(priced).__name__} is neither a lasso nor a ridge penalty"
        if getattr(priced, "positive", False):
            return f"{type(priced).__name__} has a sign constraint"
        if risk.design.shape[1] > LARGEST_SYSTEM:
            return f"{risk.design.shape[1]} features are more than {LARGEST_SYSTEM}"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, point = here.risk, here.point
        program = PiecewiseProgram.of(risk)
        state = _State.at(program, point)
        for iteration in count(1):
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                state = state.step()
            if not np.isfinite(state.point).all():
                return
            here = risk.evaluate(state.point)
            left = 2 * len(state.pull) * state.complementarity / risk.unit
            settled = left <= max(POLISH * self.tolerance, 1e-12)
            yield Iterate(here, iteration, program.slopes(state.pull), settled)
            if state.complementarity <= VANISHED or not np.isfinite(here.value):
                return


@dataclass(frozen=True, eq=False)
class _State:
    """Point, dual pull, and for each term the two distances and their two prices.

    A residual splits into over - under; the pull lies between low and high; over pays
    (high - pull) and under pays (pull - low).
    """

    program: PiecewiseProgram
    point: Vector
    pull: Vector
    over: Vector
    under: Vector

    @classmethod
    def at(cls, program: PiecewiseProgram, point: Vector) -> _State:
        residual = program.residual(point)
        spread = max(float(np.abs(residual).mean()), 1e-8)
        over = np.maximum(residual, 0.0) + spread
        under = over - residual
        pull = 0.5 * (program.low + program.high)
        return cls(program, point, pull, over, under)

    @property
    def complementarity(self) -> float:
        above, below = self.program.high - self.pull, self.pull - self.program.low
        return float((self.over @ above + self.under @ below) / (2 * len(self.pull)))

    def step(self) -> _State:
        """Predict towards the optimum, then correct towards the middle of the path."""
        program, goal = self.program, self.complementarity
        above, below = program.high - self.pull, self.pull - program.low
        tilt = 1.0 / (self.over / above + self.under / below)
        solve = _factorize(program.hessian(tilt))
        zeros = np.zeros_like(self.pull)
        guess = self._direction(solve, tilt, 0.0, zeros, zeros)
        reach = self._reach(guess)
        _, d_pull, d_over, d_under = guess
        after = (
            (self.over + reach[0] * d_over) @ (above - reach[1] * d_pull)
            + (self.under + reach[0] * d_under) @ (below + reach[1] * d_pull)
        ) / (2 * len(self.pull))
        centre = goal * (after / goal) ** 3
        bend_over, bend_under = -d_over * d_pull, d_under * d_pull
        move = self._direction(solve, tilt, centre, bend_over, bend_under)
        primal, dual = (KEEP_INSIDE * r if r < 1.0 else 1.0 for r in self._reach(move))
        if program.curved:
            primal = dual = min(primal, dual)
        d_point, d_pull, d_over, d_under = move
        return _State(
            program,
            self.point + primal * d_point,
            self.pull + dual * d_pull,
            self.over + primal * d_over,
            self.under + primal * d_under,
        )

    def _direction(
        self,
        solve: _Solve,
        tilt: Vector,
        centre: float,
        bend_over: Vector,
        bend_under: Vector,
    ) -> _Move:
        """Solve the linearised optimality conditions for a target complementarity.

        over·above = centre and under·below = centre linearise to
        d_over = (want_over + over·d_pull)/above, d_under = (want_under - under·d_pull)/
        below; the residual then gives d_pull as a multiple of A d_point.
        """
        program = self.program
        above, below = program.high - self.pull, self.pull - program.low
        want_over = centre - self.over * above - bend_over
        want_under = centre - self.under * below - bend_under
        lag = program.residual(self.point) - (self.over - self.under)
        base = want_over / above - want_under / below - lag
        stationarity = program.stationarity(self.point, self.pull)
        d_point = solve(-(stationarity - program.pull_back(tilt * base)))
        d_pull = tilt * (program.forward(d_point) - base)
        d_over = (want_over + self.over * d_pull) / above
        d_under = (want_under - self.under * d_pull) / below
        return d_point, d_pull, d_over, d_under

    def _reach(
        self, move: tuple[Vector, Vector, Vector, Vector]
    ) -> tuple[float, float]:
        """Return how far primal and dual variables can go before a wall."""
        _, d_pull, d_over, d_under = move
        above, below = self.program.high - self.pull, self.pull - self.program.low
        primal = min(_until_zero(self.over, d_over), _until_zero(self.under, d_under))
        dual = min(_until_zero(above, -d_pull), _until_zero(below, d_pull))
        return min(primal, 1.0), min(dual, 1.0)


def _until_zero(value: Vector, change: Vector) -> float:
    falling = change < 0
    return float((value[falling] / -change[falling]).min(initial=np.inf))


class _Factor:
    """A factorised symmetric matrix, scaled to unit diagonal first."""

    def __init__(self, matrix: Matrix) -> None:
        roots = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
        self.inverse = 1.0 / roots
        scaled = matrix * np.outer(self.inverse, self.inverse)
        scaled[np.diag_indices_from(scaled)] += 1e-14
        self.factor = cho_factor(scaled, check_finite=False)

    def __call__(self, right: Vector) -> Vector:
        return np.asarray(
            self.inverse
            * cho_solve(self.factor, self.inverse * right, check_finite=False)
        )


def _factorize(matrix: Matrix) -> _Solve:
    """Return how to solve with a matrix; nowhere, if rounding has left none."""
    jitter, diagonal = 0.0, np.diag(matrix).copy()
    while jitter < MOST_JITTER:
        try:
            return _Factor(matrix + np.diag(jitter * diagonal))
        except LinAlgError:
            jitter = max(100.0 * jitter, 1e-12)
    return lambda right: np.full_like(right, np.nan)
