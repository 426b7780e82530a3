"""Recommendation and completion: what the entries of a matrix tell of the others.

- `Ratings`: who rated what, from a sparse matrix or from columns with any names.
- `FactorRecommender` (explicit and implicit feedback, biases, features of users and
  items; a proof that no factorisation of any rank does better), `NeighborRecommender`,
  `ContentRecommender`: one protocol, `fit`, `predict`, `recommend`, `similar_items`,
  `fold_in`, `partial_fit`, `explain`.
- `SoftImpute` with proof, `soft_impute_path`, `HardImpute`: imputers of arrays with
  NaN, completers of sparse entries.
- `shrink_singular_values`: the proximal step of the trace norm.
"""

from infimum.models.recommend.content_recommender import ContentRecommender
from infimum.models.recommend.factor_recommender import FactorRecommender
from infimum.models.recommend.hard_impute import HardImpute
from infimum.models.recommend.neighbor_recommender import NeighborRecommender
from infimum.models.recommend.ratings import Ratings
from infimum.models.recommend.shrinkage import shrink_singular_values
from infimum.models.recommend.soft_impute import (
    CompletionPath,
    SoftImpute,
    soft_impute_path,
)

__all__ = [
    "CompletionPath",
    "ContentRecommender",
    "FactorRecommender",
    "HardImpute",
    "NeighborRecommender",
    "Ratings",
    "SoftImpute",
    "shrink_singular_values",
    "soft_impute_path",
]
