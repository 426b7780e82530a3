"""Rows that somebody asks about: their numbers in the data, their values, the truth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.data import SparseTable, Table
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Indices

__all__ = ["Asked", "asked_rows", "checked_rows", "numbers_with_target"]


@dataclass(frozen=True)
class Asked:
    """Rows to be explained; numbers count the rows of the data from 1.

    `truths` has one target a row, or one for each label; None where there is none.
    `places` tells where a row stands among the test rows, if it is one of them.
    """

    numbers: tuple[int, ...]
    rows: Any
    truths: tuple[Any, ...]
    places: dict[int, int] = field(default_factory=dict)


def checked_rows(given: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return row numbers, each once; InvalidParameterError if they are none."""
    listed: list[Any] = list(given) if isinstance(given, Iterable) else [given]
    listed = [] if given is None else listed
    for number in listed:
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or number < 1:
            raise InvalidParameterError(
                "learn's explain_row must be the number of a row, counted from 1, "
                f"got {number!r}."
            )
    return tuple(dict.fromkeys(int(number) for number in listed))


def asked_rows(
    table: Table | SparseTable, numbers: Sequence[int], targets: Sequence[str]
) -> Asked | None:
    """Return the rows of a table that were asked about; DataError if it lacks one."""
    if not numbers:
        return None
    size = len(table)
    for number in numbers:
        if number > size:
            raise DataError(
                f"{table.source} has {size:,} rows, so there is no row {number:,} to "
                "explain."
            )
    places = np.array(numbers) - 1
    if isinstance(table, SparseTable):
        truths = [None] * len(places) if table.target is None else table.target[places]
        rows = sparse.csr_matrix(table.matrix, dtype=np.float64)[places]
        return Asked(tuple(numbers), rows, tuple(_known(each) for each in truths))
    columns = [table.frame[name][places.tolist()].to_list() for name in targets]
    told = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    rows = table.without(targets)[places.tolist()]
    return Asked(tuple(numbers), rows, tuple(told))


def numbers_with_target(table: Table | SparseTable, target: str | None) -> Indices:
    """Return the numbers of the rows that have a target, counted from 1."""
    if isinstance(table, Table):
        there: NDArray[Any] = table.frame[target or ""].is_not_null().to_numpy()
    elif table.target is None or table.target.dtype.kind != "f":
        there = np.ones(len(table), dtype=bool)
    else:
        there = ~np.isnan(table.target)
    return np.flatnonzero(there) + 1


def _known(value: Any) -> Any:
    missing = isinstance(value, float | np.floating) and np.isnan(value)
    return None if missing else value
