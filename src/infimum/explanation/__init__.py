"""Explanation: why a model answers as it does, about all rows and about one."""

from infimum.explanation.attribution import Attribution
from infimum.explanation.counterfactual import (
    Change,
    Counterfactual,
    counterfactual,
    linear_counterfactual,
)
from infimum.explanation.dependence import Dependence, partial_dependence
from infimum.explanation.exemplar import Exemplars, similar_rows
from infimum.explanation.importance import Importance, permutation_importance
from infimum.explanation.linear_shapley import linear_shapley
from infimum.explanation.local_effects import LocalEffects, accumulated_local_effects
from infimum.explanation.mechanism import (
    NeighborVotes,
    Question,
    neighbor_votes,
    tree_questions,
)
from infimum.explanation.near_decision import NearDecision, rows_near_decision
from infimum.explanation.relevance import Relevance, global_relevance
from infimum.explanation.sampled_shapley import model_shapley
from infimum.explanation.shapley import shapley_values
from infimum.explanation.surrogate import (
    LocalSurrogate,
    grid_segments,
    local_surrogate,
    segment_relevance,
)

__all__ = [
    "Attribution",
    "Change",
    "Counterfactual",
    "Dependence",
    "Exemplars",
    "Importance",
    "LocalEffects",
    "LocalSurrogate",
    "NearDecision",
    "NeighborVotes",
    "Question",
    "Relevance",
    "accumulated_local_effects",
    "counterfactual",
    "global_relevance",
    "grid_segments",
    "linear_counterfactual",
    "linear_shapley",
    "local_surrogate",
    "model_shapley",
    "neighbor_votes",
    "partial_dependence",
    "permutation_importance",
    "rows_near_decision",
    "segment_relevance",
    "shapley_values",
    "similar_rows",
    "tree_questions",
]
