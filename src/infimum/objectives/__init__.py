"""Objectives: the functions that solvers minimise and certificates bound."""

from infimum.objectives.concomitant_risk import ConcomitantRisk
from infimum.objectives.evaluation import Evaluation
from infimum.objectives.kernel_coordinates import KernelCoordinates
from infimum.objectives.kernel_expansion import expansion, gram_root
from infimum.objectives.linear_risk import LinearRisk
from infimum.objectives.reweighting import reweighted_least_squares

__all__ = [
    "ConcomitantRisk",
    "Evaluation",
    "KernelCoordinates",
    "LinearRisk",
    "expansion",
    "gram_root",
    "reweighted_least_squares",
]
