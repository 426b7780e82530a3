"""Weisfeiler–Lehman kernel: vertices known by their neighbours' neighbours."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels._pairs import CountingKernel
from infimum.kernels.graphs.graph import as_graph
from infimum.parameters import whole

__all__ = ["WeisfeilerLehman"]


@dataclass(frozen=True)
class WeisfeilerLehman(CountingKernel):
    r"""Number of vertices with the same surroundings, at every depth.

    .. math:: k(G, G') = \sum_{h=0}^{H} \sum_{\text{colours } c}
              \#_h(G, c)\,\#_h(G', c)

    At depth 0 the colour of a vertex is its label (all alike without labels); at each
    further depth it is the old colour together with the bag of the neighbours' old
    colours. The time is proportional to the number of edges and the depth. Weights and
    directions are kept out: an edge is an edge that leaves the vertex.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> WeisfeilerLehman(1)([path])
    array([[14.]])
    """

    depth: int = field(default=3, metadata={"domain": whole(0)})

    def count(self, thing: Any) -> Mapping[Hashable, float]:
        """Return how many vertices of one graph have each colour at each depth."""
        return self._count_all([thing])[0]

    def _count_all(self, things: Sequence[Any]) -> list[Mapping[Hashable, float]]:
        graphs = [as_graph(thing) for thing in things]
        colours: list[list[Hashable]] = [
            [0] * g.size if g.labels is None else list(g.labels) for g in graphs
        ]
        near = [[np.flatnonzero(row) for row in g.adjacency] for g in graphs]
        counts: list[Counter[Hashable]] = [
            Counter((0, c) for c in row) for row in colours
        ]
        for depth in range(1, int(self.depth) + 1):
            # One numbering for all graphs, so that equal surroundings stay equal.
            known: dict[Hashable, int] = {}
            colours = [
                _refine(row, around, known)
                for row, around in zip(colours, near, strict=True)
            ]
            for total, row in zip(counts, colours, strict=True):
                total.update((depth, c) for c in row)
        return [dict(total) for total in counts]


def _refine(
    colours: list[Hashable], near: list[Any], known: dict[Hashable, int]
) -> list[Hashable]:
    return [
        known.setdefault(
            (own, frozenset(Counter(colours[j] for j in around).items())), len(known)
        )
        for own, around in zip(colours, near, strict=True)
    ]
