"""Solvers: each minimises an objective and returns a point with a proof."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand
from infimum.moved import found_elsewhere

if TYPE_CHECKING:
    from infimum.solvers._solver import Solver
    from infimum.solvers.augmented_lagrangian import AugmentedLagrangian
    from infimum.solvers.block_frank_wolfe import BlockFrankWolfe
    from infimum.solvers.bundle import Bundle
    from infimum.solvers.choose import choose
    from infimum.solvers.concave_convex import ConcaveConvex
    from infimum.solvers.coordinates.coordinate_descent import CoordinateDescent
    from infimum.solvers.dual_coordinate_ascent import DualCoordinateAscent
    from infimum.solvers.interior_point import InteriorPoint
    from infimum.solvers.primal_dual import PrimalDual
    from infimum.solvers.progress import Record, Solution
    from infimum.solvers.proximal_gradient import ProximalGradient
    from infimum.solvers.relay import relay
    from infimum.solvers.second_order.lbfgs import LBFGS
    from infimum.solvers.second_order.newton import Newton
    from infimum.solvers.second_order.orthant_wise import OrthantWise
    from infimum.solvers.support_vectors._dual_run import DualSolution
    from infimum.solvers.support_vectors.multiclass_ascent import MulticlassAscent
    from infimum.solvers.support_vectors.working_set_descent import WorkingSetDescent


__all__ = [
    "LBFGS",
    "AugmentedLagrangian",
    "BlockFrankWolfe",
    "Bundle",
    "ConcaveConvex",
    "CoordinateDescent",
    "DualCoordinateAscent",
    "DualSolution",
    "InteriorPoint",
    "MulticlassAscent",
    "Newton",
    "OrthantWise",
    "PrimalDual",
    "ProximalGradient",
    "Record",
    "Solution",
    "Solver",
    "WorkingSetDescent",
    "choose",
    "relay",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__, found_elsewhere(__name__))
