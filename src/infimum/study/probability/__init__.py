"""Posteriors, joint tables and conditional families, computed in the open."""

from infimum.study.probability.conditional_family import (
    ConditionalFamily,
    MAPObjective,
    signed_inputs,
    stacked_inputs,
)
from infimum.study.probability.conjugacy import posterior
from infimum.study.probability.directed_model import DirectedModel
from infimum.study.probability.evidence import chance_of_none, combine_evidence
from infimum.study.probability.finite_space import FiniteSpace
from infimum.study.probability.games import matching_coins, monty_hall
from infimum.study.probability.grid_posterior import (
    GridPosterior,
    decide_by_draws,
    grid_posterior,
)
from infimum.study.probability.joint_table import JointTable
from infimum.study.probability.named_table import NamedTable, permute_to_independence

__all__ = [
    "ConditionalFamily",
    "DirectedModel",
    "FiniteSpace",
    "GridPosterior",
    "JointTable",
    "MAPObjective",
    "NamedTable",
    "chance_of_none",
    "combine_evidence",
    "decide_by_draws",
    "grid_posterior",
    "matching_coins",
    "monty_hall",
    "permute_to_independence",
    "posterior",
    "signed_inputs",
    "stacked_inputs",
]
