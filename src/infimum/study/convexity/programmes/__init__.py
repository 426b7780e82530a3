"""Constrained problems: programs, their duals, their optimality conditions, solvers."""

from typing import TYPE_CHECKING

from infimum.moved import found_elsewhere
from infimum.study.convexity.programmes.active_set import ActiveSet
from infimum.study.convexity.programmes.barrier import BarrierMethod
from infimum.study.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.study.convexity.programmes.dual_function import NegativeDual, dual_value
from infimum.study.convexity.programmes.interior_point import PathFollowing
from infimum.study.convexity.programmes.kkt import KKTReport, kkt_report
from infimum.study.convexity.programmes.linear_program import (
    CanonicalForm,
    LinearProgram,
    canonical_form,
)
from infimum.study.convexity.programmes.quadratic_program import QuadraticProgram
from infimum.study.convexity.programmes.solution import ProgramSolution

__all__ = [
    "ActiveSet",
    "BarrierMethod",
    "CanonicalForm",
    "ConvexProgram",
    "KKTReport",
    "LinearProgram",
    "Multipliers",
    "NegativeDual",
    "PathFollowing",
    "ProgramSolution",
    "QuadraticProgram",
    "canonical_form",
    "dual_value",
    "kkt_report",
]

if not TYPE_CHECKING:
    __getattr__ = found_elsewhere(__name__)
