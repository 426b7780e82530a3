"""Sums over rows in parts that do not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from infimum.compiled.threads import in_parts

__all__ = ["in_fixed_parts"]

#: Rows that are not worth sharing, and the most parts of more.
FEW, MOST = 1024, 16


def in_fixed_parts(n: int, work: Callable[[slice], Any]) -> list[Any]:
    """Call `work` on consecutive slices of n rows, the same ones on any computer."""
    found: list[Any] = in_parts(n, work, min(MOST, max(1, n // FEW)))
    return found
