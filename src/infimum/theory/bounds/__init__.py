"""Bounds for whole classes: what a chosen function costs, turned round as you like."""

from infimum.theory.bounds._capacity_bound import CapacityBound
from infimum.theory.bounds.finite_bound import FiniteBound
from infimum.theory.bounds.rademacher_bound import RademacherBound
from infimum.theory.bounds.shattering_bound import ShatteringBound, VCBound
from infimum.theory.bounds.structural_risk import (
    Schedule,
    StructuralChoice,
    StructuralRiskMinimizer,
    bound_of,
    check_schedule,
)

__all__ = [
    "CapacityBound",
    "FiniteBound",
    "RademacherBound",
    "Schedule",
    "ShatteringBound",
    "StructuralChoice",
    "StructuralRiskMinimizer",
    "VCBound",
    "bound_of",
    "check_schedule",
]
