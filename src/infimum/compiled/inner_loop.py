"""Loops that only other loops call."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["inner_loop"]

Loop = TypeVar("Loop", bound=Callable[..., Any])


def inner_loop(**options: Any) -> Callable[[Loop], Loop]:
    """Compile a loop for the use of other loops, with numba's `options`.

    It has no door for Python, which takes much of the time to make, and is kept on disk
    as part of its callers, not by itself.
    """
    without: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    compiled: Callable[[Loop], Loop] = njit(nogil=True, **without, **options)
    return compiled
