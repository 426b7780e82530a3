"""Turn a plain formula into a typed function pointer that a compiled loop can call."""

from functools import cache
from typing import Any

import numpy as np
from numba import cfunc, njit, types

from infimum.typing import Formula, Vector

__all__ = ["compile_ease", "compile_formula", "evaluate"]

_number = types.float64
_numbers = types.Array(_number, 1, "C")
_formula = _number(_number, _number, _numbers)
_ease = _number(_number, _number, _number, _numbers)


@cache
def compile_formula(formula: Formula) -> Any:
    """Compile ``formula(number, number, parameters)``, from the disk cache if possible.

    The pointer's type mentions its signature and not its address, which is what lets
    numba reuse a cached loop for formulas it has never seen.
    """
    return cfunc(_formula, cache=True)(formula)


@cache
def compile_ease(formula: Formula) -> Any:
    """Compile a proximal step ``formula(y, f, step, parameters)`` likewise."""
    return cfunc(_ease, cache=True)(formula)


@njit(cache=True)
def evaluate(formula: Any, a: Vector, b: Vector, parameters: Vector) -> Vector:
    """Apply a compiled formula to each pair (aᵢ, bᵢ)."""
    out = np.empty(a.size)
    for i in range(a.size):
        out[i] = formula(a[i], b[i], parameters)
    return out
