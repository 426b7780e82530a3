"""Products with single columns of a wide table, sparse or dense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from infimum.data.designs import DenseDesign, Design, SparseDesign
from infimum.solvers.support_vectors._row_lists import RowLists
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "ColumnAccess",
    "DenseColumns",
    "SparseColumns",
    "column_access",
    "has_columns",
]

#: Products that read so many entries are shared out among the cores, in so many parts;
#: smaller ones are over before the other core has woken up.
WORTH_THREADS, PARTS = 300_000, 4


class ColumnAccess(Protocol):
    """How to multiply columns, some of which are members that stay for long."""

    @property
    def entries(self) -> Vector:
        """The number of entries of each column, or one for all."""

    def correlate(self, chosen: Indices, x: Vector) -> Vector:
        """Return the product of each chosen column with `x`."""

    def join(self, members: Indices, size: int, shares: Vector, gram: Matrix) -> int:
        """Fill a Gram matrix that is right for the first `size` members.

        Returns for how many of them it was left as it was: all lines and columns from
        there on hold plain products, whatever they held before.
        """

    def retain(self, kept: Indices) -> None:
        """Keep only the members at these places."""

    def subtract(self, members: Indices, changes: Vector, x: Vector) -> None:
        """Subtract the members from `x`, each times its change."""


def has_columns(design: Design) -> bool:
    """Tell whether single columns of a design can be read at the price of their own."""
    if isinstance(design, DenseDesign):
        return bool(design.X.flags.f_contiguous)
    return isinstance(design, SparseDesign)


def column_access(design: Design) -> ColumnAccess:
    """Return the access to the columns of a design that has them."""
    if isinstance(design, SparseDesign):
        return SparseColumns(design)
    assert isinstance(design, DenseDesign)
    return DenseColumns(design)


class SparseColumns:
    """Columns of a compressed matrix; the members' entries are listed row by row."""

    def __init__(self, design: SparseDesign) -> None:
        form = design.by_column
        self.form = form.indptr, form.indices, form.data
        self.entries = np.diff(form.indptr).astype(np.float64)
        self.mean_entries = form.nnz / max(1, form.shape[1])
        self.lists = RowLists(form.shape[0])
        self.joined = 0

    def correlate(self, chosen: Indices, x: Vector) -> Vector:
        from infimum.compiled.products.bounded_columns import (
            correlate_columns,  # late: it loads numba
        )

        out = np.empty(len(chosen))

        def correlate(at: slice) -> None:
            correlate_columns(*self.form, chosen[at], x, out[at])

        _shared_out(len(chosen), self.mean_entries, correlate)
        return out

    def join(self, members: Indices, size: int, shares: Vector, gram: Matrix) -> int:
        from infimum.compiled.products.bounded_columns import (
            join_columns,  # late: it loads numba
        )

        size = min(size, self.joined)  # nothing is in lists after a retreat
        starts, places, _ = self.form
        fresh = [places[starts[j] : starts[j + 1]] for j in members[size:]]
        self.lists.make_room(np.concatenate([places[:0], *fresh]))
        lists = self.lists
        join_columns(
            self.form,
            members,
            size,
            shares,
            (lists.begins, lists.lengths, lists.owners, lists.values),
            gram,
        )
        self.joined = len(members)
        return size

    def retain(self, kept: Indices) -> None:
        self.lists.clear()
        self.joined = 0

    def subtract(self, members: Indices, changes: Vector, x: Vector) -> None:
        from infimum.compiled.products.bounded_columns import (
            subtract_columns,  # late: it loads numba
        )

        subtract_columns(*self.form, members, changes, x)


class DenseColumns:
    """Columns of a column-major array; members lie side by side in a copy."""

    def __init__(self, design: DenseDesign) -> None:
        self.lines = design.X.T
        self.block: Matrix = np.empty((0, design.shape[0]))
        self.entries = np.full(1, float(design.shape[0]))

    def correlate(self, chosen: Indices, x: Vector) -> Vector:
        from infimum.compiled.products.chosen_rows import (
            dot_chosen,  # late: it loads numba
        )

        out = np.empty(len(chosen))

        def correlate(at: slice) -> None:
            dot_chosen(self.lines, chosen[at], x, out[at])

        _shared_out(len(chosen), len(x), correlate)
        return out

    def join(self, members: Indices, size: int, shares: Vector, gram: Matrix) -> int:
        from infimum.compiled.threads import one_blas_thread  # late: it loads numba

        total, length = len(members), self.lines.shape[1]
        if total > len(self.block):
            block = np.empty((max(total, 2 * len(self.block)), length))
            block[:size] = self.block[:size]
            self.block = block
        self.block[size:total] = self.lines[members[size:]]
        fresh = self.block[size:total] * shares

        def multiply(at: slice) -> None:
            gram[size:total, at] = fresh @ self.block[at].T

        with one_blas_thread():
            _shared_out(total, len(fresh) * length, multiply)
        gram[:size, size:total] = gram[size:total, :size].T
        return size

    def retain(self, kept: Indices) -> None:
        self.block = self.block[kept]

    def subtract(self, members: Indices, changes: Vector, x: Vector) -> None:
        from infimum.compiled.products.chosen_rows import (
            add_chosen,  # late: it loads numba
        )

        used = np.flatnonzero(changes)
        add_chosen(self.block, used, -changes[used], x)


def _shared_out(count: int, price: float, work: Callable[[slice], None]) -> None:
    """Do work on so many things, each of which reads so much, on the cores it needs."""
    from infimum.compiled.threads import in_parts  # late: it loads numba

    if count * price < WORTH_THREADS:
        work(slice(0, count))
    else:
        in_parts(count, work, PARTS)
