"""The field of charges, by adding up all pairs."""

import math

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["add_up_field"]


@loop(error_model="numpy", fastmath={"reassoc", "contract"})
def add_up_field(
    at: Matrix,
    Y: Matrix,
    charges: Vector,
    heavy: int,
    potential: Vector,
    slope: Matrix,
) -> None:
    """Write Σ_j c_j k(‖y - y_j‖²) and its gradient in y at each place.

    k(s) is 1 / (1 + s), or exp(-s) if not `heavy`-tailed.
    """
    sides = Y.shape[1]
    gap = np.empty(sides)
    for i in range(at.shape[0]):
        value = 0.0
        slope[i] = 0.0
        for j in range(Y.shape[0]):
            square = 0.0
            for s in range(sides):
                gap[s] = at[i, s] - Y[j, s]
                square += gap[s] * gap[s]
            if heavy:
                close = 1.0 / (1.0 + square)
                part = charges[j] * close
                steep = -2.0 * part * close
            else:
                part = charges[j] * math.exp(-square)
                steep = -2.0 * part
            value += part
            for s in range(sides):
                slope[i, s] += steep * gap[s]
        potential[i] = value
