"""Scores of chains as factors: exp(score - top of the step), 0 where forbidden."""

import math

import numpy as np

from infimum.compiled.exponentials import RUN, _double
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["chain_powers"]

#: Exponentials of less than -700 are 0.
LEAST = math.exp(-700.0)


@loop()
def chain_powers(scores: Matrix, tops: Vector, factors: Matrix) -> None:
    """Fill the top of each step, 0 where everything is forbidden, and the factors."""
    steps, n_states = scores.shape
    bits = np.empty(RUN, dtype=np.int64)
    powers = bits.view(np.float64)
    for t in range(steps):
        top = scores[t, 0]
        for j in range(1, n_states):
            top = max(top, scores[t, j])
        tops[t] = top if np.isfinite(top) else 0.0
        for j in range(n_states):
            factors[t, j] = scores[t, j] - tops[t]
    flat = factors.ravel()
    for low in range(0, flat.size, RUN):
        part = flat[low : min(low + RUN, flat.size)]
        _double(part, part, bits, powers)
        for k in range(part.size):
            part[k] = part[k] if part[k] >= LEAST else 0.0
