"""Turn a plain formula into a typed function pointer that a compiled loop can call."""

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
from numba import cfunc, types
from numba.core import ccallback, sigutils
from numba.extending import typeof_impl

from infimum.compiled.cache_key import config
from infimum.compiled.disk_cache import DiskCache, is_ours
from infimum.compiled.loop import loop
from infimum.typing import Formula, Vector

__all__ = [
    "POINTERS",
    "compile_formula",
    "compile_pointer",
    "compile_prox",
    "evaluate",
]

_normal: Any = sigutils.normalize_signature
_number = types.float64
_numbers = types.Array(_number, 1, "C")
#: What a pointer is called with: ``formula(number, number, parameters)``, or a proximal
#: step ``prox(y, f, step, parameters)``.
POINTERS = {
    "formula": _number(_number, _number, _numbers),
    "prox": _number(_number, _number, _number, _numbers),
}


def compile_formula(formula: Formula) -> Any:
    """Compile ``formula(number, number, parameters)``, from the disk cache if possible.

    The pointer's type mentions its signature and not its address, which is what lets
    numba reuse a cached loop for formulas it has never seen.
    """
    return compile_pointer(formula, "formula")


def compile_prox(formula: Formula) -> Any:
    """Compile a proximal step ``formula(y, f, step, parameters)`` likewise."""
    return compile_pointer(formula, "prox")


@cache
def compile_pointer(formula: Formula, kind: str) -> Any:
    """Keep formulas of this library as loops are kept, and leave others to numba."""
    signature = POINTERS[kind]
    if config.DISABLE_JIT:
        return formula
    if not is_ours(formula):
        with suppress(RuntimeError):  # numba found no place to keep it
            return cfunc(signature, cache=True)(formula)
        return cfunc(signature)(formula)
    given = _normal(signature)
    made: Any = _Pointer(formula, given, locals={}, options={})
    made.kind, made._cache = _kind(kind), DiskCache(formula)
    made.compile()
    return made


class _Pointer(ccallback.CFunc):
    """A compiled formula that knows its type: numba would make a new one each call."""

    kind: Any


@cache
def _kind(name: str) -> Any:
    return types.FunctionType(POINTERS[name])


@typeof_impl.register(_Pointer)
def _kind_of(pointer: _Pointer, _: Any) -> Any:
    return pointer.kind


@loop()
def evaluate(formula: Any, a: Vector, b: Vector, parameters: Vector) -> Vector:
    """Apply a compiled formula to each pair (aᵢ, bᵢ)."""
    out = np.empty(a.size)
    for i in range(a.size):
        out[i] = formula(a[i], b[i], parameters)
    return out
