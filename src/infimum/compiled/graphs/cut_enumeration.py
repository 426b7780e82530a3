"""All ways to cut a small graph in two, one after the other."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["enumerate_cuts"]


@inner_loop()
def _score(kind: int, cut: float, side: float, rest: float) -> float:
    """Return cut × (1/side + 1/rest) for 0, cut / min for 1, the cut itself for 2."""
    if side <= 0.0 or rest <= 0.0:
        return np.inf
    if kind == 0:
        return cut * (1.0 / side + 1.0 / rest)
    return cut / min(side, rest) if kind == 1 else cut


@loop()
def enumerate_cuts(
    W: Matrix, sizes: Vector, kind: int, halves: int, best: Indices
) -> float:
    """Write the best side of all cuts to `best`, as 0 and 1; return its score.

    Neighbouring cuts of a Gray code differ in one vertex, so that each costs one row of
    W. Vertex 0 never moves: a cut has two sides, and either names it. With `halves` 1
    only cuts into sides of equally many vertices count.
    """
    n = W.shape[0]
    inside = np.zeros(n, dtype=np.int64)
    cut, side, members = 0.0, 0.0, 0
    total, least = sizes.sum(), np.inf
    for step in range(1, 1 << (n - 1)):
        moving, rest = 1, step
        while rest & 1 == 0:
            rest >>= 1
            moving += 1
        sign = 1 - 2 * inside[moving]
        for j in range(n):
            if j != moving:
                same = 1.0 if inside[j] == inside[moving] else -1.0
                cut += same * W[moving, j]
        inside[moving] = 1 - inside[moving]
        side += sign * sizes[moving]
        members += sign
        if halves and 2 * members != n:
            continue
        score = _score(kind, cut, side, total - side)
        if score < least * (1.0 - 1e-12):
            least = score
            best[:] = inside
    return float(least)
