"""Objectives: the functions that solvers minimise and certificates bound."""

from infimum.objectives._exact_sums import sums_of_products
from infimum.objectives.concomitant_corner import corner_bound, corner_point
from infimum.objectives.concomitant_risk import ConcomitantRisk, DualSide
from infimum.objectives.evaluation import Evaluation
from infimum.objectives.field_risk import FieldFeatures, FieldRisk
from infimum.objectives.held_tiles import HeldTiles
from infimum.objectives.kernel_cache import KernelCache
from infimum.objectives.kernel_coordinates import KernelCoordinates
from infimum.objectives.kernel_expansion import expansion, gram_root
from infimum.objectives.kernel_tiles import KernelTiles, kernel_tiles
from infimum.objectives.linear_risk import LinearRisk
from infimum.objectives.memory import Memory
from infimum.objectives.plane_risk import (
    Mix,
    Plane,
    PlaneEvaluation,
    PlaneRisk,
    by_planes,
)
from infimum.objectives.reweighting import reweighted_least_squares
from infimum.objectives.sample_risk import SampleRisk
from infimum.objectives.structured_risk import (
    DualSteps,
    Labellings,
    StructuredProblem,
    StructuredRisk,
)
from infimum.objectives.support_vector_dual import SupportVectorDual

__all__ = [
    "ConcomitantRisk",
    "DualSide",
    "DualSteps",
    "Evaluation",
    "FieldFeatures",
    "FieldRisk",
    "HeldTiles",
    "KernelCache",
    "KernelCoordinates",
    "KernelTiles",
    "Labellings",
    "LinearRisk",
    "Memory",
    "Mix",
    "Plane",
    "PlaneEvaluation",
    "PlaneRisk",
    "SampleRisk",
    "StructuredProblem",
    "StructuredRisk",
    "SupportVectorDual",
    "by_planes",
    "corner_bound",
    "corner_point",
    "expansion",
    "gram_root",
    "kernel_tiles",
    "reweighted_least_squares",
    "sums_of_products",
]
