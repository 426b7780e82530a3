"""Streamed rows as bins, a byte for each number, in files beside their spool."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from infimum.data.streams import chances
from infimum.data.streams.spool import own_buffer, read_at, write_at
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Matrix, Vector

__all__ = ["BinPass", "BinnedRows", "Block", "binned"]

#: Bytes of the bins of a block, and its fewest and most rows.
BLOCK_BYTES, FEWEST, MOST = 1 << 22, 1 << 12, 1 << 17
#: Numbers of the sample that decides the cuts, and its fewest and most rows.
SAMPLE, FEWEST_DRAWN, MOST_DRAWN = 8_000_000, 20_000, 200_000


@dataclass
class BinnedRows:
    """Blocks of rows: their bins, and a few numbers for each that passes write.

    A pass reads numbers that the pass before has written and writes others, into files
    of their own: a task that is done twice, or late, writes the same bytes.
    """

    folder: Path
    rows: int
    #: Words of eight bins in a row.
    words: int
    key: str = field(default_factory=lambda: uuid4().hex)

    @property
    def size(self) -> int:
        """How many rows a block has: a power of 2."""
        wanted = BLOCK_BYTES // (8 * self.words)
        return min(max(1 << wanted.bit_length() - 1, FEWEST), MOST)

    @property
    def leaves(self) -> int:
        """How many blocks there are."""
        return -(-self.rows // self.size)

    def leaf(self, number: int) -> Block:
        """Return a block, of which nothing is read yet."""
        return Block(self, number)

    def ahead(self, first: int, stop: int) -> None:
        """Ask the system to read the bins of some blocks, without waiting."""
        step = 8 * self.words * self.size
        try:
            file = os.open(self.path("bins"), os.O_RDONLY)
        except OSError:
            return  # whoever reads will tell
        try:
            if hasattr(os, "posix_fadvise"):
                span = first * step, (stop - first) * step
                os.posix_fadvise(file, *span, os.POSIX_FADV_WILLNEED)
        finally:
            os.close(file)

    def path(self, name: str) -> Path:
        """Return the file of some numbers; those of the spool have plain names."""
        return self.folder / (name if name in "yw" else f"{name}-{self.key}")

    def forget(self, *names: str) -> None:
        """Remove some numbers."""
        for name in names:
            self.path(name).unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove what was written."""
        for path in self.folder.glob(f"*-{self.key}"):
            path.unlink(missing_ok=True)


class Block:
    """Some rows in a row; what a pass asks for is read then.

    The arrays are overwritten by those of the next block of this thread.
    """

    def __init__(self, source: BinnedRows, number: int) -> None:
        self.source, self.start = source, number * source.size
        self.count = min(source.size, source.rows - self.start)
        self._words: NDArray[np.uint64] | None = None

    @property
    def places(self) -> NDArray[np.int64]:
        """The numbers of the rows."""
        return np.arange(self.start, self.start + self.count)

    @property
    def words(self) -> NDArray[np.uint64]:
        """The bins, eight to a word."""
        if self._words is None:
            width = self.source.words
            found = own_buffer("bins", self.count * width, np.dtype("u8"))
            read_at(self.source.path("bins"), 8 * width * self.start, found)
            self._words = found.reshape(self.count, width)
        return self._words

    @property
    def y(self) -> Vector:
        """The targets as they are in the spool."""
        return np.asarray(self.lines("y", [0])[0])

    @property
    def w(self) -> Vector:
        """The weights."""
        return np.asarray(self.lines("w", [0])[0])

    def lines(self, name: str, chosen: Sequence[int]) -> Matrix:
        """Read some lines of numbers, one for each row."""
        found = own_buffer(name, len(chosen) * self.count, np.dtype("f8"))
        table = found.reshape(len(chosen), self.count)
        for line, at in zip(table, chosen, strict=True):
            place = 8 * (at * self.source.rows + self.start)
            read_at(self.source.path(name), place, line)
        return table

    def write(self, name: str, table: Matrix) -> None:
        """Write lines of numbers, from the first one on."""
        for at, line in enumerate(table):
            place = 8 * (at * self.source.rows + self.start)
            write_at(self.source.path(name), place, line)


@dataclass(frozen=True, eq=False)
class BinPass:
    """Writes the bins of the leaves of a spool; tells which features lack values."""

    table: BinnedTable
    path: Path

    def __call__(self, leaf: Any) -> tuple[NDArray[np.int64]]:
        count, d = leaf.X.shape
        width = 8 * -(-d // 8)
        words = own_buffer("words", count * width, np.dtype("u1")).reshape(count, width)
        words[:, d:] = 0
        self.table.encode(leaf.X, words.T[:d])
        write_at(self.path, leaf.start * width, words)
        missing = np.zeros(d, dtype=np.int64)
        if np.isnan(leaf.X.sum()):
            missing += np.isnan(leaf.X).any(axis=0)
        return (missing,)


@dataclass(frozen=True, eq=False)
class SamplePass:
    """Rows chosen by a hash of their number: the same however blocks are cut."""

    share: float
    seed: int

    def __call__(self, leaf: Any) -> list[tuple[Matrix, Vector]]:
        places = np.arange(leaf.start, leaf.start + len(leaf.y))
        chosen = chances(self.seed, places) <= self.share
        return [(leaf.X[chosen], leaf.w[chosen])]

    @staticmethod
    def merge(a: Any, b: Any) -> list[tuple[Matrix, Vector]]:
        """Return the parts of both."""
        return [*a, *b]


def binned(rows: Any, max_bins: int, seed: int) -> tuple[BinnedTable, BinnedRows]:
    """Cut the features by a sample of the rows, and write the bins of all.

    Returns the table of cuts, which holds no rows, and where the bins are.
    """
    n, d = rows.n_rows, rows.n_features
    wanted = int(np.clip(SAMPLE // d, FEWEST_DRAWN, MOST_DRAWN))
    parts = rows.run(SamplePass(1.0 if n <= wanted else wanted / n, seed))
    X, w = (np.concatenate(each) for each in zip(*parts, strict=True))
    del parts
    plain = bool(np.all(w == 1.0))
    table = BinnedTable.of(X, max_bins, sample_weight=None if plain else w)
    table = replace(table, codes=np.empty((d, 0), dtype=np.uint8))
    bins = BinnedRows(rows.spool.folder, n, -(-d // 8))
    try:
        [missing] = rows.run(BinPass(table, bins.path("bins")))
    except BaseException:
        bins.remove()
        raise
    return replace(table, has_missing=missing > 0), bins
