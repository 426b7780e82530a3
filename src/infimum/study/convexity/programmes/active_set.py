"""An active set method for convex quadratic programs."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from scipy.optimize import linprog

from infimum.errors import DataError, IncompatibleError
from infimum.parameters import check_domains, positive, whole
from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.programmes.convex_program import Multipliers
from infimum.study.convexity.programmes.kkt import kkt_report
from infimum.study.convexity.programmes.quadratic_program import QuadraticProgram
from infimum.study.convexity.programmes.solution import ProgramSolution
from infimum.typing import Matrix, Vector

__all__ = ["ActiveSet"]


@dataclass(frozen=True)
class ActiveSet:
    """Guess which inequalities hold with equality, and mend the guess.

    Each guess is an equality-constrained program, one linear system. Towards its
    minimiser the first wall in the way joins the working set; at its minimiser the wall
    with the most negative price leaves it. No working set occurs twice while the
    objective falls, so the method ends after finitely many steps, 2 to the number of
    inequalities at the very most and usually a small multiple of it, and its last
    system is solved to rounding.

    >>> import numpy as np
    >>> nearest = QuadraticProgram(
    ...     np.eye(2),
    ...     np.array([-2.0, -1.0]),
    ...     inequality_matrix=np.eye(2),
    ...     inequality_limit=np.array([1.0, 3.0]),
    ... )
    >>> solution = ActiveSet().solve(nearest)
    >>> solution.point.tolist(), solution.multipliers.inequality.tolist()
    ([1.0, 1.0], [1.0, 0.0])

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, section 16.5.
    """

    tolerance: float = field(default=1e-10, metadata={"domain": positive})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def solve(
        self, program: QuadraticProgram, start: Vector | None = None
    ) -> ProgramSolution:
        """Return minimiser and prices, from a feasible `start` if there is one."""
        began, point = perf_counter(), _feasible(program, start)
        working: list[int] = []
        rows = [(point, program.value(point), 0.0)]
        for _ in range(self.max_iterations):
            goal, prices = _minimum_on(program, working, point)
            move = goal - point
            size = 1.0 + float(np.max(np.abs(point)))
            if np.max(np.abs(move)) <= self.tolerance * size:
                worst = int(np.argmin(prices.inequality)) if working else -1
                if not working or prices.inequality[worst] >= -self.tolerance:
                    return _solution(program, (goal, working, prices), rows)
                del working[worst]
                continue
            share, wall = _first_wall(program, point, move, working)
            point = point + share * move
            if wall is not None:
                working.append(wall)
            rows.append((point, program.value(point), perf_counter() - began))
        raise DataError(
            f"ActiveSet did not settle in {self.max_iterations} steps; the walls may "
            "be degenerate: use PathFollowing."
        )


def _feasible(program: QuadraticProgram, start: Vector | None) -> Vector:
    if start is not None and program.program.is_feasible(start):
        return np.array(start, dtype=float)
    found = linprog(
        np.zeros(len(program.slope)),
        A_ub=program.inequality_matrix if len(program.inequality_limit) else None,
        b_ub=program.inequality_limit if len(program.inequality_limit) else None,
        A_eq=program.equality_matrix if len(program.equality_target) else None,
        b_eq=program.equality_target if len(program.equality_target) else None,
        bounds=(None, None),
        method="highs",
    )
    if found.status != 0:
        raise DataError(
            "ActiveSet found no feasible point: the constraints contradict."
        )
    return np.asarray(found.x)


def _minimum_on(
    program: QuadraticProgram, working: list[int], point: Vector
) -> tuple[Vector, Multipliers]:
    """Minimise with the working walls as equalities; prices in the order of working."""
    count = len(program.equality_target)
    rows: Matrix = np.vstack(
        [program.equality_matrix, program.inequality_matrix[working]]
    )
    # The walls met keep the height they have at the point, whatever its rounding.
    held = QuadraticProgram(program.hessian, program.slope, rows, rows @ point)
    if not held.is_unique:
        raise IncompatibleError(
            "ActiveSet needs a Hessian that is positive definite along the active "
            "constraints, and those independent: use PathFollowing."
        )
    goal, prices = held.solve_equalities()
    return goal, Multipliers(prices.equality[count:], prices.equality[:count])


def _first_wall(
    program: QuadraticProgram, point: Vector, move: Vector, working: list[int]
) -> tuple[float, int | None]:
    """Return the share of the move to the first wall, and that wall, if any."""
    rise = program.inequality_matrix @ move
    room = program.inequality_limit - program.inequality_matrix @ point
    noise = 1e-14 * np.linalg.norm(move) * (1.0 + np.abs(rise))
    facing = rise > noise
    facing[working] = False
    if not np.any(facing):
        return 1.0, None
    shares = np.where(facing, np.maximum(room, 0.0) / np.where(facing, rise, 1.0), 2.0)
    wall = int(np.argmin(shares))
    return (float(shares[wall]), wall) if shares[wall] < 1.0 else (1.0, None)


def _solution(
    program: QuadraticProgram,
    end: tuple[Vector, list[int], Multipliers],
    rows: list[tuple[Vector, float, float]],
) -> ProgramSolution:
    point, working, prices = end
    alpha = np.zeros(len(program.inequality_limit))
    alpha[working] = np.maximum(prices.inequality, 0.0)
    multipliers = Multipliers(alpha, prices.equality)
    report = kkt_report(program.program, point, multipliers)
    points, values, seconds = (np.array(column) for column in zip(*rows, strict=True))
    # The multipliers of the end bound every value met on the way.
    gaps = np.maximum(np.minimum.accumulate(values) - report.lower_bound, 0.0)
    trace = Trace(points, values, gaps, seconds, "gap")
    return ProgramSolution(point, multipliers, report, trace)
