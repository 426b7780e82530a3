"""Loops that Python calls: compiled by numba, kept on disk by `disk_cache`."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

from infimum.compiled.disk_cache import DiskCache

__all__ = ["loop"]

Loop = TypeVar("Loop", bound=Callable[..., Any])


def loop(**options: Any) -> Callable[[Loop], Loop]:
    """Compile a loop with numba's `options`; it releases the interpreter's lock.

    Where numba is switched off (``NUMBA_DISABLE_JIT=1``) it stays Python.
    """

    def compiled(function: Loop) -> Loop:
        made: Any = njit(nogil=True, **options)(function)
        if made is not function:
            made._cache = DiskCache(function)
        return made  # type: ignore[no-any-return]

    return compiled
