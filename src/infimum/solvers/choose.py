"""Choose a solver: the first, in order of preference, without an objection."""

from functools import cache

from infimum.errors import IncompatibleError
from infimum.objectives import LinearRisk
from infimum.solvers._solver import Solver
from infimum.solvers.augmented_lagrangian import AugmentedLagrangian
from infimum.solvers.bundle import Bundle
from infimum.solvers.concave_convex import ConcaveConvex
from infimum.solvers.coordinates.coordinate_descent import CoordinateDescent
from infimum.solvers.dual_coordinate_ascent import DualCoordinateAscent
from infimum.solvers.interior_point import InteriorPoint
from infimum.solvers.primal_dual import PrimalDual
from infimum.solvers.proximal_gradient import ProximalGradient
from infimum.solvers.second_order.lbfgs import LBFGS
from infimum.solvers.second_order.newton import Newton

__all__ = ["choose", "preferences"]

#: Below this many multiplications factorising a Hessian is cheaper than a few passes.
CHEAP_FACTORIZATION = 2e8


def preferences(risk: LinearRisk) -> list[type[Solver]]:
    """List all solvers, the one most likely to be fastest on `risk` first."""
    order: list[type[Solver]] = [
        Newton,
        CoordinateDescent,
        ProximalGradient,
        DualCoordinateAscent,
        InteriorPoint,
        AugmentedLagrangian,
        PrimalDual,
        LBFGS,
        Bundle,
        ConcaveConvex,
    ]
    n, d = risk.design.shape
    size = (d + 1.0) * getattr(risk.loss, "outputs", 1)
    if n * size**2 <= CHEAP_FACTORIZATION:
        order.remove(AugmentedLagrangian)
        # Coordinates may slide along the wall of a set for long.
        walled = getattr(risk.penalty, "elastic", None) is None
        first = CoordinateDescent if walled else ProximalGradient
        order.insert(order.index(first), AugmentedLagrangian)
    if n * (d + 1.0) ** 2 <= CHEAP_FACTORIZATION:
        order.remove(InteriorPoint)
        order.insert(0, InteriorPoint)
    return order


def choose(risk: LinearRisk, after: type[Solver] | None = None) -> type[Solver]:
    """Return the preferred solver that has no objection to `risk`.

    With `after`, the preferred one of those that come later in the order.
    """
    objections, order = [], preferences(risk)
    if after in order:
        order = order[order.index(after) + 1 :]
    for solver in order:
        objection = _usual(solver).objection(risk)
        if objection is None:
            return solver
        objections.append(f"{solver.__name__}: {objection}")
    raise IncompatibleError(
        f"No solver fits {type(risk.loss).__name__} with "
        f"{type(risk.penalty).__name__}: " + "; ".join(objections) + "."
    )


@cache
def _usual(kind: type[Solver]) -> Solver:
    """Return a solver with its defaults: solvers have no state, one is enough."""
    return kind()
