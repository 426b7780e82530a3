"""The directory of a run: whole or not at all, and never over somebody's files."""

import json
import re
import secrets
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from infimum.errors import DataError
from infimum.learn.journal import JOURNAL
from infimum.learn.problem import TEST_FRACTION
from infimum.learn.result import LearnResult
from infimum.persistence import save

__all__ = [
    "MODEL",
    "REPORT",
    "RESULT",
    "Renderer",
    "check_place",
    "recover",
    "resolved",
    "write_run",
]

MODEL, REPORT, RESULT = "model.infimum", "report.html", "result.json"

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
    strange = names - {MODEL, REPORT, RESULT, JOURNAL}
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
        "wishes": {k: v for k, v in result.wishes.items() if k != "explain_row"},
        "classes": list(result.classes),
        "seed": result.seed,
        "test_fraction": TEST_FRACTION,
        "fingerprint": result.data.fingerprint,
        "source": result.data.source,
        "kinds": columns,
        "model": result.choice.label,
        "created": result.created,
        "versions": result.versions,
    }
