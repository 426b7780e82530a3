"""Graphs to learn from: families, cuts by enumeration, spectral relaxations, Cheeger.

- `clique`, `two_cliques`, `path_graph`, `cockroach_graph`, `dangle`, `block_graph`:
  graphs whose cuts are known; `compare_graphs` draws graphs of samples.
- `cut_weight`, `volume`, `conductance`, `ratio_cut`, `normalized_cut`, `balance`.
- `best_cut`, `best_partition` and `cheeger_constant` by enumeration, `minimum_cut` in
  polynomial time, `cheeger_bracket`, `sweep_cut` and `spectral_bisection` for graphs of
  any size; `cut_vector` and `degree_quotient` tell why the latter work.
- `connected_components`, `connectivity_advice`.
"""

from infimum.study.graphs.best_cut import Cut, best_cut, minimum_cut
from infimum.study.graphs.best_partition import Partition, best_partition
from infimum.study.graphs.cheeger import (
    CheegerBracket,
    cheeger_bracket,
    cheeger_constant,
    sweep_cut,
)
from infimum.study.graphs.comparison import GraphComparison, compare_graphs
from infimum.study.graphs.components import (
    ConnectivityAdvice,
    connected_components,
    connectivity_advice,
)
from infimum.study.graphs.cuts import (
    balance,
    conductance,
    cut_weight,
    normalized_cut,
    ratio_cut,
    volume,
)
from infimum.study.graphs.families import (
    block_graph,
    clique,
    cockroach_graph,
    dangle,
    path_graph,
    two_cliques,
)
from infimum.study.graphs.relaxation import (
    Bisection,
    cut_vector,
    degree_quotient,
    spectral_bisection,
)

__all__ = [
    "Bisection",
    "CheegerBracket",
    "ConnectivityAdvice",
    "Cut",
    "GraphComparison",
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
    "minimum_cut",
    "normalized_cut",
    "path_graph",
    "ratio_cut",
    "spectral_bisection",
    "sweep_cut",
    "two_cliques",
    "volume",
]
