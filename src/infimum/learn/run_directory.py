"""The directory of a run: whole or not at all, and never over somebody's files.

One process at a time claims it.
"""

import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from infimum.errors import DataError
from infimum.learn.journal import JOURNAL
from infimum.learn.problem import TEST_FRACTION
from infimum.learn.result import LearnResult
from infimum.persistence import read_extra, save

__all__ = [
    "MODEL",
    "OF_ALL_ROWS",
    "REPORT",
    "RESULT",
    "Renderer",
    "check_place",
    "claimed",
    "raced_already",
    "recover",
    "resolved",
    "write_run",
]

MODEL, REPORT, RESULT = "model.infimum", "report.html", "result.json"
#: What a job on rows beyond memory tells of all rows.
OF_ALL_ROWS = "beyond.json"

#: Names of so many letters leave room for endings.
_LONGEST_NAME = 200
#: Endings of the names of a directory that is being written, and of the one before it.
_DRAFT, _OLDER = ".part", ".old"

#: Goals that the task and the target tell.
_INFERRED = ("", "binary", "multiclass", "regression")

#: From the plain result to the text of an HTML file.
Renderer = Callable[[dict[str, Any]], str]


def resolved(out: Path) -> Path:
    """Return the directory itself, where `out` is a link to it."""
    try:
        return out.resolve()
    except (OSError, RuntimeError) as error:  # links in a circle
        raise DataError(f"{out} leads nowhere; choose another --out.") from error


def check_place(out: Path) -> None:
    """Raise DataError unless a run can be written to `out` without loss."""
    place = resolved(out)
    try:
        if place.is_mount():
            raise DataError(
                f"{out} is where a disk is mounted, which cannot be replaced; choose a "
                "directory in it."
            )
        if place.is_dir():
            _check_is_run(place, out)
        elif place.exists() or place.is_symlink():
            raise DataError(f"{out} is a file, not a directory; choose another --out.")
        elif len(place.name) > _LONGEST_NAME:
            raise DataError(f"The name {out} is too long; choose another --out.")
        elif not place.parent.is_dir():
            raise DataError(
                f"{place.parent} does not exist; create it or choose another --out."
            )
    except OSError as error:  # such as a name that is too long
        raise DataError(f"{out} cannot be used: {error.strerror}.") from error


def recover(out: Path) -> None:
    """Undo what a run that was killed while it was written has left beside `out`.

    What had been moved away is put back, or its journal if the new one was in place
    already; drafts are removed.
    """
    place = resolved(out)
    beside = place.parent.iterdir() if place.parent.is_dir() else ()
    name = f"{re.escape(place.name)}\\.[0-9a-f]{{8}}{re.escape(_DRAFT)}"
    ours = re.compile(f"\\.{name}({re.escape(_OLDER)})?")
    for left in sorted(each for each in beside if ours.fullmatch(each.name)):
        if left.name.endswith(_OLDER):
            if place.exists():
                _keep_journal(left, place)
            else:
                left.rename(place)
        shutil.rmtree(left, ignore_errors=True)


def write_run(
    result: LearnResult, out: Path, render: Renderer | None, *, unfinished: bool = False
) -> LearnResult:
    """Write model, result and report beside `out`, then put them in its place.

    An older run in `out` is kept until the new one is complete; the journal of an
    `unfinished` one stays, so that it can be resumed.
    """
    check_place(out)
    place = resolved(out)
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}{_DRAFT}")
    try:
        draft.mkdir()
        save(result.model, draft / MODEL, extra=_extra(result))
        (draft / RESULT).write_text(result.to_json(), encoding="utf-8")
        if render is not None:
            page = render(result.to_plain())
            (draft / REPORT).write_text(page, encoding="utf-8")
        _put_in_place(draft, place, keep_journal=unfinished)
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return replace(result, out=out)


def _check_is_run(place: Path, out: Path) -> None:
    names = {entry.name for entry in place.iterdir()}
    strange = names - {MODEL, REPORT, RESULT, JOURNAL, OF_ALL_ROWS}
    if strange:
        raise DataError(
            f"{out} holds other files ({min(strange)}); choose another --out, or empty "
            "it first."
        )
    if names - {JOURNAL} and not _says_infimum(place / RESULT):
        raise DataError(f"{out} is not a run of Infimum; choose another --out.")


def _says_infimum(path: Path) -> bool:
    try:
        return "infimum" in json.loads(path.read_text(encoding="utf-8"))["versions"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def _put_in_place(draft: Path, place: Path, *, keep_journal: bool) -> None:
    if not place.exists():
        draft.rename(place)
        return
    older = place.with_name(f"{draft.name}{_OLDER}")
    place.rename(older)
    try:
        draft.rename(place)
    except BaseException:
        older.rename(place)
        raise
    if keep_journal:
        _keep_journal(older, place)
    shutil.rmtree(older, ignore_errors=True)


def _keep_journal(older: Path, place: Path) -> None:
    if (older / JOURNAL).is_dir() and not (place / JOURNAL).exists():
        (older / JOURNAL).rename(place / JOURNAL)


def _extra(result: LearnResult) -> dict[str, Any]:
    columns = {note.name: note.kind for note in result.data.columns}
    return {
        "target": result.data.target,
        "task": result.task if result.goal in _INFERRED else result.goal,
        # Which rows were to be explained says nothing about the model.
        "options": {k: v for k, v in result.options.items() if k != "explain_row"},
        "classes": list(result.classes),
        "seed": result.seed,
        "drawn": result.data.drawn,
        "test_fraction": TEST_FRACTION,
        "fingerprint": result.data.fingerprint,
        "source": result.data.source,
        "kinds": columns,
        "model": result.choice.label,
        "created": result.created,
        "versions": result.versions,
    }


try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows, where runs do not see each other
    fcntl = None  # type: ignore[assignment]


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


def raced_already(out: Path, wanted: dict[str, Any]) -> Path | None:
    """Return the run on such a sample that ended before it told of all rows."""
    found = None
    for place in _places(out):
        if not _is_finished(place):
            return found
        whole = (place / MODEL).exists() and not (place / JOURNAL).is_dir()
        if whole and not (place / OF_ALL_ROWS).exists():
            known = read_extra(place / MODEL)
            if all(known.get(name) == value for name, value in wanted.items()):
                found = place
    return found


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
