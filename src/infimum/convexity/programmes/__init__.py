"""Constrained problems: programs, their duals, their optimality conditions, solvers."""

from infimum.convexity.programmes.active_set import ActiveSet
from infimum.convexity.programmes.barrier import BarrierMethod
from infimum.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.convexity.programmes.dual_function import NegativeDual, dual_value
from infimum.convexity.programmes.interior_point import InteriorPoint
from infimum.convexity.programmes.kkt import KKTReport, kkt_report
from infimum.convexity.programmes.linear_program import (
    CanonicalForm,
    LinearProgram,
    canonical_form,
)
from infimum.convexity.programmes.quadratic_program import QuadraticProgram
from infimum.convexity.programmes.solution import ProgramSolution

__all__ = [
    "ActiveSet",
    "BarrierMethod",
    "CanonicalForm",
    "ConvexProgram",
    "InteriorPoint",
    "KKTReport",
    "LinearProgram",
    "Multipliers",
    "NegativeDual",
    "ProgramSolution",
    "QuadraticProgram",
    "canonical_form",
    "dual_value",
    "kkt_report",
]
