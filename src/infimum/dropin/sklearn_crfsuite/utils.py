"""Functions of ``sklearn_crfsuite.utils``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

__all__ = ["flatten"]


def flatten(y: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the items of all lists in one list."""
    return list(chain.from_iterable(y))
