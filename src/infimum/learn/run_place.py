"""Which directory a run may write to: never over a finished run, never beside another.

A run that is at work holds a lock beside its directory. The system frees the lock when
the process ends, however it ends; the file stays where a run was killed, which tells
`--resume` that there was one even if it had nothing to keep yet.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from infimum.errors import DataError
from infimum.learn.journal import JOURNAL
from infimum.learn.run_directory import RESULT, check_place, recover, resolved

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows, where runs do not see each other
    fcntl = None  # type: ignore[assignment]

__all__ = ["claimed"]


@contextmanager
def claimed(out: Path, *, resume: bool, force: bool) -> Iterator[Path]:
    """Yield the directory that the run is to be written to, and keep others from it.

    It is `out` unless that holds a finished run which is not to be replaced; then it is
    the first of `out`-2, `out`-3 and so on that holds none. A run to be resumed is
    looked for in the same places.
    """
    check_place(out)
    while True:
        place = _begun(out, force=force) if resume else out if force else _free(out)
        check_place(place)
        with _locked(place):
            recover(place)
            # A run that was killed while it was put in place may have come back.
            if resume or force or not _is_finished(place):
                check_place(place)
                yield place
                return


def _free(out: Path) -> Path:
    return next(place for place in _places(out) if not _is_finished(place))


def _begun(out: Path, *, force: bool) -> Path:
    """Return the latest place where a run was cut short, or `out` to start over."""
    begun: list[Path] = []
    for place in _places(out):
        finished = _is_finished(place)
        # Without a journal there is nothing to go on with, and a result may be there.
        killed = _lock_of(place).exists() and (force or not finished)
        if killed or (place / JOURNAL).is_dir():
            begun.append(place)
        elif not finished:
            break
    if not begun and _is_finished(out) and not force:
        raise DataError(f"{out} holds a finished run; start without --resume.")
    return begun[-1] if begun else out


def _places(out: Path) -> Iterator[Path]:
    yield out
    named = out if out.name not in ("", "..") else resolved(out)
    for number in count(2):
        yield named.with_name(f"{named.name}-{number}")


def _is_finished(place: Path) -> bool:
    """Tell whether there is a run with a result, whole or the best so far."""
    return (place / RESULT).exists()


def _lock_of(place: Path) -> Path:
    target = resolved(place)
    return target.with_name(f".{target.name}.lock")


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold the lock of a directory, or raise DataError if another run has it."""
    path = _lock_of(place)
    try:
        handle = _open(path)
    except BlockingIOError:
        raise DataError(
            f"Another run is writing to {place}; wait for it or choose another --out."
        ) from None
    except OSError as error:
        raise DataError(f"{place} cannot be written: {error.strerror}.") from error
    try:
        yield
    finally:
        # In this order: whoever comes between finds the name gone and makes it anew.
        path.unlink(missing_ok=True)
        os.close(handle)


def _open(path: Path) -> int:
    """Open and lock a file that is still there under its name once it is locked."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
