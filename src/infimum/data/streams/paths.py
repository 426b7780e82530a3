"""Which files a scan reads: their formats, their order, and what tells a change."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from infimum.errors import DataError, StreamError

__all__ = ["SourceFile", "source_files", "suffix_of"]

#: Formats by the ends of names; what ends otherwise is passed over in folders.
FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
}


class ChangedError(StreamError, DataError):
    """A file is no longer what it was when it was scanned."""


class SourceFile(NamedTuple):
    """A file of rows, and what it was like when it was first met."""

    path: Path
    format: str
    size: int
    changed: int

    def check(self) -> None:
        """Raise ChangedError if the file is no longer what it was."""
        size, changed = _state(self.path)
        if (size, changed) != (self.size, self.changed):
            raise ChangedError(
                f"{self.path} has changed since it was scanned: scan it again."
            )


def source_files(given: Any) -> list[SourceFile]:
    """Return the files that paths, patterns and folders name, in a fixed order."""
    listed = [given] if isinstance(given, str | Path) else list(_iterable(given))
    if not listed:
        raise DataError("scan needs a file or a folder, got an empty list.")
    found = [file for each in listed for file in _files_of(each)]
    formats = sorted({file.format for file in found})
    if "svmlight" in formats and len(formats) > 1:
        raise DataError(
            f"scan cannot put {' and '.join(formats)} together: rows of svmlight have "
            "numbered columns."
        )
    doubled = len({file.path for file in found}) < len(found)
    if doubled:
        raise DataError("scan was given the same file twice.")
    return found


def _iterable(given: Any) -> Iterable[Any]:
    if not isinstance(given, Iterable):
        raise DataError(f"scan reads files and folders, got {type(given).__name__}.")
    return given


def _files_of(given: Any) -> list[SourceFile]:
    if not isinstance(given, str | Path):
        raise DataError(f"scan reads files and folders, got {type(given).__name__}.")
    path = Path(given)
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*") if p.is_file() and _visible(p, path))
        found = [p for p in inside if suffix_of(p) in FORMATS]
        if not found:
            raise DataError(f"{path} holds no CSV, Parquet, Arrow or svmlight file.")
    elif any(mark in str(given) for mark in "*?["):
        found = sorted(p for p in Path(path.anchor or ".").glob(_relative(path)))
        if not found:
            raise DataError(f"No file matches {given}.")
    else:
        found = [path]
    return [_file(each) for each in found]


def _visible(path: Path, folder: Path) -> bool:
    """Tell whether neither a file nor a folder on the way to it is hidden."""
    return not any(p.startswith((".", "_")) for p in path.relative_to(folder).parts)


def _relative(path: Path) -> str:
    return str(path.relative_to(path.anchor)) if path.anchor else str(path)


def suffix_of(path: Path) -> str:
    """Return the end of a name that tells the format: CSV may be packed by gzip."""
    inner, packed = Path(path.stem).suffix.lower(), path.suffix.lower() == ".gz"
    return inner if packed and FORMATS.get(inner) == "csv" else path.suffix.lower()


def _file(path: Path) -> SourceFile:
    kind = FORMATS.get(suffix_of(path))
    if kind is None:
        raise DataError(
            f"{path} is no CSV, Parquet, Arrow or svmlight file by its name "
            f"({', '.join(FORMATS)})."
        )
    size, changed = _state(path)
    if size == 0:
        raise DataError(f"{path} is empty.")
    return SourceFile(path, kind, size, changed)


def _state(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    return state.st_size, state.st_mtime_ns
