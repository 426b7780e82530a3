"""Forward through a layer of ReLU: intercepts and the function in a single pass."""

from typing import Any

from infimum.compiled.loop import loop

__all__ = ["shifted_relu"]


@loop(error_model="numpy")
def shifted_relu(out: Any, shifts: Any) -> None:
    """Write max(out + shifts, 0) over out; what is no number stays none."""
    zero = out.dtype.type(0.0)
    n, k = out.shape
    for i in range(n):
        for j in range(k):
            a = out[i, j] + shifts[j]
            out[i, j] = zero if a < zero else a
