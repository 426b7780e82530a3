"""Mehrotra's predictor-corrector method for linear and quadratic programs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

import numpy as np
import scipy.linalg

from infimum.errors import DataError
from infimum.parameters import check_domains, positive, whole
from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.programmes.convex_program import Multipliers
from infimum.study.convexity.programmes.kkt import kkt_report
from infimum.study.convexity.programmes.linear_program import LinearProgram
from infimum.study.convexity.programmes.quadratic_program import QuadraticProgram
from infimum.study.convexity.programmes.solution import ProgramSolution
from infimum.typing import Vector

__all__ = ["InteriorState", "PathFollowing"]

#: The share of the way to the wall that a step may go.
_CAUTION = 0.995
#: Added to the diagonal, relative to the Hessian: dependent rows can be factored.
_RIDGE = 1e-13
#: How many steps a closed gap may wait for residuals below the tolerance.
_PATIENCE = 3
#: Beyond this size points or prices run away: one of the two problems has no solution.
_LOST = 1e30


class InteriorState(NamedTuple):
    """A point inside, with its rooms and prices."""

    point: Vector
    room: Vector  # s = h - Cw, kept positive
    inequality: Vector  # prices of Cw ≤ h, kept positive
    equality: Vector


class _Residuals(NamedTuple):
    slope: Vector
    equality: Vector
    inequality: Vector


@dataclass(frozen=True)
class PathFollowing:
    r"""Newton's method on the optimality conditions, kept inside the constraints.

    The complementarity :math:`s_i z_i = 0` is replaced by :math:`s_i z_i = \sigma\mu`
    with a target that sinks to 0: a first solve (the predictor) shows how far σ may
    sink, a second one with the same factor corrects for the curvature of the path. For
    a feasible iterate the gap is :math:`\langle s, z\rangle` exactly, and on a linear
    program a step of length a leaves the share :math:`1 - a(1 - \sigma)` of it. No
    better bound is known for this variant (`BarrierMethod` has one); in practice ten to
    thirty steps suffice at any size. Each costs one factorisation, O((d+m)³).

    >>> import numpy as np
    >>> program = LinearProgram(np.array([1.0, 2.0]), np.ones((1, 2)), np.ones(1))
    >>> solution = PathFollowing().solve(program)
    >>> solution.point.round(6).tolist(), solution.gap < 1e-8
    ([1.0, 0.0], True)
    >>> solution.multipliers.inequality.round(6).tolist()  # the price of w ≥ 0
    [0.0, 1.0]

    References
    ----------
    Mehrotra (1992), SIAM J. Optimization 2(4).
    """

    tolerance: float = field(default=1e-9, metadata={"domain": positive})
    max_iterations: int = field(default=100, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def solve(self, program: LinearProgram | QuadraticProgram) -> ProgramSolution:
        """Return minimiser and prices; the program must have both."""
        quadratic = program.quadratic if isinstance(program, LinearProgram) else program
        began, rows = perf_counter(), []
        for state in self.states(quadratic):
            rest = _residuals(quadratic, state)
            gap = float(state.room @ state.inequality)
            proof = gap if _size(rest) <= _scale(quadratic, state) * 1e-6 else np.inf
            value = quadratic.value(state.point)
            rows.append((state.point, value, proof, perf_counter() - began))
        return _solution(quadratic, state, rows)

    def states(self, program: QuadraticProgram) -> Iterator[InteriorState]:
        """Yield the iterates; the last one meets the tolerance."""
        state, closed = _start(program), 0
        for _ in range(self.max_iterations + 1):
            yield state
            rest = _residuals(program, state)
            residual = _size(rest) / _scale(program, state)
            gap = float(state.room @ state.inequality)
            closed += gap <= self.tolerance * (1.0 + abs(program.value(state.point)))
            # A closed gap shrinks on; the residuals may be at their rounding by then.
            patience = 1.0 if closed <= _PATIENCE else 1e4
            if closed and residual <= patience * self.tolerance:
                return
            state = _advance(program, state, rest)
            if not np.max(np.abs(np.concatenate(state))) <= _LOST:
                break
        raise DataError(_complaint(program, state, self.max_iterations))


def _scale(program: QuadraticProgram, state: InteriorState) -> float:
    """Return the size of the terms that cancel in the residuals."""
    largest = [
        np.max(np.abs(part), initial=1.0)
        for part in (
            program.slope,
            program.inequality_limit,
            program.equality_target,
            program.hessian @ state.point,
        )
    ]
    return float(max(largest))


def _size(rest: _Residuals) -> float:
    return max(float(np.max(np.abs(part), initial=0.0)) for part in rest)


def _residuals(program: QuadraticProgram, state: InteriorState) -> _Residuals:
    walls, rows = program.inequality_matrix, program.equality_matrix
    return _Residuals(
        program.hessian @ state.point
        + program.slope
        + rows.T @ state.equality
        + walls.T @ state.inequality,
        rows @ state.point - program.equality_target,
        walls @ state.point + state.room - program.inequality_limit,
    )


class _Factor:
    """The Newton system at a state, factored once for both solves.

    The prices of the inequalities stay in it: eliminating them would square the
    spread of s/z, and near the end nothing else would be left of the rest.
    """

    def __init__(self, program: QuadraticProgram, looseness: Vector) -> None:
        walls, rows = program.inequality_matrix, program.equality_matrix
        size, count = len(program.slope), len(rows)
        self._exact = np.zeros((size + count + len(walls),) * 2)
        self._exact[:size, :size] = program.hessian
        self._exact[:size, size:] = np.hstack([rows.T, walls.T])
        self._exact[size:, :size] = np.vstack([rows, walls])
        np.fill_diagonal(self._exact[size + count :, size + count :], -looseness)
        ridge = _RIDGE * (1.0 + float(np.max(np.abs(program.hessian), initial=0.0)))
        shift = np.zeros(len(self._exact))
        shift[:size], shift[size : size + count] = ridge, -_RIDGE
        self._factor = scipy.linalg.lu_factor(
            self._exact + np.diag(shift), check_finite=False
        )
        self._cuts = (size, size + count)

    def solve(self, *target: Vector) -> list[Vector]:
        """Return the moves of the point and of the prices of both kinds."""
        stacked = np.concatenate(target)
        found = scipy.linalg.lu_solve(self._factor, stacked, check_finite=False)
        for _ in range(2):  # refinement takes the ridge out again
            missing = stacked - self._exact @ found
            found += scipy.linalg.lu_solve(self._factor, missing, check_finite=False)
        return np.split(found, self._cuts)


def _start(program: QuadraticProgram) -> InteriorState:
    limit = program.inequality_limit
    factor = _Factor(program, np.ones(len(limit)))
    point, equality, inequality = factor.solve(
        -program.slope, program.equality_target, limit
    )
    return InteriorState(point, _lifted(-inequality), _lifted(inequality), equality)


def _lifted(values: Vector) -> Vector:
    """Return values shifted until they are safely positive."""
    if values.size == 0:
        return values
    shortfall = -float(np.min(values))
    return values if shortfall < 0.0 else values + (1.0 + shortfall)


def _advance(
    program: QuadraticProgram, state: InteriorState, rest: _Residuals
) -> InteriorState:
    product = state.room * state.inequality
    factor = _Factor(program, state.room / state.inequality)
    predictor = _direction(state, rest, (factor, product))
    if product.size == 0:
        return _moved(state, predictor, 1.0)
    length = _reach(state, predictor)
    ahead = _moved(state, predictor, length)
    mean = float(np.mean(product))
    # Mehrotra's guess: the better the predictor does, the less centring is needed.
    centring = (float(np.mean(ahead.room * ahead.inequality)) / mean) ** 3
    bent = predictor.room * predictor.inequality
    wanted = product + bent - centring * mean
    step = _direction(state, rest, (factor, wanted))
    return _moved(state, step, _CAUTION * _reach(state, step))


def _direction(
    state: InteriorState, rest: _Residuals, system: tuple[_Factor, Vector]
) -> InteriorState:
    factor, wanted = system
    # With z ds + s dz = -wanted the rooms leave the system: ds = -(wanted + s dz)/z.
    point, equality, inequality = factor.solve(
        -rest.slope, -rest.equality, wanted / state.inequality - rest.inequality
    )
    room = -(wanted + state.room * inequality) / state.inequality
    return InteriorState(point, room, inequality, equality)


def _reach(state: InteriorState, step: InteriorState) -> float:
    """Return the longest step up to 1/0.995 that keeps rooms and prices positive."""
    here = np.concatenate([state.room, state.inequality])
    move = np.concatenate([step.room, step.inequality])
    falling = move < 0.0
    longest = np.min(-here[falling] / move[falling], initial=np.inf)
    return float(min(longest, 1.0 / _CAUTION))


def _moved(state: InteriorState, step: InteriorState, length: float) -> InteriorState:
    return InteriorState(*(a + length * b for a, b in zip(state, step, strict=True)))


def _solution(
    program: QuadraticProgram,
    state: InteriorState,
    rows: list[tuple[Vector, float, float, float]],
) -> ProgramSolution:
    points, values, gaps, seconds = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    multipliers = Multipliers(state.inequality, state.equality)
    report = kkt_report(program.program, state.point, multipliers)
    trace = Trace(points, values, gaps, seconds, "gap")
    return ProgramSolution(state.point, multipliers, report, trace)


def _complaint(program: QuadraticProgram, state: InteriorState, budget: int) -> str:
    prices = program.equality_matrix.T @ state.equality
    pull = prices + program.inequality_matrix.T @ state.inequality
    height = float(
        program.equality_target @ state.equality
        + program.inequality_limit @ state.inequality
    )
    # Farkas: prices that cancel and pay a negative height exclude a feasible point.
    if height < 0.0 and np.max(np.abs(pull)) <= 1e-6 * abs(height):
        return "PathFollowing found no feasible point: the constraints contradict."
    return (
        f"PathFollowing did not close the gap in {budget} steps; the objective may be "
        "unbounded below on the constraints, or they may contradict each other."
    )
