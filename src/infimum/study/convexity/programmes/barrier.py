"""The barrier method: constraints as a wall that is felt before it is met."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
import scipy.linalg

from infimum.errors import DataError, IncompatibleError
from infimum.parameters import Interval, check_domains, positive, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.derivatives import numeric_hessian
from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.oracle import Oracle
from infimum.study.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.study.convexity.programmes.kkt import kkt_report
from infimum.study.convexity.programmes.solution import ProgramSolution
from infimum.typing import Matrix, Vector

__all__ = ["BarrierMethod"]

_NEWTON_STEPS = 200
_HALVINGS = 60
#: Squared Newton decrements below this are in the phase of quadratic convergence.
_SETTLED = 1e-3


@dataclass(frozen=True)
class BarrierMethod:
    r"""Follow the minimisers of :math:`tJ(w) - \sum_i \log(-c_i(w))` as t grows.

    At such a minimiser the prices :math:`\alpha_i = -1/(t\,c_i(w))` make the dual value
    exactly J(w) - m/t, for m inequalities: the gap is known in advance. Growing t by
    the factor `growth`, a tolerance ε is met after
    :math:`\lceil\log(m/(t_0ε))/\log\text{growth}\rceil` rounds (`rounds`). Each round
    is a Newton descent. The start must have room in every inequality; from another one
    a first problem, to minimise the worst violation, looks for such a point. Equalities
    must be affine.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, SquaredNorm
    >>> between = (Affine(-np.ones(1), 1.0), Affine(np.ones(1), -2.0))
    >>> program = ConvexProgram(SquaredNorm(), between)
    >>> solution = BarrierMethod().solve(program, np.array([1.5]))
    >>> solution.point.round(6).tolist(), solution.gap < 1e-7
    ([1.0], True)

    References
    ----------
    Fiacco & McCormick (1968), Nonlinear Programming; Boyd & Vandenberghe (2004),
    Convex Optimization, chapter 11.
    """

    tolerance: float = field(default=1e-8, metadata={"domain": positive})
    growth: float = field(
        default=10.0, metadata={"domain": Interval(1, np.inf, True, True)}
    )
    first: float = field(default=1.0, metadata={"domain": positive})
    max_rounds: int = field(default=100, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def rounds(self, inequalities: int) -> int:
        """Return how many times t must grow for the gap m/t to meet the tolerance."""
        ratio = inequalities / (self.first * self.tolerance)
        return max(0, int(np.ceil(np.log(max(ratio, 1.0)) / np.log(self.growth))))

    def bound(self, inequalities: int, iteration: int) -> float:
        """Return the gap m/t after so many rounds, known before the first one."""
        return inequalities / (self.first * self.growth**iteration)

    def solve(self, program: ConvexProgram, start: Vector) -> ProgramSolution:
        """Return minimiser and prices of a convex program."""
        began, count = perf_counter(), len(program.inequalities)
        point = self._inside(program, _on_equalities(program, start))
        time, rows = self.first, []
        for round_ in range(min(self.rounds(count), self.max_rounds) + 1):
            time = self.first * self.growth**round_
            point = _centre(program, point, time)
            value = program.objective.value(point)
            rows.append((point, value, count / time, perf_counter() - began))
        prices = _prices(program, point, time)
        points, values, gaps, seconds = (np.array(c) for c in zip(*rows, strict=True))
        trace = Trace(points, values, gaps, seconds, "gap")
        return ProgramSolution(point, prices, kkt_report(program, point, prices), trace)

    def _inside(self, program: ConvexProgram, start: Vector) -> Vector:
        """Return a point with room in every inequality."""
        if np.all(program.constraints(start)[0] < 0.0):
            return start
        size, worst = start.size, float(np.max(program.constraints(start)[0]))
        height = Affine(np.append(np.zeros(size), 1.0))
        lifted = ConvexProgram(
            height,
            tuple(_below_height(c) for c in program.inequalities),
            tuple(_of_point(e) for e in program.equalities),
        )
        point, time = np.append(start, worst + 1.0), 1.0
        for _ in range(_HALVINGS):
            point = _centre(lifted, point, time, until=_has_room)
            if point[-1] < 0.0:
                return np.asarray(point[:-1])
            if point[-1] - len(program.inequalities) / time > 0.0 or time > 1e12:
                break
            time *= self.growth
        raise DataError(
            "BarrierMethod found no point with room in every inequality (Slater's "
            f"condition): the least worst violation is about {point[-1]:.2g}."
        )


def _has_room(point: Vector) -> bool:
    return bool(point[-1] < 0.0)


def _never(_point: Vector) -> bool:
    return False


def _centre(
    program: ConvexProgram,
    start: Vector,
    time: float,
    until: Callable[[Vector], bool] = _never,
) -> Vector:
    """Minimise t·J plus barrier from a point inside, along the equalities.

    Stops early at a point for which `until` holds.
    """
    rows, _ = _equalities(program, start.size)
    ways = scipy.linalg.null_space(rows) if len(rows) else np.eye(start.size)
    point, last = start, np.inf
    for _ in range(_NEWTON_STEPS):
        slope, bend = _derivatives(program, point, time)
        steep, curved = ways.T @ slope, ways.T @ bend @ ways
        move = ways @ np.linalg.lstsq(curved, -steep, rcond=None)[0]
        decrement = -float(slope @ move)
        # In the quadratic phase it falls at once, or rounding keeps it up.
        if decrement <= 0.0 or (last <= _SETTLED and decrement >= 0.25 * last):
            break
        following, last = _line(program, (point, move), time, -decrement), decrement
        if following is None:
            break
        point = following
        if until(point):
            break
    return point


def _line(
    program: ConvexProgram, way: tuple[Vector, Vector], time: float, slope: float
) -> Vector | None:
    """Return the next point, inside and lower; None when rounding allows none."""
    point, move = way
    here, length = _height(program, point, time), 1.0
    # Values closer than their own rounding cannot be told apart.
    allowance = 8.0 * float(np.finfo(float).eps) * abs(here)
    for _ in range(_HALVINGS):
        there = point + length * move
        if _height(program, there, time) <= here + 1e-4 * length * slope + allowance:
            return None if np.array_equal(there, point) else np.asarray(there)
        length *= 0.5
    return None


def _prices(program: ConvexProgram, point: Vector, time: float) -> Multipliers:
    """Return the multipliers that belong to a minimiser of the barrier problem."""
    alpha = -1.0 / (time * program.constraints(point)[0])
    rows, _ = _equalities(program, point.size)
    slope = _derivatives(program, point, time)[0] / time
    beta = np.linalg.lstsq(rows.T, -slope, rcond=None)[0] if len(rows) else np.empty(0)
    return Multipliers(alpha, np.asarray(beta))


def _height(program: ConvexProgram, point: Vector, time: float) -> float:
    above = program.constraints(point)[0]
    if not np.all(above < 0.0):
        return np.inf
    return time * program.objective.value(point) - float(np.sum(np.log(-above)))


def _derivatives(
    program: ConvexProgram, point: Vector, time: float
) -> tuple[Vector, Matrix]:
    slope = time * program.objective.gradient(point)
    bend = time * _hessian(program.objective, point)
    for constraint in program.inequalities:
        room, push = -constraint.value(point), constraint.gradient(point)
        slope = slope + push / room
        curved = _hessian(constraint, point) / room
        bend = bend + curved + np.outer(push, push) / room**2
    return np.asarray(slope), np.asarray(bend)


def _hessian(function: ConvexFunction, point: Vector) -> Matrix:
    try:
        return function.hessian(point)
    except IncompatibleError:
        return numeric_hessian(function, point)


def _equalities(program: ConvexProgram, size: int) -> tuple[Matrix, Vector]:
    for equality in program.equalities:
        if not isinstance(equality, Affine):
            raise IncompatibleError(
                f"BarrierMethod needs affine equalities, got {type(equality).__name__}:"
                " with a curved one the problem is not convex."
            )
    planes = [e for e in program.equalities if isinstance(e, Affine)]
    rows = np.array([plane.slope for plane in planes]).reshape(-1, size)
    return rows, np.array([-plane.constant for plane in planes])


def _on_equalities(program: ConvexProgram, start: Vector) -> Vector:
    """Return the point nearest to `start` that keeps the equalities."""
    point = np.array(start, dtype=float)
    rows, target = _equalities(program, point.size)
    if len(rows) == 0:
        return point
    for _ in range(2):  # the second pass mends the rounding of the first
        point = point + np.linalg.lstsq(rows, target - rows @ point, rcond=None)[0]
    if np.max(np.abs(rows @ point - target)) > 1e-8 * (1.0 + np.max(np.abs(target))):
        raise DataError("BarrierMethod found no feasible point: equalities contradict.")
    return point


def _below_height(constraint: ConvexFunction) -> Oracle:
    """Return (w, s) ↦ c(w) - s."""
    return Oracle(
        lambda x: constraint.value(x[:-1]) - float(x[-1]),
        lambda x: np.append(constraint.gradient(x[:-1]), -1.0),
        lambda x: np.pad(_hessian(constraint, x[:-1]), ((0, 1), (0, 1))),
    )


def _of_point(equality: ConvexFunction) -> ConvexFunction:
    """Return (w, s) ↦ e(w)."""
    if not isinstance(equality, Affine):
        return equality
    return Affine(np.append(equality.slope, 0.0), equality.constant)
