"""Backward through an activation: its slope, and the sum for each unit, in one pass."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop

__all__ = ["activation_pull"]


@loop(error_model="numpy")
def activation_pull(kind: int, out: Any, delta: Any, sums: Any) -> None:
    """Multiply delta by σ′, known from out = σ(a); write its sums over the rows.

    `kind` is 0 for the identity, 1 ReLU, 2 tanh, 3 sigmoid, 4 softplus.
    """
    zero, one = out.dtype.type(0.0), out.dtype.type(1.0)
    n, k = out.shape
    for j in range(k):
        sums[j] = zero
    for i in range(n):
        if kind == 1:
            for j in range(k):
                delta[i, j] = delta[i, j] if out[i, j] > zero else zero
        elif kind == 2:
            for j in range(k):
                delta[i, j] *= one - out[i, j] * out[i, j]
        elif kind == 3:
            for j in range(k):
                delta[i, j] *= out[i, j] * (one - out[i, j])
        elif kind == 4:
            for j in range(k):
                delta[i, j] *= -np.expm1(-out[i, j])
        for j in range(k):
            sums[j] += delta[i, j]
