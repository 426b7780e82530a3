"""The spool: encoded rows in a private folder, read again leaf by leaf."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import threading
import weakref
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.data.streams.encoding import Encoding
from infimum.errors import DataError, StreamError
from infimum.typing import Vector

__all__ = [
    "Leaf",
    "Spool",
    "SpoolWriter",
    "leaf_rows",
    "own_buffer",
    "read_at",
    "write_at",
]

#: Bytes of a leaf of numbers, and the fewest and most rows of one.
LEAF_BYTES, FEWEST, MOST = 1 << 22, 256, 1 << 13
_buffers = threading.local()


class Leaf(NamedTuple):
    """A few thousand rows, always the same ones: what a pass sees at a time."""

    number: int
    start: int
    X: Any
    y: Vector
    w: Vector


def leaf_rows(width: int) -> int:
    """Return how many rows make a leaf: a power of 2 that only the width decides."""
    wanted = LEAF_BYTES // (8 * max(width, 1))
    return int(min(max(1 << max(wanted, 1).bit_length() - 1, FEWEST), MOST))


@dataclass
class Spool:
    """Where the rows are, and how they are told apart and decoded."""

    folder: Path
    rows: int
    size: int
    encoding: Encoding
    #: Whether rows are almost all zeros.
    thin: bool = False
    #: Leaves whose checksums were compared by this process.
    checked: set[int] = field(default_factory=set, repr=False)
    #: Open files of this process, by name.
    opened: dict[str, int] = field(default_factory=dict, repr=False)
    #: What workers know it by: no other has it, not even one with the same folder.
    key: str = field(default_factory=lambda: uuid4().hex, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # Lists as long as there are leaves stay in the folder, where workers look.
        kept = {
            k: v for k, v in self.__dict__.items() if k not in {"checks", "entries"}
        }
        return kept | {"checked": set(), "opened": {}}

    @cached_property
    def checks(self) -> NDArray[np.uint32]:
        """The checksum of each part of each leaf."""
        found = np.empty((self.leaves, 3), dtype=np.uint32)
        read_at(self.folder / "checks", 0, found)
        return found

    @cached_property
    def entries(self) -> NDArray[np.int64]:
        """Where the entries of each leaf begin, for sparse rows."""
        found = np.empty(self.leaves + 1, dtype=np.int64)
        read_at(self.folder / "entries", 0, found)
        return found

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return -(-self.rows // self.size)

    def bounds(self, leaf: int) -> tuple[int, int]:
        """Return the first row of a leaf, and the one after its last."""
        return leaf * self.size, min((leaf + 1) * self.size, self.rows)

    def leaf(self, number: int) -> Leaf:
        """Read a leaf; its arrays are overwritten by the next one of this thread."""
        first, stop = self.bounds(number)
        raw = self._part(number, 0, stop - first)
        y = self._numbers("y", 1, number, first, stop - first)
        w = self._numbers("w", 2, number, first, stop - first)
        self.checked.add(number)
        return Leaf(number, first, self.encoding.decode(raw, own_buffer), y, w)

    def ahead(self, first: int, stop: int) -> None:
        """Ask the system to read some leaves into memory, without waiting."""
        if self.thin or first >= self.leaves:
            return
        step = 8 * self.encoding.raw_width
        start, end = self.bounds(first)[0], self.bounds(min(stop, self.leaves) - 1)[1]
        if hasattr(os, "posix_fadvise"):
            span = start * step, (end - start) * step
            os.posix_fadvise(self._file("x"), *span, os.POSIX_FADV_WILLNEED)

    def _part(self, number: int, part: int, count: int) -> Any:
        if self.thin:
            return self._compressed(number, part, count)
        width = self.encoding.raw_width
        start = 8 * number * self.size * width
        read = self._read("x", start, count * width, np.dtype("f8"))
        self._compare(number, part, read)
        return read.reshape(count, width)

    def _compressed(self, number: int, part: int, count: int) -> Any:
        first, stop = int(self.entries[number]), int(self.entries[number + 1])
        values = self._read("values", 8 * first, stop - first, np.dtype("f8"))
        places = self._read("places", 4 * first, stop - first, np.dtype("i4"))
        begin = 8 * (number * self.size + number)
        ends = self._read("ends", begin, count + 1, np.dtype("i8"))
        self._compare(number, part, values, places, ends)
        shape = count, self.encoding.raw_width
        return sparse.csr_array((values, places, ends), shape=shape)

    def _numbers(
        self, name: str, part: int, number: int, first: int, count: int
    ) -> Vector:
        found = self._read(name, 8 * first, count, np.dtype("f8"))
        self._compare(number, part, found)
        return found

    def _file(self, name: str) -> int:
        """Return the descriptor of a file, open as long as the spool is there."""
        known = self.opened.get(name)
        if known is not None:
            return known
        try:
            found = os.open(self.folder / name, os.O_RDONLY)
        except OSError as error:
            raise StreamError(
                f"The spool {self.folder} cannot be read: {error.strerror}; it must "
                "stay until the fit is over, where every worker sees it."
            ) from None
        kept = self.opened.setdefault(name, found)
        if kept != found:  # another thread was faster
            os.close(found)
        else:
            weakref.finalize(self, os.close, found)
        return kept

    def _read(self, name: str, start: int, count: int, kind: Any) -> NDArray[Any]:
        buffer = own_buffer(name, count, kind)
        got = os.preadv(self._file(name), [_bytes_of(buffer)], start) if count else 0
        if got != buffer.nbytes:
            raise StreamError(f"{self.folder / name} has been cut short.")
        return buffer

    def _compare(self, number: int, part: int, *arrays: NDArray[Any]) -> None:
        if (
            number not in self.checked
            and _checksum(*arrays) != self.checks[number, part]
        ):
            raise StreamError(
                f"Rows from {number * self.size} on of the spool {self.folder} are not "
                "as they were written: the disk or another program has changed them."
            )


class SpoolWriter:
    """Writes rows into a new folder that goes when its owner does."""

    def __init__(self, where: str | Path | None, owner: Any) -> None:
        try:
            folder = tempfile.mkdtemp(prefix="infimum-spool-", dir=where)
        except OSError as error:
            raise DataError(f"spool: {where} {error.strerror}.") from None
        self.folder = Path(folder)
        self.remove = weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
        names = ("x", "y", "w", "values", "places", "ends")
        self.streams = {n: (self.folder / n).open("wb", buffering=0) for n in names}
        self.checks: list[tuple[int, int, int]] = []
        self.entries = [0]

    def write(self, raw: Any, y: Vector, w: Vector) -> None:
        """Write one leaf."""
        held: Any = raw
        parts: tuple[Any, ...]
        if sparse.issparse(raw):
            parts = held.data, held.indices.astype("i4"), held.indptr.astype("i8")
            names: tuple[str, ...] = ("values", "places", "ends")
            self.entries.append(self.entries[-1] + len(held.data))
        else:
            parts, names = (np.ascontiguousarray(raw),), ("x",)
        self.checks.append((_checksum(*parts), _checksum(y), _checksum(w)))
        for name, part in zip((*names, "y", "w"), (*parts, y, w), strict=True):
            self._put(name, part)

    def _put(self, name: str, part: NDArray[Any]) -> None:
        view = _bytes_of(part) if part.size else b""
        try:
            done = 0
            while done < len(view):
                done += self.streams[name].write(view[done:]) or 0
        except OSError as error:
            self.close()
            self.remove()
            raise _full(self.folder, error) from None

    def close(self) -> None:
        """Close the files."""
        for stream in self.streams.values():
            stream.close()

    def spool(self, rows: int, size: int, encoding: Encoding) -> Spool:
        """Return what was written."""
        self.close()
        checks = np.array(self.checks, dtype=np.uint32).reshape(-1, 3)
        write_at(self.folder / "checks", 0, checks)
        thin = len(self.entries) > 1
        if thin:
            write_at(self.folder / "entries", 0, np.array(self.entries))
        return Spool(self.folder, rows, size, encoding, thin)


def _full(folder: Path, error: OSError) -> StreamError:
    """Say that a disk takes no more, or why else nothing could be written."""
    full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    why = "has no room left" if full else f"says: {error.strerror}"
    return StreamError(
        f"The disk under {folder.parent} {why}: give spool= another folder."
    )


def read_at(path: Path, start: int, out: NDArray[Any]) -> None:
    """Read an array from a place of a file."""
    if not out.size:
        return
    try:
        file = os.open(path, os.O_RDONLY)
        try:
            got = os.preadv(file, [_bytes_of(out)], start)
        finally:
            os.close(file)
    except OSError as error:
        raise StreamError(f"{path} cannot be read: {error.strerror}.") from None
    if got != out.nbytes:
        raise StreamError(f"{path} has been cut short.")


def write_at(path: Path, start: int, array: NDArray[Any]) -> None:
    """Write an array at a place of a file, which is made if it is not there."""
    if not array.size:
        return
    view, done = _bytes_of(array), 0
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            while done < len(view):
                done += os.pwrite(file, view[done:], start + done)
        finally:
            os.close(file)
    except OSError as error:
        raise _full(path.parent, error) from None


def _bytes_of(array: Any) -> memoryview:
    """Return the bytes of an array, which is not empty."""
    held: Any = np.ascontiguousarray(array)
    return memoryview(held).cast("B")


def _checksum(*arrays: NDArray[Any]) -> int:
    found = 0
    for array in arrays:
        if array.size:
            found = zlib.crc32(_bytes_of(array), found)
    return found


def own_buffer(name: str, count: int, kind: Any) -> NDArray[Any]:
    """Return an array of this thread's for so many numbers, from one that it keeps."""
    kept: dict[str, NDArray[np.uint8]] = _buffers.__dict__
    wanted = count * np.dtype(kind).itemsize
    if name not in kept or len(kept[name]) < wanted + 64:
        kept[name] = np.empty(wanted + wanted // 4 + 64, dtype=np.uint8)
    start = -kept[name].ctypes.data % 64
    return kept[name][start : start + wanted].view(kind)
