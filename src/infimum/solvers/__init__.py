"""Solvers: ways to walk to the bottom of an objective, each with a proof at the end."""

from infimum.solvers._base import Solver
from infimum.solvers.bundle import Bundle
from infimum.solvers.choose import choose
from infimum.solvers.coordinate_descent import CoordinateDescent
from infimum.solvers.dual_coordinate_ascent import DualCoordinateAscent
from infimum.solvers.interior_point import InteriorPoint
from infimum.solvers.lbfgs import LBFGS
from infimum.solvers.newton import Newton
from infimum.solvers.primal_dual import PrimalDual
from infimum.solvers.progress import Record, Solution
from infimum.solvers.proximal_gradient import ProximalGradient

__all__ = [
    "LBFGS",
    "Bundle",
    "CoordinateDescent",
    "DualCoordinateAscent",
    "InteriorPoint",
    "Newton",
    "PrimalDual",
    "ProximalGradient",
    "Record",
    "Solution",
    "Solver",
    "choose",
]
