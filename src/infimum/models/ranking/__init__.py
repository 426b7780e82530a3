"""Ranking from comparisons: who is best, and how sure one can be.

- `Comparisons`: games of any form, counted once for each pair; `encode_pairs`,
  `decode_pairs`.
- `BradleyTerryRanker` (ties, home advantage, covariates, intervals, sets of possible
  ranks), `PlackettLuceRanker` for rankings and choices: likeliest scores with proof.
- Without a model: `CountingRanker`, `SerialRanker`, `RankCentrality`, `RankingSVC`,
  `KemenyRanker`.
- Losses of whole samples: `LinearRanker` (orders of documents), `OrdinalSVC` (levels),
  `ScoreMaximizer` (F₁, ROC area, precision at k), each with a proof.
- To draw from: `ConstantNoise`, `UtilityModel`, `Mallows`, `PairwiseModel`, `observe`,
  `hard_instance`.
- `kendall_distance`, `footrule_distance`, `top_k_difference`, `violations`.
- What can be known from how many comparisons: `separation`, `recovery`,
  `repeats_needed`, `fano_bound`, `pairs_shattered`, `permutation_risk_bound`,
  `sorting_comparisons`, `tournament_comparisons`.
- Triplets: `draw_triplets`, `half_space`, `complete_distances`, `query_complexity`,
  `count_triplet_answers`.
"""

from infimum.models.ranking.bradley_terry_ranker import BradleyTerryRanker
from infimum.models.ranking.comparisons import Comparisons, decode_pairs, encode_pairs
from infimum.models.ranking.counting_ranker import CountingRanker
from infimum.models.ranking.distances import (
    footrule_distance,
    kendall_distance,
    top_k_difference,
)
from infimum.models.ranking.kemeny_ranker import KemenyRanker, violations
from infimum.models.ranking.linear_ranker import LinearRanker
from infimum.models.ranking.noise_models import (
    ConstantNoise,
    Mallows,
    PairwiseModel,
    UtilityModel,
    hard_instance,
    observe,
)
from infimum.models.ranking.ordinal_svc import OrdinalSVC
from infimum.models.ranking.plackett_luce_ranker import PlackettLuceRanker
from infimum.models.ranking.rank_centrality import RankCentrality
from infimum.models.ranking.ranking_svc import RankingSVC
from infimum.models.ranking.recovery import (
    Recovery,
    fano_bound,
    pairs_shattered,
    permutation_risk_bound,
    recovery,
    repeats_needed,
    separation,
    sorting_comparisons,
    tournament_comparisons,
)
from infimum.models.ranking.score_maximizer import ScoreMaximizer
from infimum.models.ranking.serial_ranker import SerialRanker, match_similarity
from infimum.models.ranking.triplets import (
    complete_distances,
    count_triplet_answers,
    draw_triplets,
    half_space,
    query_complexity,
)

__all__ = [
    "BradleyTerryRanker",
    "Comparisons",
    "ConstantNoise",
    "CountingRanker",
    "KemenyRanker",
    "LinearRanker",
    "Mallows",
    "OrdinalSVC",
    "PairwiseModel",
    "PlackettLuceRanker",
    "RankCentrality",
    "RankingSVC",
    "Recovery",
    "ScoreMaximizer",
    "SerialRanker",
    "UtilityModel",
    "complete_distances",
    "count_triplet_answers",
    "decode_pairs",
    "draw_triplets",
    "encode_pairs",
    "fano_bound",
    "footrule_distance",
    "half_space",
    "hard_instance",
    "kendall_distance",
    "match_similarity",
    "observe",
    "pairs_shattered",
    "permutation_risk_bound",
    "query_complexity",
    "recovery",
    "repeats_needed",
    "separation",
    "sorting_comparisons",
    "top_k_difference",
    "tournament_comparisons",
    "violations",
]
