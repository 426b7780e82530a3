"""Ask for a row before it is needed: the cache fetches it while work goes on."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.instruction import instruction
from infimum.typing import Matrix

__all__ = ["fetch_entry", "fetch_row"]

_LINE = 64


def _let_be(_address: int) -> None:
    """Do nothing: Python has no say in this."""


@instruction(_let_be)
def _fetch(_typing: Any, _address: Any) -> Any:
    """Make one prefetch instruction for reading, to be kept in all caches."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        place = builder.inttoptr(given[0], pointer)
        flags = [ir.Constant(number, flag) for flag in (0, 3, 1)]
        builder.call(function, [place, *flags])
        return context.get_dummy_value()

    return types.void(types.uintp), build


@inner_loop()
def fetch_row(X: Matrix, i: int) -> None:
    """Ask for row i of a matrix whose rows are contiguous."""
    address = X[i].ctypes.data
    for offset in range(0, X.shape[1] * X.itemsize, _LINE):
        _fetch(address + offset)


@inner_loop()
def fetch_entry(x: Any, i: Any) -> None:
    """Ask for entry i of a vector, and what stands beside it."""
    _fetch(x.ctypes.data + i * x.itemsize)
