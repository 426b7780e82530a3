"""Compressed files, unpacked up to a limit: a small file may hold a huge table."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any

from infimum.errors import DataError

__all__ = ["MOST_UNPACKED", "check_unpacked", "decompressed", "take"]

#: So many bytes are unpacked unless more are allowed.
MOST_UNPACKED = 2_000_000_000
_COMPRESSED: dict[bytes, tuple[str, Callable[[IO[bytes]], Any]]] = {
    b"\x1f\x8b": ("gzip", gzip.open),
    b"BZh": ("bzip2", bz2.open),
    b"\xfd7zXZ": ("xz", lzma.open),
}
_FAILURES = (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error)
#: So much is unpacked at a time.
_BLOCK = 1 << 22


def decompressed(content: bytes, source: str, most: int = MOST_UNPACKED) -> bytes:
    """Return what gzip, bzip2 or xz has compressed; other bytes as they are."""
    for magic, (name, opened) in _COMPRESSED.items():
        if content.startswith(magic):
            try:
                with opened(io.BytesIO(content)) as stream:
                    return take(stream, source, most)
            except DataError:
                raise
            except _FAILURES as error:
                message = f"{source} is a damaged or incomplete {name} file."
                raise DataError(message) from error
    return content


def take(stream: IO[bytes], source: str, most: int) -> bytes:
    """Return what a stream holds, or raise DataError as soon as it is too much."""
    held = io.BytesIO()
    while block := stream.read(_BLOCK):
        held.write(block)
        check_unpacked(held.tell(), source, most)
    return held.getvalue()


def check_unpacked(size: int, source: str, most: int) -> None:
    """Raise DataError if a table takes more bytes than are allowed."""
    if size > most:
        raise DataError(
            f"{source} unpacks to more than {most / 1e9:.3g} GB; if that is right, "
            "allow it by --max-unpacked 8GB, or max_unpacked= in Python."
        )
