"""Solvers: ways to walk to the bottom of an objective, each with a proof at the end."""

from infimum.solvers._base import Solver
from infimum.solvers.bundle import Bundle
from infimum.solvers.choose import choose
from infimum.solvers.concave_convex import ConcaveConvex
from infimum.solvers.coordinate_descent import CoordinateDescent
from infimum.solvers.dual_coordinate_ascent import DualCoordinateAscent
from infimum.solvers.early_stopping import EarlyStop, stop_early
from infimum.solvers.interior_point import InteriorPoint
from infimum.solvers.ivanov import Correspondence, radius_of, strength_of
from infimum.solvers.lbfgs import LBFGS
from infimum.solvers.newton import Newton
from infimum.solvers.plateau import Plateau
from infimum.solvers.primal_dual import PrimalDual
from infimum.solvers.progress import Record, Solution
from infimum.solvers.proximal_gradient import ProximalGradient
from infimum.solvers.stochastic_gradient import (
    StochasticGradient,
    minibatch_gradient,
)

__all__ = [
    "LBFGS",
    "Bundle",
    "ConcaveConvex",
    "CoordinateDescent",
    "Correspondence",
    "DualCoordinateAscent",
    "EarlyStop",
    "InteriorPoint",
    "Newton",
    "Plateau",
    "PrimalDual",
    "ProximalGradient",
    "Record",
    "Solution",
    "Solver",
    "StochasticGradient",
    "choose",
    "minibatch_gradient",
    "radius_of",
    "stop_early",
    "strength_of",
]
