"""Graphs of samples: from rows to weights, Laplacians, spectra and shortest paths.

- `nearest_neighbor_graph`, `epsilon_graph`, `gaussian_graph`: from samples to weights.
- `laplacian` in three forms, `degrees`, `variation`, `NormalizedAdjacency`;
  `laplacian_spectrum` with residuals and `eigengap`.
- `shortest_paths`.
- Walks, also on directed graphs and those of networkx: `transition_matrix`, `walk_law`,
  `sample_walks`, `stationary_law`, `mixing_rate`, `hitting_times`, `commute_times`,
  `resistance`.
- Ranks with a proved error: `pagerank`, `google_spectrum`, `hits`, `katz`.

Cuts, families of graphs and Cheeger's inequality are in `infimum.study.graphs`.
"""

from typing import TYPE_CHECKING

from infimum.models.graph.hubs import Hits, Katz, hits, katz
from infimum.models.graph.laplacian import degrees, laplacian, variation
from infimum.models.graph.neighborhood import (
    epsilon_graph,
    gaussian_graph,
    nearest_neighbor_graph,
)
from infimum.models.graph.normalized_adjacency import NormalizedAdjacency
from infimum.models.graph.page_rank import PageRank, google_spectrum, pagerank
from infimum.models.graph.paths import shortest_paths
from infimum.models.graph.resistance import (
    HittingTimes,
    PairTable,
    commute_times,
    hitting_times,
    resistance,
)
from infimum.models.graph.spectrum import (
    LaplacianSpectrum,
    eigengap,
    laplacian_spectrum,
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
from infimum.moved import found_elsewhere

__all__ = [
    "Hits",
    "HittingTimes",
    "Katz",
    "LaplacianSpectrum",
    "NormalizedAdjacency",
    "PageRank",
    "PairTable",
    "StationaryLaw",
    "commute_times",
    "degrees",
    "eigengap",
    "epsilon_graph",
    "gaussian_graph",
    "google_spectrum",
    "hits",
    "hitting_times",
    "in_degrees",
    "katz",
    "laplacian",
    "laplacian_spectrum",
    "mixing_rate",
    "nearest_neighbor_graph",
    "out_degrees",
    "pagerank",
    "resistance",
    "sample_walks",
    "shortest_paths",
    "stationary_law",
    "transition_matrix",
    "variation",
    "walk_law",
]

if not TYPE_CHECKING:
    __getattr__ = found_elsewhere(__name__)
