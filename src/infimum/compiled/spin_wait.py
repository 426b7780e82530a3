"""Threads that wait for one another inside machine code, by an atomic number.

Between the steps of a tree there are microseconds of waiting; going back to the
interpreter for them, or to sleep, would cost more than many a step.
"""

import ctypes
import sys
import time
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types

from infimum.compiled.instruction import instruction
from infimum.compiled.loop import loop

__all__ = ["announce", "wait_for", "wait_long_for"]

#: Looks at the number before another thread is let in.
LOOKS = 20_000
#: Where the wait is part of some hundred microseconds' work: who gives the core away
#: may get it back a hundred times later.
MANY_LOOKS = 500_000
#: What the system calls giving up the rest of one's time.
GIVE_WAY = "SwitchToThread" if sys.platform == "win32" else "sched_yield"


def _read(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _write(address: int, number: int) -> None:
    ctypes.c_int64.from_address(address).value = number


def _rest() -> None:
    time.sleep(0)


@instruction(_read)
def _look(_typing: Any, _address: Any) -> Any:
    """Read a number that another thread may be writing."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        place = builder.inttoptr(given[0], ir.IntType(64).as_pointer())
        return builder.load_atomic(place, "acquire", 8)

    return types.int64(types.uintp), build


@instruction(_write)
def _tell(_typing: Any, _address: Any, _number: Any) -> Any:
    """Write a number, and everything written before, for other threads to see."""

    def build(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        place = builder.inttoptr(given[0], ir.IntType(64).as_pointer())
        builder.store_atomic(given[1], place, "release", 8)
        return context.get_dummy_value()

    return types.void(types.uintp, types.int64), build


@instruction(_rest)
def _give_way(_typing: Any) -> Any:
    """Let another thread run on this core, if one wants to."""

    def build(context: Any, builder: Any, _signature: Any, _given: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        found = builder.module.globals.get(GIVE_WAY)
        function = found or ir.Function(builder.module, kind, GIVE_WAY)
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), build


@loop()
def announce(clock: Any, place: int, number: int) -> None:
    """Write a number of a clock for those who wait for it."""
    _tell(clock.ctypes.data + 8 * place, number)


@loop()
def wait_for(clock: Any, place: int, number: int) -> None:
    """Return once a number of the clock is at least the one given."""
    address, looks = clock.ctypes.data + 8 * place, 0
    while _look(address) < number:
        looks += 1
        if looks == LOOKS:
            _give_way()
            looks = 0


@loop()
def wait_long_for(clock: Any, place: int, number: int) -> None:
    """Do what `wait_for` does, and keep the core for the length of a short product."""
    address, looks = clock.ctypes.data + 8 * place, 0
    while _look(address) < number:
        looks += 1
        if looks == MANY_LOOKS:
            _give_way()
            looks = 0
