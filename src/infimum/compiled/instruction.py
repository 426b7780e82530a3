"""Instructions that numba has no words for, and their form in Python.

numba can be switched off (``NUMBA_DISABLE_JIT=1``) to look into a loop: then all that
a loop calls must be Python.
"""

from collections.abc import Callable
from typing import Any

from numba.extending import intrinsic

from infimum.compiled.cache_key import config

__all__ = ["instruction"]


def instruction(in_python: Callable[..., Any]) -> Callable[[Any], Any]:
    """Make an instruction of its typing function, or use its form in Python."""

    def made(typing: Any) -> Any:
        return in_python if config.DISABLE_JIT else intrinsic(typing)

    return made
