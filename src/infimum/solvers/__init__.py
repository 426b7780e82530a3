"""Solvers: ways to walk to the bottom of an objective, each with a proof at the end."""

from infimum.solvers._base import Solver
from infimum.solvers._dual_run import DualSolution
from infimum.solvers.augmented_lagrangian import AugmentedLagrangian
from infimum.solvers.bundle import Bundle
from infimum.solvers.choose import choose
from infimum.solvers.concave_convex import ConcaveConvex
from infimum.solvers.coordinate_descent import CoordinateDescent
from infimum.solvers.dual_coordinate_ascent import DualCoordinateAscent
from infimum.solvers.early_stopping import EarlyStop, stop_early
from infimum.solvers.frank_wolfe import FrankWolfe
from infimum.solvers.interior_point import InteriorPoint
from infimum.solvers.ivanov import Correspondence, radius_of, strength_of
from infimum.solvers.lbfgs import LBFGS
from infimum.solvers.mirror_descent import MirrorDescent
from infimum.solvers.multiclass_ascent import MulticlassAscent
from infimum.solvers.newton import Newton
from infimum.solvers.pegasos import Pegasos
from infimum.solvers.plateau import Plateau
from infimum.solvers.primal_dual import PrimalDual
from infimum.solvers.progress import Record, Solution
from infimum.solvers.proximal_gradient import ProximalGradient
from infimum.solvers.rates import Rate, rate_of
from infimum.solvers.relay import relay
from infimum.solvers.reweighted_least_squares import ReweightedLeastSquares
from infimum.solvers.sequential_minimal import (
    SequentialMinimalOptimization,
    pair_step,
)
from infimum.solvers.spectral_gradient import SpectralGradient
from infimum.solvers.spectral_projected_gradient import SpectralProjectedGradient
from infimum.solvers.steepest_descent import SteepestDescent
from infimum.solvers.stochastic_gradient import (
    StochasticGradient,
    minibatch_gradient,
    minibatch_risk,
)
from infimum.solvers.trace import SolverTrace, plot_traces, trace
from infimum.solvers.tuned_delay import TunedDelay, tune_delay
from infimum.solvers.variance_reduced import VarianceReduced
from infimum.solvers.working_set_descent import WorkingSetDescent

__all__ = [
    "LBFGS",
    "AugmentedLagrangian",
    "Bundle",
    "ConcaveConvex",
    "CoordinateDescent",
    "Correspondence",
    "DualCoordinateAscent",
    "DualSolution",
    "EarlyStop",
    "FrankWolfe",
    "InteriorPoint",
    "MirrorDescent",
    "MulticlassAscent",
    "Newton",
    "Pegasos",
    "Plateau",
    "PrimalDual",
    "ProximalGradient",
    "Rate",
    "Record",
    "ReweightedLeastSquares",
    "SequentialMinimalOptimization",
    "Solution",
    "Solver",
    "SolverTrace",
    "SpectralGradient",
    "SpectralProjectedGradient",
    "SteepestDescent",
    "StochasticGradient",
    "TunedDelay",
    "VarianceReduced",
    "WorkingSetDescent",
    "choose",
    "minibatch_gradient",
    "minibatch_risk",
    "pair_step",
    "plot_traces",
    "radius_of",
    "rate_of",
    "relay",
    "stop_early",
    "strength_of",
    "trace",
    "tune_delay",
]
