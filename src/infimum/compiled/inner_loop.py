"""Loops that only other loops call."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core import datamodel

__all__ = ["inner_loop"]

Loop = TypeVar("Loop", bound=Callable[..., Any])


def inner_loop(*, borrows: bool = False, **options: Any) -> Callable[[Loop], Loop]:
    """Compile a loop for the use of other loops, with numba's `options`.

    It has no door for Python, which takes much of the time to make, and is kept on disk
    as part of its callers, not by itself. A loop that `borrows` neither makes arrays
    nor returns any; references to those it is given are not counted, which takes longer
    than many a short call. numba refuses to make arrays then, `_lent` to return them.
    """
    without: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    without["_nrt"] = not borrows

    def compiled(function: Loop) -> Loop:
        made: Any = njit(nogil=True, **without, **options)(function)
        if borrows and made is not function:
            made._compiler.compile = _lent(made._compiler.compile)
        return made  # type: ignore[no-any-return]

    return compiled


def _lent(compile_it: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiler that refuses loops whose answer holds a reference."""
    models: Any = datamodel

    def lent(*arguments: Any) -> Any:
        made = compile_it(*arguments)
        answer = made.signature.return_type
        if models.default_manager.lookup(answer).contains_nrt_meminfo():
            raise TypeError(f"A loop that borrows arrays must not return {answer}.")
        return made

    return lent
