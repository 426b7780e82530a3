"""Graphs of samples: from rows to weights, Laplacians, spectra and shortest paths.

- `nearest_neighbor_graph`, `epsilon_graph`, `gaussian_graph`: from samples to weights.
- `laplacian` in three forms, `degrees`, `variation`, `NormalizedAdjacency`;
  `laplacian_spectrum` with residuals and `eigengap`.
- `shortest_paths`.

Cuts, families of graphs and Cheeger's inequality are in `infimum.study.graphs`.
"""

from typing import TYPE_CHECKING

from infimum.models.graph.laplacian import degrees, laplacian, variation
from infimum.models.graph.neighborhood import (
    epsilon_graph,
    gaussian_graph,
    nearest_neighbor_graph,
)
from infimum.models.graph.normalized_adjacency import NormalizedAdjacency
from infimum.models.graph.paths import shortest_paths
from infimum.models.graph.spectrum import (
    LaplacianSpectrum,
    eigengap,
    laplacian_spectrum,
)
from infimum.moved import found_elsewhere
from infimum.models.graph.hubs import Hits, Katz, hits, katz
from infimum.models.graph.page_rank import PageRank, google_spectrum, pagerank
from infimum.models.graph.resistance import (
    HittingTimes,
    PairTable,
    commute_times,
    hitting_times,
    resistance,
)
from infimum.models.graph.walks import (
    StationaryLaw,
    in_degrees,
    mixing_rate,
    out_degrees,
    sample_walks,
    stationary_law,
    transition_matrix,
    walk_law,
)

__all__ = [
    "Hits", "HittingTimes", "Katz", "PageRank", "PairTable", "StationaryLaw",
    "commute_times", "google_spectrum", "hits", "hitting_times", "in_degrees", "katz",
    "mixing_rate", "out_degrees", "pagerank", "resistance", "sample_walks",
    "stationary_law", "transition_matrix", "walk_law",
    "LaplacianSpectrum",
    "NormalizedAdjacency",
    "degrees",
    "eigengap",
    "epsilon_graph",
    "gaussian_graph",
    "laplacian",
    "laplacian_spectrum",
    "nearest_neighbor_graph",
    "shortest_paths",
    "variation",
]

if not TYPE_CHECKING:
    __getattr__ = found_elsewhere(__name__)
