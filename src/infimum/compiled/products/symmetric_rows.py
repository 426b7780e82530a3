"""A sparse matrix with as many entries in each row, added to its transpose."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["add_transpose"]


@inner_loop()
def _turn(names: Indices, values: Matrix) -> tuple[Indices, Indices, Vector]:
    """Return the transpose as starts, names and values."""
    n, count = names.shape
    starts = np.zeros(n + 1, dtype=np.int64)
    for i in range(n):
        for t in range(count):
            starts[names[i, t] + 1] += 1
    starts = np.cumsum(starts)
    filled = starts[:-1].copy()
    turned = np.empty(names.size, dtype=np.uint32)
    kept = np.empty(names.size)
    for i in range(n):
        for t in range(count):
            at = filled[names[i, t]]
            filled[names[i, t]] = at + 1
            turned[at], kept[at] = i, values[i, t]
    return starts, turned, kept


@loop()
def add_transpose(names: Indices, values: Matrix) -> tuple[Indices, Indices, Vector]:
    """Return starts, unsigned names and values of A + Aᵀ; no name twice in a row of A.

    In a row the entries of A come first, in their order, then those of Aᵀ alone.
    """
    n, count = names.shape
    begins, turned, kept = _turn(names, values)
    place = np.full(n, -1, dtype=np.int64)
    starts = np.empty(n + 1, dtype=np.int64)
    out_names = np.empty(2 * names.size, dtype=np.uint32)
    out = np.empty(2 * names.size)
    at = 0
    for i in range(n):
        begin = starts[i] = at
        for t in range(count):
            place[names[i, t]] = at
            out_names[at], out[at] = names[i, t], values[i, t]
            at += 1
        for t in range(begins[i], begins[i + 1]):
            j = turned[t]
            if place[j] >= begin:
                out[place[j]] += kept[t]
            else:
                out_names[at], out[at] = j, kept[t]
                at += 1
    starts[n] = at
    return starts, out_names[:at].copy(), out[:at].copy()
