"""Where machine code is kept between processes, and what if there is no such place.

The installation fills a folder beside the loops. What is compiled later goes there too
if it can be written to, or else to the user's own cache, or to a directory among the
temporary files. If none can be had, loops are compiled again in every process.
"""

import contextlib
import os
import shutil
import stat
import tempfile
import uuid
from pathlib import Path
from typing import Any

from numba.misc.appdirs import AppDirs

from infimum.compiled.cache_key import HERE, config

__all__ = ["BESIDE", "find", "forget", "is_there", "keep", "own_directory", "places"]

#: What the installation has filled.
BESIDE = HERE / "machine_code"
#: Folders of other sources or versions that stay when a new one is made.
_OTHERS = 8


def places() -> list[Path]:
    """Return the folders to look into, in the order in which they are written to.

    The environment variable ``INFIMUM_MACHINE_CODE`` names the only one.
    """
    if only := os.environ.get("INFIMUM_MACHINE_CODE"):
        return [Path(only)]
    given = [Path(config.CACHE_DIR) / "infimum"] if config.CACHE_DIR else []
    folders: Any = AppDirs
    home = Path(folders(appname="infimum", appauthor=False).user_cache_dir)
    found = [*given, BESIDE, *([home] if home.is_absolute() else [])]
    temporary = own_directory()
    return found if temporary is None else [*found, temporary]


def find(name: str) -> bytes | None:
    """Return what is kept under a name, None if nothing is."""
    for place in places():
        with contextlib.suppress(OSError):
            return (place / name).read_bytes()
    return None


def is_there(folder: str) -> bool:
    """Return whether any place has a folder of this name."""
    return any((place / folder).is_dir() for place in places())


def keep(name: str, content: bytes) -> bool:
    """Write to the first place that takes it; a reader sees all of it or nothing."""
    return any(_write(place / name, content) for place in places())


def forget(name: str) -> None:
    """Remove what is kept under a name and cannot be used."""
    for place in places():
        with contextlib.suppress(OSError):
            (place / name).unlink()


def _write(path: Path, content: bytes) -> bool:
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}")
    try:
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            _clear(path.parent)
        try:
            partial.write_bytes(content)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _clear(new: Path) -> None:
    """Remove the oldest folders beside a new one: their sources are gone."""
    with contextlib.suppress(OSError):
        others = [each for each in new.parent.iterdir() if each.is_dir()]
        others.sort(key=lambda each: each.stat().st_mtime, reverse=True)
        for each in others[_OTHERS:]:
            shutil.rmtree(each, ignore_errors=True)


def own_directory() -> Path | None:
    """Return a temporary directory of this user alone, None if there can be none.

    Machine code is run as it is found, so a directory that somebody else has made or
    may write to is not used.
    """
    try:
        user = os.getuid() if hasattr(os, "getuid") else 0
        place = Path(tempfile.gettempdir()) / f"infimum-{user}"
        with contextlib.suppress(FileExistsError):
            place.mkdir(mode=0o700)
        found = place.lstat()
    except OSError:
        return None
    private = os.name == "nt" or (found.st_uid == user and not found.st_mode & 0o077)
    return place if stat.S_ISDIR(found.st_mode) and private else None
