"""Orthogonal matching pursuit of many targets on the same columns, side by side."""

import numpy as np
from numba import prange

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["pursue_rows"]

#: A column with less than this share of its square beside the chosen ones is theirs.
_DEPENDENT = 1e-12


@loop(parallel=True)
def pursue_rows(gram: Matrix, pulls: Matrix, steps: int, codes: Matrix) -> None:
    """Choose up to `steps` columns for every row of `codes`, and fit their weights.

    Row i is to explain a target whose products with the columns are row i of `pulls`.
    The next column is that of the largest product with what is left.
    """
    for i in prange(codes.shape[0]):
        _pursue(gram, pulls[i], steps, codes[i])


@inner_loop()
def _pursue(gram: Matrix, pull: Vector, steps: int, code: Vector) -> None:
    code[:] = 0.0
    left, taken = pull.copy(), np.zeros(len(pull), dtype=np.bool_)
    chosen = np.empty(steps, dtype=np.int64)
    root, aims, weights = np.zeros((steps, steps)), np.empty(steps), np.empty(steps)
    for m in range(steps):
        best = _largest(left, taken)
        if best < 0 or not _join(gram, pull, chosen, root, aims, m, best):
            return
        chosen[m], taken[best] = best, True
        for a in range(m, -1, -1):
            total = aims[a]
            for b in range(a + 1, m + 1):
                total -= root[b, a] * weights[b]
            weights[a] = total / root[a, a]
        left[:] = pull
        for a in range(m + 1):
            code[chosen[a]] = weights[a]
            for j in range(len(pull)):
                left[j] -= weights[a] * gram[chosen[a], j]


@inner_loop()
def _largest(left: Vector, taken: Mask) -> int:
    """Return where a column that is not taken has the largest product, or -1."""
    best, most = -1, 0.0
    for j in range(len(left)):
        if not taken[j] and abs(left[j]) > most:
            best, most = j, abs(left[j])
    return best


@inner_loop()
def _join(
    gram: Matrix,
    pull: Vector,
    chosen: Indices,
    root: Matrix,
    aims: Vector,
    m: int,
    best: int,
) -> bool:
    """Add a column to Cholesky's root of the chosen ones, unless it depends on them."""
    beside: float = gram[best, best]
    aim: float = pull[best]
    for a in range(m):
        total = gram[best, chosen[a]]
        for b in range(a):
            total -= root[m, b] * root[a, b]
        root[m, a] = total / root[a, a]
        beside -= root[m, a] ** 2
        aim -= root[m, a] * aims[a]
    if beside <= _DEPENDENT * gram[best, best]:
        return False
    root[m, m] = np.sqrt(beside)
    aims[m] = aim / root[m, m]
    return True
