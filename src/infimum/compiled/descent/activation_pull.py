"""Backward through an activation: its slope, and the sum for each unit, in one pass."""

from typing import Any

from infimum.compiled.loop import loop

__all__ = ["activation_pull"]


@loop(error_model="numpy")
def activation_pull(curve: Any, out: Any, delta: Any, sums: Any) -> None:
    """Multiply delta by σ′, known from out = σ(a); write its sums over the rows.

    σ′ is `curve[0]` + `curve[1]` out + `curve[2]` out²; without a curve it is that of
    ReLU, 1 above 0.
    """
    zero = out.dtype.type(0.0)
    n, k = out.shape
    for j in range(k):
        sums[j] = zero
    for i in range(n):
        if len(curve):
            for j in range(k):
                bend = curve[1] + curve[2] * out[i, j]
                delta[i, j] *= curve[0] + bend * out[i, j]
        else:
            for j in range(k):
                delta[i, j] = delta[i, j] if out[i, j] > zero else zero
        for j in range(k):
            sums[j] += delta[i, j]
