"""Solvers that neither `choose` nor a model takes, with their rates and traces.

They keep the contract of `infimum.solvers`: each returns a point and a proof, and
`RiskMinimizer(solver=...)` takes them.
"""

from infimum.study.solvers.early_stopping import EarlyStop, stop_early
from infimum.study.solvers.frank_wolfe import FrankWolfe
from infimum.study.solvers.ivanov import Correspondence, radius_of, strength_of
from infimum.study.solvers.mirror_descent import MirrorDescent
from infimum.study.solvers.pegasos import Pegasos
from infimum.study.solvers.plateau import Plateau
from infimum.study.solvers.rates import Rate, rate_of
from infimum.study.solvers.reweighted_least_squares import ReweightedLeastSquares
from infimum.study.solvers.sequential_minimal import (
    SequentialMinimalOptimization,
    pair_step,
)
from infimum.study.solvers.spectral_gradient import SpectralGradient
from infimum.study.solvers.spectral_projected_gradient import SpectralProjectedGradient
from infimum.study.solvers.steepest_descent import SteepestDescent
from infimum.study.solvers.stochastic_gradient import (
    StochasticGradient,
    minibatch_gradient,
    minibatch_risk,
)
from infimum.study.solvers.trace import SolverTrace, plot_traces, trace
from infimum.study.solvers.tuned_delay import TunedDelay, tune_delay
from infimum.study.solvers.variance_reduced import VarianceReduced

__all__ = [
    "Correspondence",
    "EarlyStop",
    "FrankWolfe",
    "MirrorDescent",
    "Pegasos",
    "Plateau",
    "Rate",
    "ReweightedLeastSquares",
    "SequentialMinimalOptimization",
    "SolverTrace",
    "SpectralGradient",
    "SpectralProjectedGradient",
    "SteepestDescent",
    "StochasticGradient",
    "TunedDelay",
    "VarianceReduced",
    "minibatch_gradient",
    "minibatch_risk",
    "pair_step",
    "plot_traces",
    "radius_of",
    "rate_of",
    "stop_early",
    "strength_of",
    "trace",
    "tune_delay",
]
