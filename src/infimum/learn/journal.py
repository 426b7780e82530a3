"""The journal of a run: what is finished is on the disk, so that a kill costs a fold.

Every fold of every contender is one file, written under another name and then moved,
so that it is whole or not there; so is every decision that hung on the clock, and every
section of the evidence. A run that ends takes its journal with it; one that fails or is
interrupted leaves it, to be resumed. A run that goes on has another clock: what was
decided by the old one, and led to what was done next, is not asked again.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import BadZipFile

import numpy as np

from infimum.errors import DataError
from infimum.learn.clock import Clock, TimeUpError
from infimum.learn.compare.tally import FoldResult
from infimum.limits import check_pressed, time_limit

if TYPE_CHECKING:
    from infimum.learn.choose.rule import Standing

__all__ = ["JOURNAL", "Decisions", "Journal", "surviving"]


JOURNAL, _HEADER = "journal", "run.json"


class Journal:
    """Finished work in a folder of the run's directory; without one it forgets.

    Parameters
    ----------
    out : Path, optional
        The run's directory; nothing is written before the first fold is finished.
    resume : bool, default=False
        Whether to go on with what the folder holds instead of starting over.
    budget : float, default=inf
        The seconds of the run: who was too slow for fewer of them may try again.
    clock : Clock, optional
        Of the job. What is kept says what it showed; what is read again sets it.
    """

    def __init__(
        self,
        out: Path | None,
        *,
        resume: bool = False,
        budget: float = math.inf,
        clock: Clock | None = None,
    ) -> None:
        self.out, self.resume, self.budget = out, resume, budget
        self.folder = None if out is None else out.resolve() / JOURNAL
        self.clock = clock or Clock()
        self._opened = self._made_out = False

    @property
    def kept(self) -> bool:
        """Whether there is work of this run to go on with."""
        return (
            self._opened
            and self.folder is not None
            and (self.folder / _HEADER).is_file()
        )

    def check(self) -> None:
        """Start over if there is nothing to resume: the run was killed too early."""
        if not self.resume:
            return
        if self.folder is None:
            raise DataError("Resuming needs the directory of the run that was killed.")
        self.resume = (self.folder / _HEADER).is_file()

    def open(self, header: dict[str, Any]) -> None:
        """Begin: compare the `header` with that of the run to resume, or start over."""
        self.header = json.loads(json.dumps(header))
        if self.folder is None:
            return
        if not self.resume:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            self._compare(_read_json(self.folder / _HEADER))
        self._opened = True

    def _compare(self, found: dict[str, Any]) -> None:
        changed = [name for name in self.header if found.get(name) != self.header[name]]
        if changed:
            raise DataError(
                f"The unfinished run in {self.out} had another {changed[0]}; give the "
                "same data and options, or start without --resume."
            )

    def read(self, name: str, level: int, fold: int) -> FoldResult | None:
        """Return what a contender showed on a fold before the run was killed."""
        if self.folder is None or not self.resume:
            return None
        try:
            with (
                (self.folder / _fold(name, level, fold)).open("rb") as handle,
                np.load(handle, allow_pickle=False) as kept,
            ):
                plain = json.loads(bytes(kept["plain"]).decode())
                said = kept["said"] if "said" in kept.files else None
        except (OSError, ValueError, KeyError, BadZipFile):
            return None
        self.clock.reach(plain.pop("at"))
        return FoldResult(**{**plain, "values": tuple(plain["values"])}, said=said)

    def holds(self, name: str, level: int, fold: int) -> bool:
        """Whether a contender has finished a fold before the run was killed."""
        if self.folder is None or not self.resume:
            return False
        return (self.folder / _fold(name, level, fold)).is_file()

    def write(self, name: str, level: int, fold: int, shown: FoldResult) -> None:
        """Keep what a contender showed on a fold."""
        plain = {k: v for k, v in shown._asdict().items() if k != "said"}
        plain["at"] = self.clock.seconds
        arrays = {"plain": np.frombuffer(json.dumps(plain).encode(), dtype=np.uint8)}
        if shown.said is not None:
            arrays["said"] = shown.said
        packed = BytesIO()
        np.savez(packed, allow_pickle=False, **arrays)
        self._put(_fold(name, level, fold), packed.getvalue())

    def note(self, name: str, said: Any) -> None:
        """Keep plain data, such as a decision that hung on the time there was."""
        budget, at = _number(self.budget), self.clock.seconds
        kept = {"said": said, "budget": budget, "at": at}
        self._put(f"{name}.json", json.dumps(kept).encode())

    def noted(self, name: str) -> Any:
        """Return what was noted before the run was killed; None if nothing was.

        Where there is more time now than there was then, it is to be found out anew.
        """
        note = self._note(name)
        self.clock.reach(note.get("at", 0.0))
        return note.get("said")

    def peek(self, name: str) -> Any:
        """Return what was noted, without setting the clock by it."""
        return self._note(name).get("said")

    def _note(self, name: str) -> dict[str, Any]:
        if self.folder is None or not self.resume:
            return {}
        note = _read_json(self.folder / f"{name}.json")
        same = self.budget <= (note.get("budget") or math.inf)
        return note if same else {}

    def tidy(self) -> None:
        """Remove the run's directory if this run made it and nothing is in it."""
        out = None if self.folder is None else self.folder.parent
        if self._made_out and out and out.is_dir() and not any(out.iterdir()):
            out.rmdir()

    def close(self) -> None:
        """Remove the journal, and the run's directory if it holds nothing else."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.tidy()

    def _put(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all, after the header."""
        if self.folder is None:
            return
        try:
            if not (self.folder / _HEADER).exists():
                self._made_out = not self.folder.parent.exists()
                self.folder.mkdir(parents=True, exist_ok=True)
                _replace(self.folder / _HEADER, json.dumps(self.header).encode())
            _replace(self.folder / name, content)
        except OSError as error:
            if not self.kept:  # not even begun, such as on a full disk
                shutil.rmtree(self.folder, ignore_errors=True)
            raise DataError(
                f"{self.out} cannot be written: {error.strerror}."
            ) from error


