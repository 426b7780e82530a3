"""Progress of `infimum learn`: a live table on a terminal, a line a fold elsewhere."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from infimum.learn.clock import Step

if TYPE_CHECKING:
    from infimum.learn.compare.tally import Entry

__all__ = ["showing"]

_STAGES = {
    "read": "Reading the table",
    "load": "Loading the models",
    "warm": "Getting ready",
    "race": "Racing",
    "refit": "Refitting the chosen model",
    "prove": "Proving",
    "test": "Testing",
    "explain": "Gathering evidence",
}
#: Stages in which tables and options are refused: an error shall stand alone.
_SILENT = ("read", "load")
#: Stages whose notes are told as well.
_NOTED = ("read", "warm")
#: How often a second the screen is drawn again.
_REDRAWN = 2


#: Room for the columns beside name and score, with what is between them.
_OTHERS, _LEAST = 5 + 6 + 7 + 8 + 5 * 2, 12


@contextmanager
def showing(stream: TextIO | None) -> Iterator[Callable[[Step], None]]:
    """Show how the job goes: redrawn on a terminal, else as plain lines."""
    if stream is None:  # standard error is closed
        yield lambda _: None
        return
    if not stream.isatty():
        yield _Lines(stream)
        return
    screen, console = _Screen(), Console(file=stream)
    with Live(
        console=console,
        transient=True,
        get_renderable=lambda: screen.drawn(console.width),
        refresh_per_second=_REDRAWN,
    ) as live:
        screen.live = live
        yield screen


class _Screen:
    """The stage at work and for how long, and the scoreboard under it."""

    def __init__(self) -> None:
        self.live: Live | None = None
        self.board: tuple[Entry, ...] = ()
        self.step = Step("read")
        self.began = self.since = time.monotonic()

    def __call__(self, step: Step) -> None:
        if step.stage != self.step.stage:
            self.since = time.monotonic()
        self.step, self.board = step, step.board or self.board
        if self.live is not None:
            self.live.refresh()

    def drawn(self, width: int) -> RenderableType:
        """Return what stands on the screen now; the clock goes on between messages."""
        now = time.monotonic()
        clock = f" [{now - self.since:.0f} s, in all {now - self.began:.0f} s]"
        parts: list[RenderableType] = [_line(headline(self.step) + clock)]
        if self.board:
            parts.append(scoreboard(self.board, width))
        return Group(*parts)


class _Lines:
    """A line a stage, and one for every tenth of the race once there is a result."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.began = time.monotonic()
        self.stage = ""
        self.told = 0
        self.notes: set[str] = set()

    def __call__(self, step: Step) -> None:
        if step.stage != self.stage:
            self.stage = step.stage
        if step.stage not in _SILENT and step.stage not in self.notes:
            self.notes.add(step.stage)
            self._say(_STAGES.get(step.stage, step.stage))
        if step.stage in _NOTED and step.note and step.note not in self.notes:
            self.notes.add(step.note)
            self._say(headline(step))
        leader = _leader(step.board)
        tenth = 10 * step.done // max(step.total, 1)
        if leader is not None and tenth > self.told:
            self.told = tenth
            self._say(f"{headline(step)}; {leader.label} leads with {_score(leader)}")

    def _say(self, words: str) -> None:
        self.stream.write(f"[{time.monotonic() - self.began:3.0f} s] {words}\n")
        self.stream.flush()


def headline(step: Step) -> str:
    """Say which stage is at work, how far it is and how much time is left."""
    words = _STAGES.get(step.stage, step.stage)
    if step.total:
        words += f" {100 * step.done // step.total} %"
    if math.isfinite(step.left):
        words += f", at most {step.left:.0f} s left"
    return f"{words}: {step.note}" if step.note else words


def scoreboard(board: "tuple[Entry, ...]", width: int = 120) -> Table:
    """Return the contenders as a table, in the order in which they run."""
    table = Table(box=None, pad_edge=False)
    table.add_column("contender", no_wrap=True)
    for name in ("score ± error", "folds", "gap", "seconds"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    # On a narrow screen a long name is cut, so that no row takes two lines.
    scores = max([len("score ± error"), *(len(_score(entry)) for entry in board)])
    room = max(_LEAST, width - scores - _OTHERS)
    leader = _leader(board)
    for entry in board:
        table.add_row(
            _cut(entry.label, room),
            _score(entry),
            str(entry.folds),
            {True: "closed", False: "open", None: "–"}[entry.proved],
            f"{entry.seconds:.1f}",
            "leads" if entry is leader else entry.state.partition(" for ")[0],
            style="bold" if entry is leader else "dim" if entry.state else "",
        )
    return table


def _line(words: str) -> Text:
    return Text(words, style="bold", no_wrap=True, overflow="ellipsis")


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def _leader(board: "tuple[Entry, ...]") -> "Entry | None":
    known = [entry for entry in board if math.isfinite(entry.error)]
    return min(known, key=lambda entry: entry.error, default=None)


def _score(entry: "Entry") -> str:
    if not math.isfinite(entry.score):
        return "–"
    noise = f" ± {_number(entry.spread, 2)}" if math.isfinite(entry.spread) else ""
    return f"{_number(entry.score, 4)}{noise}"


def _number(value: float, digits: int) -> str:
    large = abs(value) >= 10**digits
    return f"{value:,.0f}" if large else f"{value:.{digits}g}"
