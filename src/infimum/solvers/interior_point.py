"""Interior point method for piecewise linear losses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import numpy as np
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dpotrf, dpotrs

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
#: A table with so few entries is solved in less time than it takes to tell of it:
#: iterates are bounded from this multiple of the tolerance on.
SMALL, NEAR = 100_000, 100.0
#: How the two rooms of a term change with its pull.
_SIDES = np.array([[-1.0], [1.0]])
_Solve: TypeAlias = Callable[[Vector], Vector]


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
        n, d = risk.design.shape
        large = n * d > SMALL
        # Steps in single precision end where rounding decides; few rows can do better.
        single = risk.design.dtype != np.float64 and not large
        program = PiecewiseProgram.of(risk.in_double() if single else risk)
        state = _State.at(program, point)
        for iteration in count(1):
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                state = state.step()
            if not np.isfinite(state.point).all():
                return
            here = risk.evaluate(state.point)
            left = 2 * len(state.pull) * state.complementarity / risk.unit
            settled = left <= max(POLISH * self.tolerance, 1e-12)
            ended = state.complementarity <= VANISHED
            worth = large or ended or left <= NEAR * self.tolerance
            slopes = program.slopes(state.pull)
            yield Iterate(here, iteration, slopes, settled, worth)
            if ended or (worth and not np.isfinite(here.value)):
                return


@dataclass(frozen=True, eq=False)
class _State:
    """Point, dual pull, and for each term the two distances and their two prices.

    A residual splits into over - under, the rows of `parts`; the pull lies between low
    and high, and the rows of `rooms` say how far below high and above low it is: what
    over and under pay.
    """

    program: PiecewiseProgram
    point: Vector
    pull: Vector
    parts: Matrix
    rooms: Matrix
    complementarity: float

    @classmethod
    def at(cls, program: PiecewiseProgram, point: Vector) -> _State:
        residual = program.residual(point)
        spread = max(float(np.abs(residual).mean()), 1e-8)
        over = np.maximum(residual, 0.0) + spread
        pull = 0.5 * (program.low + program.high)
        return cls.of(program, point, pull, np.stack([over, over - residual]))

    @classmethod
    def of(
        cls, program: PiecewiseProgram, point: Vector, pull: Vector, parts: Matrix
    ) -> _State:
        rooms = np.stack([program.high - pull, pull - program.low])
        mean = float(np.vdot(parts, rooms)) / (2 * len(pull))
        return cls(program, point, pull, parts, rooms, mean)

    def step(self) -> _State:
        """Predict towards the optimum, then correct towards the middle of the path.

        over·above = centre and under·below = centre linearise to
        d_over = (want_over + over·d_pull)/above, d_under = (want_under - under·d_pull)/
        below; the residual then gives d_pull as a multiple of A d_point.
        """
        program, parts, rooms = self.program, self.parts, self.rooms
        ratio = parts / rooms
        tilt = 1.0 / (ratio[0] + ratio[1])
        solve = _factorize(program.hessian(tilt))
        lag = program.residual(self.point) - (parts[0] - parts[1])
        stationarity = program.stationarity(self.point, self.pull)

        def direction(share: Matrix) -> tuple[Vector, Vector, Matrix, Matrix]:
            """Solve for what is wanted of the products, divided by the rooms."""
            base = share[0] - share[1] - lag
            d_point = solve(program.pull_back(tilt * base) - stationarity)
            d_pull = tilt * (program.forward(d_point) - base)
            d_rooms = _SIDES * d_pull
            return d_point, d_pull, share - ratio * d_rooms, d_rooms

        goal = self.complementarity
        _, _, d_parts, d_rooms = direction(-parts)
        primal, dual = _reach(d_parts, parts), _reach(d_rooms, rooms)
        after = (
            float(np.vdot(parts + primal * d_parts, rooms + dual * d_rooms))
            / parts.size
        )
        centre = goal * (after / goal) ** 3
        wanted = (centre - d_parts * d_rooms) / rooms - parts
        d_point, d_pull, d_parts, d_rooms = direction(wanted)
        primal, dual = _kept(_reach(d_parts, parts)), _kept(_reach(d_rooms, rooms))
        if program.curved:
            primal = dual = min(primal, dual)
        return _State.of(
            program,
            self.point + primal * d_point,
            self.pull + dual * d_pull,
            parts + primal * d_parts,
        )


def _reach(change: Matrix, value: Matrix) -> float:
    """Return how far a change can go, at most 1, before something is 0."""
    steepest = float((change / value).min())
    return 1.0 if steepest >= -1.0 else -1.0 / steepest


def _kept(reach: float) -> float:
    return KEEP_INSIDE * reach if reach < 1.0 else 1.0


class _Factor:
    """A factorised symmetric matrix, scaled to unit diagonal first."""

    def __init__(self, matrix: Matrix) -> None:
        roots = np.sqrt(np.maximum(matrix.diagonal(), 1e-300))
        self.inverse = 1.0 / roots
        scaled = matrix * (self.inverse[:, None] * self.inverse)
        scaled.flat[:: len(scaled) + 1] += 1e-14
        # The transpose is the same matrix, in the order that LAPACK takes.
        self.factor, wrong = dpotrf(scaled.T, lower=1, clean=0, overwrite_a=1)
        if wrong:
            raise LinAlgError

    def __call__(self, right: Vector) -> Vector:
        found, _ = dpotrs(self.factor, self.inverse * right, lower=1, overwrite_b=1)
        return np.asarray(self.inverse * found)


def _factorize(matrix: Matrix) -> _Solve:
    """Return how to solve with a matrix; nowhere, if rounding has left none."""
    jitter, diagonal = 0.0, np.diag(matrix).copy()
    while jitter < MOST_JITTER:
        with contextlib.suppress(LinAlgError):
            return _Factor(matrix + np.diag(jitter * diagonal) if jitter else matrix)
        jitter = max(100.0 * jitter, 1e-12)
    return lambda right: np.full_like(right, np.nan)
