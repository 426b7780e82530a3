"""Sets of five vertices: which of the ten possible edges each one has."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices

__all__ = ["count_edge_patterns"]


@loop()
def count_edge_patterns(edges: Indices) -> Indices:
    """Count the sets of five vertices by their edges, ten bits a set.

    Bit 0 to 9 are the pairs 01, 02, 12, 03, 13, 23, 04, 14, 24, 34 of the set in
    order; `edges` is 1 where two vertices are joined and 0 elsewhere.
    """
    n = len(edges)
    counts = np.zeros(1024, dtype=np.int64)
    for a in range(n):
        for b in range(a + 1, n):
            two = edges[a, b]
            for c in range(b + 1, n):
                three = two + 2 * edges[a, c] + 4 * edges[b, c]
                for d in range(c + 1, n):
                    four = three + 8 * edges[a, d]
                    four += 16 * edges[b, d] + 32 * edges[c, d]
                    for e in range(d + 1, n):
                        code = four + 64 * edges[a, e] + 128 * edges[b, e]
                        counts[code + 256 * edges[c, e] + 512 * edges[d, e]] += 1
    return counts
