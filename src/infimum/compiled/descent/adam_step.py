"""One step of Adam: moments, rate and weight decay in a single pass."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop

__all__ = ["adam_step"]


@loop(error_model="numpy")
def adam_step(
    theta: Any, gradient: Any, first: Any, second: Any, n_decayed: int, numbers: Any
) -> None:
    """Move theta against the gradient, in place.

    `numbers` are the decay of the first `n_decayed` entries, β₁, 1 - β₁, β₂, 1 - β₂, ε
    and the rate, in the precision of theta.
    """
    decay, beta_1, rest_1 = numbers[0], numbers[1], numbers[2]
    beta_2, rest_2, epsilon, rate = numbers[3], numbers[4], numbers[5], numbers[6]
    for i in range(len(theta)):
        g = gradient[i]
        if i < n_decayed:
            g += decay * theta[i]
        m = beta_1 * first[i] + rest_1 * g
        v = beta_2 * second[i] + rest_2 * (g * g)
        first[i] = m
        second[i] = v
        theta[i] -= rate * m / (np.sqrt(v) + epsilon)
