"""Forward pass along chains: the normalised mass of every state, step by step."""

import numpy as np

from infimum.compiled.chains.lanes import filled_up, mix_rows
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_forward"]


@loop(superwords=True, fastmath={"reassoc", "contract"})
def chain_forward(
    factors: Matrix, first: Vector, across: Matrix, bounds: Indices, alpha: Matrix
) -> Vector:
    """Fill `alpha`, scaled step by step; return the scale of every step.

    A row is divided by the sum of the one before, so that no step waits for a division:
    scales are the sums before, and 1 where a chain begins. After a row of 0, which is
    impossible, all are 0 up to the end of the chain. Chains reach from one bound to the
    next.
    """
    n_states = factors.shape[1]
    scales = np.ones(factors.shape[0])
    wide = filled_up(across)
    mass = np.zeros(wide.shape[1])
    for chain in range(bounds.size - 1):
        total = 1.0
        for t in range(bounds[chain], bounds[chain + 1]):
            turn, scales[t] = 1.0 / total if total > 0.0 else 0.0, total
            if t == bounds[chain]:
                mass[:n_states] = first
            else:
                mix_rows(alpha, t - 1, wide, mass)
            total = 0.0
            for j in range(n_states):
                alpha[t, j] = mass[j] * (factors[t, j] * turn)
                total += alpha[t, j]
    return scales
