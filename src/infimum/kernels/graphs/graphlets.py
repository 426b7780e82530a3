"""Graphlet kernel: graphs compared by how often each small graph occurs."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import comb
from typing import Any

import numpy as np

from infimum.kernels._pairs import CountingKernel
from infimum.kernels.graphs._five_vertices import count_five, is_connected
from infimum.kernels.graphs.graph import as_graph
from infimum.parameters import Choice
from infimum.typing import Matrix, Vector

__all__ = ["Graphlets"]

#: All graphs on 3 and on 4 vertices, by their edges.
THREE: dict[str, tuple[str, ...]] = {
    "empty": (),
    "edge": ("01",),
    "wedge": ("01", "12"),
    "triangle": ("01", "12", "02"),
}
FOUR: dict[str, tuple[str, ...]] = {
    "empty": (),
    "edge": ("01",),
    "two edges": ("01", "23"),
    "wedge": ("01", "12"),
    "triangle": ("01", "12", "02"),
    "path": ("01", "12", "23"),
    "claw": ("01", "02", "03"),
    "square": ("01", "12", "23", "03"),
    "paw": ("01", "12", "02", "03"),
    "diamond": ("01", "12", "23", "03", "02"),
    "clique": ("01", "02", "03", "12", "13", "23"),
}
TRIPLE, FIVE = 3, 5
CONNECTED = {"wedge", "triangle"}
CONNECTED_FOUR = {"path", "claw", "square", "paw", "diamond", "clique"}


@dataclass(frozen=True)
class Graphlets(CountingKernel):
    r"""Inner product of the numbers of induced subgraphs of each shape.

    .. math:: k(G, G') = \sum_{H} \#(G, H)\,\#(G', H)

    over all graphs H on `size` vertices; #(G, H) counts the sets of `size` vertices
    that G joins exactly as H. Closed formulas count those of 3 and 4 vertices from
    degrees and common neighbours, without looking at the sets; every set of 5 is looked
    at, quickly up to some 100 vertices and 30 times longer for 200. Larger sets are
    refused: there are too many of them to look at.

    Parameters
    ----------
    size : {3, 4, 5}, default=3
    connected : bool, default=False
        Whether only connected shapes count.

    Examples
    --------
    >>> square = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    >>> Graphlets(3)([square])
    array([[16.]])
    """

    size: int = field(default=3, metadata={"domain": Choice((3, 4, 5))})
    connected: bool = False

    def count(self, thing: Any) -> Mapping[Hashable, float]:
        """Return how many sets of vertices of one graph have each shape."""
        A = as_graph(thing).undirected("Graphlets")
        if self.size == FIVE:
            found = count_five(A)
            return {
                name: value
                for name, value in found.items()
                if is_connected(name) or not self.connected
            }
        shapes = THREE if self.size == TRIPLE else FOUR
        wanted = CONNECTED if self.size == TRIPLE else CONNECTED_FOUR
        # Every occurrence of a shape lies in exactly one induced shape.
        induced = np.linalg.solve(_overlaps(int(self.size)), _occurrences(A, shapes))
        counts = dict(zip(shapes, np.rint(induced).tolist(), strict=True))
        return {
            name: value
            for name, value in counts.items()
            if value and (name in wanted or not self.connected)
        }


@cache
def _overlaps(size: int) -> Matrix:
    """Return how often each shape occurs in each shape, induced or not."""
    shapes = THREE if size == TRIPLE else FOUR
    columns = [_occurrences(_draw(edges, size), shapes) for edges in shapes.values()]
    return np.column_stack(columns)


def _draw(edges: tuple[str, ...], size: int) -> Matrix:
    A = np.zeros((size, size))
    for edge in edges:
        i, j = int(edge[0]), int(edge[1])
        A[i, j] = A[j, i] = 1.0
    return A


def _occurrences(A: Matrix, shapes: dict[str, tuple[str, ...]]) -> Vector:
    """Count each shape in a graph, whatever other edges its vertices carry."""
    n, degrees, both = len(A), A.sum(axis=0), A @ A
    edges = degrees.sum() / 2
    wedges = (degrees * (degrees - 1)).sum() / 2
    triangles = (both * A).sum() / 6
    if len(shapes) == len(THREE):
        return np.array([comb(n, 3), edges * max(0, n - 2), wedges, triangles])
    beyond = degrees - 1
    paths = (beyond @ A @ beyond) / 2 - 3 * triangles
    pairs = np.triu(both, 1)
    on_edges = pairs * A
    tails = ((both * A).sum(axis=0) / 2) @ (degrees - 2)
    return np.array(
        [
            comb(n, 4),
            edges * comb(max(0, n - 2), 2),
            edges * (edges - 1) / 2 - wedges,
            wedges * max(0, n - 3),
            triangles * max(0, n - 3),
            paths,
            (degrees * (degrees - 1) * (degrees - 2)).sum() / 6,
            (pairs * (pairs - 1)).sum() / 4,
            tails,
            (on_edges * (on_edges - 1)).sum() / 2,
            _cliques(A),
        ]
    )


def _cliques(A: Matrix) -> float:
    # Six edges see the same clique, each through the edge opposite to it.
    edges = zip(*np.nonzero(np.triu(A)), strict=True)
    common = (np.flatnonzero(A[i] * A[j]) for i, j in edges)
    return sum(float(A[np.ix_(both, both)].sum()) / 2 for both in common) / 6
