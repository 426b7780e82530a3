"""Graphs of samples: who is near to whom, and where the graph is best cut.

- `nearest_neighbor_graph`, `epsilon_graph`, `gaussian_graph`: from samples to weights;
  `connectivity_advice` tells how sparse they may be, `compare_graphs` draws them.
- `laplacian` in three forms, `degrees`, `variation`, `NormalizedAdjacency`;
  `laplacian_spectrum` with residuals and `eigengap`.
- `cut_weight`, `volume`, `conductance`, `ratio_cut`, `normalized_cut`, `balance`.
- `best_cut`, `best_partition` and `cheeger_constant` by enumeration, `minimum_cut` in
  polynomial time, `cheeger_bracket`, `sweep_cut` and `spectral_bisection` for graphs of
  any size;
  `cut_vector` and `degree_quotient` tell why the latter work.
- `connected_components`, `shortest_paths`.
- Graphs with a story: `clique`, `two_cliques`, `path_graph`, `cockroach_graph`,
  `dangle`, `block_graph`.
"""

from infimum.models.graph.best_cut import Cut, best_cut, minimum_cut
from infimum.models.graph.best_partition import Partition, best_partition
from infimum.models.graph.cheeger import (
    CheegerBracket,
    cheeger_bracket,
    cheeger_constant,
    sweep_cut,
)
from infimum.models.graph.comparison import GraphComparison, compare_graphs
from infimum.models.graph.components import (
    ConnectivityAdvice,
    connected_components,
    connectivity_advice,
)
from infimum.models.graph.cuts import (
    balance,
    conductance,
    cut_weight,
    normalized_cut,
    ratio_cut,
    volume,
)
from infimum.models.graph.families import (
    block_graph,
    clique,
    cockroach_graph,
    dangle,
    path_graph,
    two_cliques,
)
from infimum.models.graph.laplacian import degrees, laplacian, variation
from infimum.models.graph.neighborhood import (
    epsilon_graph,
    gaussian_graph,
    nearest_neighbor_graph,
)
from infimum.models.graph.normalized_adjacency import NormalizedAdjacency
from infimum.models.graph.paths import shortest_paths
from infimum.models.graph.relaxation import (
    Bisection,
    cut_vector,
    degree_quotient,
    spectral_bisection,
)
from infimum.models.graph.spectrum import (
    LaplacianSpectrum,
    eigengap,
    laplacian_spectrum,
)

__all__ = [
    "Bisection",
    "CheegerBracket",
    "ConnectivityAdvice",
    "Cut",
    "GraphComparison",
    "LaplacianSpectrum",
    "NormalizedAdjacency",
    "Partition",
    "balance",
    "best_cut",
    "best_partition",
    "block_graph",
    "cheeger_bracket",
    "cheeger_constant",
    "clique",
    "cockroach_graph",
    "compare_graphs",
    "conductance",
    "connected_components",
    "connectivity_advice",
    "cut_vector",
    "cut_weight",
    "dangle",
    "degree_quotient",
    "degrees",
    "eigengap",
    "epsilon_graph",
    "gaussian_graph",
    "laplacian",
    "laplacian_spectrum",
    "minimum_cut",
    "nearest_neighbor_graph",
    "normalized_cut",
    "path_graph",
    "ratio_cut",
    "shortest_paths",
    "spectral_bisection",
    "sweep_cut",
    "two_cliques",
    "variation",
    "volume",
]
