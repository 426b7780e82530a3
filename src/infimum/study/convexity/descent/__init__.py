"""Ways down a plain convex function, each with the trace of what it did."""

from typing import TYPE_CHECKING

from infimum.moved import found_elsewhere
from infimum.study.convexity.descent.accelerated_descent import AcceleratedDescent
from infimum.study.convexity.descent.bisection import Bracket, bisect
from infimum.study.convexity.descent.box_quadratic import minimize_in_box
from infimum.study.convexity.descent.conjugate_gradient import (
    conjugate_gradient,
    conjugate_gradient_textbook,
)
from infimum.study.convexity.descent.coordinate_descent import CoordinateMethod
from infimum.study.convexity.descent.cutting_plane import CuttingPlane
from infimum.study.convexity.descent.descend import Compass, DescentMethod
from infimum.study.convexity.descent.descent_trace import DescentTrace
from infimum.study.convexity.descent.frank_wolfe import ConditionalGradient
from infimum.study.convexity.descent.gradient_descent import GradientDescent
from infimum.study.convexity.descent.incremental_gradient import IncrementalGradient
from infimum.study.convexity.descent.inexact_steps import (
    ArmijoStep,
    DampedStep,
    NonmonotoneStep,
    StrongWolfeStep,
    WolfeStep,
)
from infimum.study.convexity.descent.mirror_descent import (
    ExponentiatedGradient,
    MirrorMethod,
)
from infimum.study.convexity.descent.newton import DampedNewton, NewtonMethod
from infimum.study.convexity.descent.nonlinear_conjugate_gradient import (
    NonlinearConjugateGradient,
)
from infimum.study.convexity.descent.picture import plot
from infimum.study.convexity.descent.plane_book import CuttingPlaneTrace
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.projected_gradient import (
    ProjectedGradient,
    projected_gradient,
)
from infimum.study.convexity.descent.proximal_descent import (
    ProximalDescent,
    Regularizer,
)
from infimum.study.convexity.descent.quasi_newton import BFGS, LimitedMemoryBFGS
from infimum.study.convexity.descent.rates import (
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
from infimum.study.convexity.descent.roots import newton_root
from infimum.study.convexity.descent.secant import (
    bounded_spectral_ratio,
    curvature_holds,
    direct_update,
    inverse_update,
    spectral_ratio,
)
from infimum.study.convexity.descent.spectral_gradient import BarzilaiBorwein
from infimum.study.convexity.descent.spectral_projected_gradient import (
    ProjectedBarzilaiBorwein,
)
from infimum.study.convexity.descent.step_rules import (
    DecayingStep,
    ExactStep,
    FixedStep,
    HessianStep,
    Situation,
    StepRule,
)
from infimum.study.convexity.descent.trace import Trace, TraceRow

__all__ = [
    "BFGS",
    "AcceleratedDescent",
    "ArmijoStep",
    "BarzilaiBorwein",
    "Bracket",
    "Compass",
    "ConditionalGradient",
    "CoordinateMethod",
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
    "GradientDescent",
    "HessianStep",
    "IncrementalGradient",
    "LimitedMemoryBFGS",
    "MirrorMethod",
    "NewtonMethod",
    "NonlinearConjugateGradient",
    "NonmonotoneStep",
    "Premises",
    "ProjectedBarzilaiBorwein",
    "ProjectedGradient",
    "ProximalDescent",
    "Regularizer",
    "Situation",
    "StepRule",
    "StrongWolfeStep",
    "Trace",
    "TraceRow",
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

if not TYPE_CHECKING:
    __getattr__ = found_elsewhere(__name__)
