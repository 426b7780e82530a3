"""The purest cut of two classes whose features are known for every row."""

import math

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_parts import Columns
from infimum.typing import Matrix, Vector

__all__ = ["cut_pairs"]

#: Cuts that are judged together: sums must wait for each other, roots need not.
RUN = 512
GINI = 1


@inner_loop(borrows=True, error_model="numpy")
def _judge(
    first: Vector, second: Vector, total: Vector, criterion: int, out: Vector
) -> None:
    """Write the purities of both parts, times their weights, for a run of cuts."""
    A, B = total[0], total[1]
    if criterion == GINI:
        for t in range(out.size):
            a, b = first[t], second[t]
            c, d = max(A - a, 0.0), max(B - b, 0.0)
            left, right = max(a + b, 1e-300), max(c + d, 1e-300)
            out[t] = (a * a + b * b) / left + (c * c + d * d) / right
        return
    for t in range(out.size):
        a, b = first[t], second[t]
        rest = max(A - a, 0.0) * max(B - b, 0.0)
        out[t] = -2.0 * (math.sqrt(a * b) + math.sqrt(rest))


@inner_loop(borrows=True)
def _scan(
    columns: Columns, j: int, signed: Vector, total: Vector, criterion: int,
    margin: float, runs: Matrix,
) -> tuple[float, int]:  # fmt: skip
    """Return the best cut of one feature, and the place before it."""
    order, ends, last = columns.order, columns.ends, columns.starts[j + 1] - 1
    best, bar, place = -math.inf, -math.inf, -1
    a = b = 0.0
    for begin in range(columns.starts[j], last, RUN):
        size = min(RUN, last - begin)
        for t in range(size):
            s = signed[order[begin + t]]
            a += max(s, 0.0)
            b += max(-s, 0.0)
            runs[0, t], runs[1, t] = a, b
        _judge(runs[0, :size], runs[1, :size], total, criterion, runs[2, :size])
        for t in range(size):
            if runs[2, t] > bar and ends[begin + t]:
                best, place = runs[2, t], begin + t
                bar = best + margin
    return best, place


@loop()
def cut_pairs(
    columns: Columns, first: int, last: int, signed: Vector, total: Vector,
    criterion: int, margin: float,
) -> tuple[float, int, int, bool]:  # fmt: skip
    """Return what `cut_classes` does, for two classes and nothing missing.

    `signed` are the weights of the second class, and those of the first negative;
    `total` is the weight of the second, then of the first.
    """
    best, cut, feature = -math.inf, -1, -1
    runs = np.empty((3, RUN))
    for j in range(first, last):
        value, place = _scan(columns, j, signed, total, criterion, margin, runs)
        if place >= 0 and value > best + margin:
            best, cut, feature = value, 2 * place + 1, j
    return best, cut, feature, False
