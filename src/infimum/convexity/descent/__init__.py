"""Ways down a plain convex function, each with the trace of what it did."""

from infimum.convexity.descent.accelerated_descent import AcceleratedDescent
from infimum.convexity.descent.bisection import Bracket, bisect
from infimum.convexity.descent.box_quadratic import minimize_in_box
from infimum.convexity.descent.conjugate_gradient import (
    conjugate_gradient,
    conjugate_gradient_textbook,
)
from infimum.convexity.descent.coordinate_descent import CoordinateDescent
from infimum.convexity.descent.cutting_plane import CuttingPlane
from infimum.convexity.descent.descend import Compass, DescentMethod
from infimum.convexity.descent.descent_trace import DescentTrace
from infimum.convexity.descent.frank_wolfe import FrankWolfe
from infimum.convexity.descent.gradient_descent import GradientDescent
from infimum.convexity.descent.incremental_gradient import IncrementalGradient
from infimum.convexity.descent.inexact_steps import (
    ArmijoStep,
    DampedStep,
    NonmonotoneStep,
    StrongWolfeStep,
    WolfeStep,
)
from infimum.convexity.descent.mirror_descent import (
    ExponentiatedGradient,
    MirrorDescent,
)
from infimum.convexity.descent.newton import DampedNewton, Newton
from infimum.convexity.descent.nonlinear_conjugate_gradient import (
    NonlinearConjugateGradient,
)
from infimum.convexity.descent.picture import plot
from infimum.convexity.descent.plane_book import CuttingPlaneTrace
from infimum.convexity.descent.premises import Premises
from infimum.convexity.descent.projected_gradient import (
    ProjectedGradient,
    projected_gradient,
)
from infimum.convexity.descent.proximal_descent import ProximalDescent, Regularizer
from infimum.convexity.descent.quasi_newton import BFGS, LimitedMemoryBFGS
from infimum.convexity.descent.rates import (
    conjugate_gradient_bound,
    convergence_order,
    damped_newton_bound,
    gap_bound,
    gradient_norm_bound,
    iterations_to_gap,
    linear_rate_bound,
    mirror_bound,
    mirror_constant_bound,
    mirror_constant_step,
    mirror_decaying_bound,
    newton_constant,
    subgradient_bound,
    wolfe_iterations,
)
from infimum.convexity.descent.roots import newton_root
from infimum.convexity.descent.secant import (
    bounded_spectral_ratio,
    curvature_holds,
    direct_update,
    inverse_update,
    spectral_ratio,
)
from infimum.convexity.descent.spectral_gradient import SpectralGradient
from infimum.convexity.descent.spectral_projected_gradient import (
    SpectralProjectedGradient,
)
from infimum.convexity.descent.step_rules import (
    DecayingStep,
    ExactStep,
    FixedStep,
    HessianStep,
    Situation,
    StepRule,
)
from infimum.convexity.descent.trace import Record, Trace

__all__ = [
    "BFGS",
    "AcceleratedDescent",
    "ArmijoStep",
    "Bracket",
    "Compass",
    "CoordinateDescent",
    "CuttingPlane",
    "CuttingPlaneTrace",
    "DampedNewton",
    "DampedStep",
    "DecayingStep",
    "DescentMethod",
    "DescentTrace",
    "ExactStep",
    "ExponentiatedGradient",
    "FixedStep",
    "FrankWolfe",
    "GradientDescent",
    "HessianStep",
    "IncrementalGradient",
    "LimitedMemoryBFGS",
    "MirrorDescent",
    "Newton",
    "NonlinearConjugateGradient",
    "NonmonotoneStep",
    "Premises",
    "ProjectedGradient",
    "ProximalDescent",
    "Record",
    "Regularizer",
    "Situation",
    "SpectralGradient",
    "SpectralProjectedGradient",
    "StepRule",
    "StrongWolfeStep",
    "Trace",
    "WolfeStep",
    "bisect",
    "bounded_spectral_ratio",
    "conjugate_gradient",
    "conjugate_gradient_bound",
    "conjugate_gradient_textbook",
    "convergence_order",
    "curvature_holds",
    "damped_newton_bound",
    "direct_update",
    "gap_bound",
    "gradient_norm_bound",
    "inverse_update",
    "iterations_to_gap",
    "linear_rate_bound",
    "minimize_in_box",
    "mirror_bound",
    "mirror_constant_bound",
    "mirror_constant_step",
    "mirror_decaying_bound",
    "newton_constant",
    "newton_root",
    "plot",
    "projected_gradient",
    "spectral_ratio",
    "subgradient_bound",
    "wolfe_iterations",
]
