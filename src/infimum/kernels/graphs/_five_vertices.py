"""The graphs on five vertices, and how often each one is induced in a larger graph."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
from scipy.sparse.csgraph import connected_components

from infimum.typing import Indices, Matrix

__all__ = ["count_five", "is_connected"]

FIVE = 5
#: The pair of vertices that each of the ten bits of a pattern stands for.
PAIRS = tuple(sorted(combinations(range(FIVE), 2), key=lambda pair: pair[::-1]))


def count_five(A: Matrix) -> dict[str, float]:
    """Return how many sets of five vertices induce each shape, by its edges.

    There are 34 shapes; each is named by the edges of the first of its drawings.
    """
    from infimum.compiled.graphs.five_vertices import count_edge_patterns

    patterns = count_edge_patterns(np.ascontiguousarray(A > 0, dtype=np.int64))
    totals = np.bincount(_shapes(), weights=patterns, minlength=len(patterns))
    return {
        _name(code): float(totals[code]) for code in np.flatnonzero(totals).tolist()
    }


def is_connected(name: str) -> bool:
    """Tell whether a shape, named by its edges, hangs together."""
    A = np.zeros((FIVE, FIVE))
    for edge in name.split():
        A[int(edge[0]), int(edge[1])] = 1.0
    return bool(connected_components(A, directed=False)[0] == 1)


@cache
def _shapes() -> Indices:
    """Return for every pattern the smallest one that is the same graph."""
    codes = np.arange(2 ** len(PAIRS))
    least = codes.copy()
    for order in permutations(range(FIVE)):
        moved = np.zeros_like(codes)
        for bit, (i, j) in enumerate(PAIRS):
            pair = tuple(sorted((order[i], order[j])))
            moved |= ((codes >> bit) & 1) << PAIRS.index(pair)
        least = np.minimum(least, moved)
    return least


def _name(code: int) -> str:
    edges = (f"{i}{j}" for bit, (i, j) in enumerate(PAIRS) if (code >> bit) & 1)
    return " ".join(edges)