@contextmanager
def surviving(journal: Journal) -> Iterator[None]:
    """Have whatever ends a job say that it can be resumed, if it can."""
    try:
        yield
    except BaseException as error:
        journal.tidy()
        if journal.kept:
            error.add_note(
                f"What is finished is kept in {journal.out}; the same command with "
                "--resume goes on from there."
            )
        raise


def _fold(name: str, level: int, fold: int) -> str:
    return f"{name}-sweep{level}-fold{fold}.npz"


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _replace(place: Path, content: bytes) -> None:
    draft = place.with_suffix(".part")
    draft.write_bytes(content)
    os.replace(draft, place)  # noqa: PTH105


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


Made = TypeVar("Made")
#: Fits are told to end so many seconds, or so large a part of their time, too early.
_HEARING, _EARLY = 2.0, 0.1


class Decisions:
    """What was done in time after a race, in the journal of its run.

    Parameters
    ----------
    journal : Journal, optional
        Where decisions are kept; without one they are forgotten.
    standing : sequence of Standing
        What the race has shown: decisions after another race are not repeated.
    deadline, latest : float
        Moments of `time.perf_counter`: when what is made for the report alone must be
        done, and when the final model must be.

    Attributes
    ----------
    stopped : bool
        Whether Ctrl-C came when the final model was there already: nothing more is to
        be made then.

    Examples
    --------
    >>> asked = Decisions(latest=0.0)
    >>> print(asked.in_time("a blend", lambda: "made", asked.latest))
    None
    """

    def __init__(
        self,
        journal: Journal | None = None,
        standing: Sequence[Standing] = (),
        *,
        deadline: float = math.inf,
        latest: float = math.inf,
    ) -> None:
        self.journal = journal or Journal(None)
        self._about = _digest(standing)
        clock = self.journal.clock
        self._ends = clock.reading(deadline), clock.reading(latest)
        self.stopped = False

    @property
    def deadline(self) -> float:
        """When what is made for the report alone must be done."""
        return self.journal.clock.moment(self._ends[0])

    @property
    def latest(self) -> float:
        """When the final model must be fitted."""
        return self.journal.clock.moment(self._ends[1])

    def recalled(self, name: str) -> Any:
        """Return what was decided before the run was killed; None if nothing was."""
        kept = self.journal.peek(_place(name))
        if kept is None or kept["about"] != self._about:
            return None
        self.journal.noted(_place(name))  # whose time has been used up before
        return kept["said"]

    def note(self, name: str, said: Any) -> None:
        """Keep a decision; it must not be None."""
        self.journal.note(_place(name), {"about": self._about, "said": said})

    def once(self, name: str, ask: Callable[[], Any]) -> Any:
        """Return what was decided, or decide it now; the answer must not be None."""
        kept = self.recalled(name)
        if kept is None:
            kept = ask()
            check_pressed()
            self.note(name, kept)
        return kept

    def in_time(
        self,
        name: str,
        make: Callable[[], Made],
        end: float,
        *,
        expected: float = 0.0,
    ) -> Made | None:
        """Return what is made, None if it is not made, or was not, by the `end`.

        What was in time before is made again, however long it takes now; what was too
        late, or is `expected` to be, is not begun.
        """
        clock = self.journal.clock
        last = clock.reading(end)
        kept = self.journal.peek(_place(name))
        if kept is not None and kept["about"] == self._about:
            made = make() if kept["said"] else None
            self.recalled(name)
            return made
        made, left = None, last - clock.seconds
        in_time = bool(expected <= left)
        try:
            # A fit ends by itself then, with what it has.
            early = min(_HEARING, _EARLY * max(left, 0.0))
            with time_limit(left - early):
                made = make() if in_time else None
        except TimeUpError:
            in_time = False
        check_pressed()
        self.note(name, in_time)
        return made


def _place(name: str) -> str:
    return f"decision-{name}"


def _digest(standing: Sequence[Standing]) -> str:
    """Return a name for what a race has shown."""
    seen = blake2b(digest_size=12)
    for each in standing:
        seen.update(repr((each.tally.contender.name, each.values)).encode())
        seen.update(each.errors.tobytes())
    return seen.hexdigest()
