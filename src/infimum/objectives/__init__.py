"""Objectives: the functions that solvers minimise and certificates bound."""

from infimum.objectives.concomitant_risk import ConcomitantRisk
from infimum.objectives.evaluation import Evaluation
from infimum.objectives.linear_risk import LinearRisk

__all__ = ["ConcomitantRisk", "Evaluation", "LinearRisk"]
