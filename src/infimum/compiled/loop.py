"""Loops that Python calls: compiled by numba, kept on disk by `disk_cache`."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core import config as numba_config

from infimum.compiled.disk_cache import DiskCache

__all__ = ["loop"]

config: Any = numba_config
Loop = TypeVar("Loop", bound=Callable[..., Any])


def loop(*, superwords: bool = False, **options: Any) -> Callable[[Loop], Loop]:
    """Compile a loop with numba's `options`; it releases the interpreter's lock.

    With `superwords` LLVM joins like statements that stand side by side into vector
    instructions, which numba does not ask of it by default. Where numba is switched off
    (``NUMBA_DISABLE_JIT=1``) it stays Python.
    """
    counting: dict[str, Any] = {"_nrt": True}  # also where a loop that borrows calls it

    def compiled(function: Loop) -> Loop:
        made: Any = njit(nogil=True, **counting, **options)(function)
        if made is not function:
            made._cache = DiskCache(function)
            if superwords:
                made._compiler.compile = _joining(made._compiler.compile)
        return made  # type: ignore[no-any-return]

    return compiled


def _joining(compile_it: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiler that joins statements; numba's lock is held while it runs."""

    def joined(*arguments: Any) -> Any:
        before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
        try:
            return compile_it(*arguments)
        finally:
            config.SLP_VECTORIZE = before

    return joined
