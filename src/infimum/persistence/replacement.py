"""A file that is either wholly new or wholly old, whatever happens in between."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["replacing"]


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a new file beside `path` that takes its place when the block succeeds.

    The data reach the disk before the name does. A link is followed, so that it still
    points to the file afterwards; a block that fails leaves nothing behind.
    """
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        with draft.open("xb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _settle(target.parent)


def _settle(folder: Path) -> None:
    """Ask the disk to remember the new name, where folders can be asked that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
