"""Posteriors, joint tables and conditional families, computed in the open."""

from infimum.study.probability.conditional_family import (
    ConditionalFamily,
    MAPObjective,
    signed_inputs,
    stacked_inputs,
)
from infimum.study.probability.conjugacy import posterior
from infimum.study.probability.grid_posterior import GridPosterior, grid_posterior
from infimum.study.probability.joint_table import JointTable

__all__ = [
    "ConditionalFamily",
    "GridPosterior",
    "JointTable",
    "MAPObjective",
    "grid_posterior",
    "posterior",
    "signed_inputs",
    "stacked_inputs",
]
