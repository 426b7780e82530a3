"""Attractive forces between the neighbours of a map."""

import math

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["attract_plane", "attract_space", "sum_log_affinities"]

#: Sums may be taken in any order, so that several pairs are added at once.
FAST = {"reassoc", "contract", "arcp", "nsz", "nnan", "ninf"}


@loop(error_model="numpy", fastmath=FAST)
def attract_plane(
    starts: Indices, names: Indices, weights: Vector, Y: Matrix, first: int, out: Matrix
) -> None:
    """Write Σ_j p_ij (y_i - y_j) / (1 + ‖y_i - y_j‖²) for points in the plane.

    Row 0 of `out` is point `first`. Weights and Y in float32, names unsigned: half the
    memory passes by, and eight pairs are divided at once.
    """
    zero, one = np.float32(0.0), np.float32(1.0)
    for i in range(out.shape[0]):
        a, b = Y[first + i, 0], Y[first + i, 1]
        pull_a, pull_b = zero, zero
        for t in range(starts[first + i], starts[first + i + 1]):
            j = names[t]
            apart_a = a - Y[j, 0]
            apart_b = b - Y[j, 1]
            close = weights[t] / (one + apart_a * apart_a + apart_b * apart_b)
            pull_a += close * apart_a
            pull_b += close * apart_b
        out[i, 0], out[i, 1] = pull_a, pull_b


@loop(error_model="numpy", fastmath={"reassoc", "contract"})
def attract_space(
    starts: Indices,
    names: Indices,
    weights: Vector,
    Y: Matrix,
    first: int,
    heavy: int,
    out: Matrix,
) -> None:
    """Write the same in any dimension; if not `heavy`, without the denominator."""
    sides = Y.shape[1]
    out[:] = 0.0
    for i in range(out.shape[0]):
        y = Y[first + i]
        for t in range(starts[first + i], starts[first + i + 1]):
            j = names[t]
            close = weights[t]
            if heavy:
                square = 1.0
                for s in range(sides):
                    square += (y[s] - Y[j, s]) ** 2
                close /= square
            for s in range(sides):
                out[i, s] += close * (y[s] - Y[j, s])


@loop(error_model="numpy")
def sum_log_affinities(
    starts: Indices,
    names: Indices,
    weights: Vector,
    Y: Matrix,
    first: int,
    last: int,
    heavy: int,
) -> float:
    """Return -Σ_ij p_ij log w_ij over the rows first..last: their distances, weighed.

    w is 1 / (1 + ‖y_i - y_j‖²), or exp(-‖y_i - y_j‖²) if not `heavy`-tailed.
    """
    total = 0.0
    for i in range(first, last):
        for t in range(starts[i], starts[i + 1]):
            square = 0.0
            for s in range(Y.shape[1]):
                square += (Y[i, s] - Y[names[t], s]) ** 2
            total += weights[t] * (math.log1p(square) if heavy else square)
    return total
