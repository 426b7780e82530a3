"""Forward pass along chains: the normalised mass of every state, step by step."""

import numpy as np

from infimum.compiled.chains.lanes import filled_up, mix_rows
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_forward"]


@loop(fastmath={"reassoc", "contract"})
def chain_forward(
    factors: Matrix, first: Vector, across: Matrix, bounds: Indices, alpha: Matrix
) -> Vector:
    """Fill `alpha` with rows that sum to 1; return the scale of every step.

    A step of scale 0 is impossible: its row, and those up to the end of the chain, are
    0. Chains reach from one bound to the next.
    """
    n_states = factors.shape[1]
    scales = np.zeros(factors.shape[0])
    wide = filled_up(across)
    mass = np.zeros(wide.shape[1])
    for chain in range(bounds.size - 1):
        for t in range(bounds[chain], bounds[chain + 1]):
            if t == bounds[chain]:
                mass[:n_states] = first
            else:
                mix_rows(alpha, t - 1, wide, mass)
            total = 0.0
            for j in range(n_states):
                mass[j] *= factors[t, j]
                total += mass[j]
            scales[t] = total
            turn = 1.0 / total if total > 0.0 else 0.0
            for j in range(n_states):
                alpha[t, j] = mass[j] * turn
    return scales
