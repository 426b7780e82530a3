"""Rows of svmlight files, a few megabytes of text at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from infimum.data.streams.paths import SourceFile
from infimum.data.svmlight import read_svmlight
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["svmlight_rows"]

CHUNK = 1 << 22


def svmlight_rows(file: SourceFile) -> Iterator[tuple[Any, Vector]]:
    """Yield features and labels, with as many columns as were met so far."""
    file.check()
    rest, lines = b"", 0
    try:
        with file.path.open("rb", buffering=0) as stream:
            while True:
                read = stream.read(CHUNK)
                text = rest + read
                end = text.rfind(b"\n") + 1 if read else len(text)
                text, rest = text[:end], text[end:]
                if text.strip():
                    yield _parsed(text, file, lines)
                lines += text.count(b"\n")
                if not read:
                    break
    except OSError as error:
        raise DataError(f"{file.path} cannot be read: {error.strerror}.") from None
    file.check()


def _parsed(text: bytes, file: SourceFile, lines: int) -> tuple[Any, Vector]:
    name = (
        f"{file.path}, counted from line {lines + 1:,} on," if lines else f"{file.path}"
    )
    try:
        table = read_svmlight(text, name)
    except UnicodeDecodeError:
        raise DataError(f"{file.path} is no text from line {lines + 1:,} on.") from None
    found: Any = table
    return found.matrix, found.target.astype("f8")
