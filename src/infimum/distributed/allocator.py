"""Memory that a worker frees and keeps, as the environment of workers says."""

import ctypes
import os
from typing import Any

__all__ = ["keep_freed_memory"]

#: Numbers of `mallopt`, and the variables that tell their values.
LIMITS = {-3: "MALLOC_MMAP_THRESHOLD_", -1: "MALLOC_TRIM_THRESHOLD_"}


def keep_freed_memory() -> None:
    """Tell the allocator of this process what its environment says.

    It reads that when a program starts, and a worker may be the fork of one that has
    started with another environment.
    """
    own: Any = ctypes.CDLL(None) if os.name == "posix" else None
    for number, name in LIMITS.items():
        value = os.environ.get(name, "")
        if value.isdigit() and hasattr(own, "mallopt"):
            own.mallopt(number, int(value))
