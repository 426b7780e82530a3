"""Several tasks at once: samples of each, of different spaces and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["Tasks"]


@dataclass(frozen=True, eq=False)
class Tasks:
    """Samples S = (S_1, …, S_T), each with its own rows, columns and targets.

    Attributes
    ----------
    names : tuple
    X, y : tuple of arrays
        Inputs and targets of each task.

    Examples
    --------
    >>> both = Tasks.of({"a": ([[1.0], [2.0]], [0, 1]), "b": ([[3.0]], [1])})
    >>> both.sizes, both.stacked()[2].tolist()
    ((2, 1), [0, 0, 1])
    """

    names: tuple[Any, ...]
    X: tuple[Any, ...]
    y: tuple[Any, ...]

    @classmethod
    def of(cls, tasks: Mapping[Any, Any]) -> Tasks:
        """Admit a dict of name -> (X, y)."""
        if not tasks:
            raise DataError("Tasks need a task.")
        for name, pair in tasks.items():
            if not isinstance(pair, tuple | list) or len(pair) != 2:  # noqa: PLR2004
                raise DataError(f"Tasks: {name!r} needs a pair (X, y).")
            if _rows(pair[0]) != len(pair[1]):
                raise DataError(
                    f"Tasks: {name!r} has {_rows(pair[0])} rows and {len(pair[1])} "
                    "targets."
                )
        kept = [pair[0] if hasattr(pair[0], "shape") else np.asarray(pair[0])
                for pair in tasks.values()]  # fmt: skip
        return cls(
            tuple(tasks), tuple(kept), tuple(np.asarray(p[1]) for p in tasks.values())
        )

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        return iter(zip(self.names, self.X, self.y, strict=True))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The rows of each task."""
        return tuple(len(y) for y in self.y)

    def stacked(self) -> tuple[Any, Any, Indices]:
        """Return one table, its targets, and the number of each row's task."""
        widths = {X.shape[1:] for X in self.X}
        if len(widths) > 1:
            raise DataError(f"Tasks of different columns cannot be stacked: {widths}.")
        numbers = np.repeat(np.arange(len(self)), self.sizes)
        return np.concatenate(self.X), np.concatenate(self.y), numbers


def _rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
