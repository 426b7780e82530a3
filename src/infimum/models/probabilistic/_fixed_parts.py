"""Sums over rows in parts that do not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from infimum.compiled.threads import in_parts
from infimum.typing import Matrix

__all__ = ["in_fixed_parts"]

#: Numbers that are not worth sharing, and the most parts of more.
FEW, MOST = 200_000, 16


def in_fixed_parts(table: Matrix, work: Callable[[slice], Any]) -> list[Any]:
    """Call `work` on consecutive slices of rows, the same ones on any computer."""
    parts = min(MOST, max(1, table.size // FEW))
    found: list[Any] = in_parts(len(table), work, parts)
    return found
