"""The Lagrange dual: a lower bound on the minimum for every choice of prices."""

from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.study.convexity.algebra.addition import Sum
from infimum.study.convexity.algebra.affine_composition import AffineComposition
from infimum.study.convexity.algebra.scaling import Scaled
from infimum.study.convexity.algebra.shifts import Raised, Tilted, Translated
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.quasi_newton import BFGS
from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.quadratic import Quadratic
from infimum.study.convexity.functions.squared_norm import SquaredNorm
from infimum.study.convexity.norms import EUCLIDEAN
from infimum.study.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.study.convexity.sets.box import Box
from infimum.typing import Matrix, Vector

__all__ = ["NegativeDual", "dual_value"]

#: The share of the cancelling terms below which a slope of their sum is rounding.
ROUNDING = 1e-8


@dataclass(frozen=True, eq=False)
class NegativeDual(ConvexFunction):
    r"""The function :math:`-D(\alpha, \beta) = -\inf_w L(w, \alpha, \beta)`.

    A supremum of affine functions of the multipliers, hence convex whatever the program
    is; minimising it over `prices` is the dual problem. Its argument stacks α and β.
    Where the infimum is attained at w, minus the constraints' values at w are a
    subgradient.

    The infimum is exact for quadratic and affine parts and, with `among`, over a finite
    set of points (rows), convex or not. Else BFGS looks for it from `start`, and what
    strong convexity proves about its result is taken off. Where nothing curves, a slope
    below 1e-8 of the terms that cancel in it counts as rounding, a larger one makes the
    infimum -inf.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, SquaredNorm
    >>> between = (Affine(-np.ones(1), 1.0), Affine(np.ones(1), -2.0))
    >>> dual = NegativeDual(ConvexProgram(SquaredNorm(), between), np.zeros(1))
    >>> dual.value(np.array([1.0, 0.0])), dual.minimizer(np.array([1.0, 0.0])).tolist()
    (-0.5, [1.0])
    """

    program: ConvexProgram
    start: Vector
    among: Matrix | None = None

    def value(self, x: Vector) -> float:
        return -self._lowest(x)[0]

    def gradient(self, x: Vector) -> Vector:
        return -np.concatenate(self.program.constraints(self._lowest(x)[1]))

    def minimizer(self, prices: Vector) -> Vector:
        """Return the point at which the Lagrangian is least, the primal candidate."""
        return self._lowest(prices)[1]

    @property
    def prices(self) -> Box:
        """The admitted multipliers: α ≥ 0, β free."""
        signs = [0.0] * len(self.program.inequalities)
        free = [-np.inf] * len(self.program.equalities)
        low = np.array(signs + free)
        return Box(low, np.full(low.size, np.inf))

    def split(self, x: Vector) -> Multipliers:
        """Return the two kinds of multipliers stacked in x."""
        count = len(self.program.inequalities)
        return Multipliers(x[:count], x[count:])

    def _lowest(self, x: Vector) -> tuple[float, Vector]:
        if np.min(x[: len(self.program.inequalities)], initial=0.0) < 0.0:
            # Off the domain -D is +inf; the nearest admitted prices give a slope.
            return -np.inf, self._lowest(self.prices.project(x))[1]
        lagrangian = self.program.lagrangian(self.split(x))
        if self.among is not None:
            values = [lagrangian.value(point) for point in self.among]
            best = int(np.argmin(values))
            return float(values[best]), np.asarray(self.among[best])
        if not is_quadratic(lagrangian):
            return _numeric(lagrangian, self.start)
        return _exact(lagrangian, self.start.size, ROUNDING * self._largest_slope(x))

    def _largest_slope(self, x: Vector) -> float:
        """Return the size of the terms whose gradients cancel at an optimum."""
        origin = np.zeros(self.start.size)
        constraints = (*self.program.inequalities, *self.program.equalities)
        sizes = [
            abs(price) * np.max(np.abs(constraint.gradient(origin)))
            for price, constraint in zip(x, constraints, strict=True)
        ]
        return float(
            max(np.max(np.abs(self.program.objective.gradient(origin))), *sizes, 1.0)
        )


def dual_value(
    program: ConvexProgram,
    multipliers: Multipliers,
    start: Vector,
    among: Matrix | None = None,
) -> float:
    """Return D(α, β), which no feasible value of the objective lies below.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, SquaredNorm
    >>> program = ConvexProgram(SquaredNorm(), (Affine(-np.ones(1), 1.0),))
    >>> dual_value(program, Multipliers(np.array([0.5]), np.empty(0)), np.zeros(1))
    0.375
    """
    dual = NegativeDual(program, start, among)
    return -dual.value(np.concatenate(multipliers))


def is_quadratic(function: ConvexFunction) -> bool:
    """Return whether a function is known to be a polynomial of degree two at most."""
    if isinstance(function, Sum):
        return all(is_quadratic(term) for term in function.terms)
    if isinstance(function, Scaled | Raised | Tilted | Translated | AffineComposition):
        return is_quadratic(function.function)
    euclidean = isinstance(function, SquaredNorm) and function.order == EUCLIDEAN
    return euclidean or isinstance(function, Quadratic | Affine)


def _exact(function: ConvexFunction, size: int, noise: float) -> tuple[float, Vector]:
    """Return the infimum of a quadratic and where it is, -inf if it has none.

    A slope of at most `noise` in a direction without curvature counts as none.
    """
    origin = np.zeros(size)
    matrix, slope = function.hessian(origin), function.gradient(origin)
    point = np.linalg.lstsq(matrix, -slope, rcond=None)[0]
    rest = float(np.max(np.abs(function.gradient(point)), initial=0.0))
    return (function.value(point) if rest <= noise else -np.inf), np.asarray(point)


def _numeric(function: ConvexFunction, start: Vector) -> tuple[float, Vector]:
    try:
        trace = BFGS(tolerance=1e-10).minimize(function, start)
    except DataError:  # no step length ends the descent: there is no minimum
        return -np.inf, start
    proved = trace.gap if np.isfinite(trace.gap) else 0.0
    return trace.best - proved, trace.best_point
