"""The names of distances that each way of searching knows."""

from infimum.models.neighbors._metric import NAMED, SPARSE, SYNONYMS
from infimum.models.neighbors.ball_tree import BallTree
from infimum.models.neighbors.kd_tree import KDTree

__all__ = ["VALID_METRICS", "VALID_METRICS_SPARSE"]

#: By the name of the algorithm; other distances may be functions of two samples.
VALID_METRICS: dict[str, list[str]] = {
    "ball_tree": list(BallTree.valid_metrics),
    "kd_tree": list(KDTree.valid_metrics),
    "brute": sorted({*NAMED, *SYNONYMS, "edit_distance", "precomputed"}),
}

#: The same for sparse samples, which no tree holds.
VALID_METRICS_SPARSE: dict[str, list[str]] = {
    "ball_tree": [],
    "kd_tree": [],
    "brute": sorted(
        {*SPARSE, "precomputed", *(k for k, v in SYNONYMS.items() if v in SPARSE)}
    ),
}
