"""The race: every contender at ever finer settings, while there is time."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from infimum.errors import DataError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion
from infimum.learn.clock import Progress, Step
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.fits import LATE, Shown, Task
from infimum.learn.compare.runners import Here, Runner, SideBySide
from infimum.learn.compare.tally import (
    LARGE_TABLE,
    FirstLook,
    Qualified,
    Tally,
    entries,
    sample_of,
)
from infimum.learn.journal import Journal
from infimum.learn.problem import Problem
from infimum.learn.result import TOO_SLOW
from infimum.learn.worker import Crew
from infimum.limits import begin_fits

__all__ = ["RaceOutcome", "race"]


#: Sweeps: a path tries 5, then 9, then 17 strengths.
SWEEPS = 3
#: Notes in the journal: the race is over; what a sample of the rows has shown.
_END, _SAMPLE = "end", "sample"
#: So many contenders run on the first fold even if there is no time: the baseline,
#: a linear model and a boosting.
_ALWAYS = 3
#: The constant answer and the first model are never sent home for their time.
_UNSUSPECTED = 2
#: Seconds that these may take at least, before they end by themselves.
_OWED = 3.0
#: Seconds beyond the time given after which who is at work is ended with its process:
#: those who run in any case, and others.
_PATIENCE, _GRACE = 15.0, 3.0
#: Numbers of all predictions of a race that may be kept for a blend.
_KEPT = 2e6
#: Seconds that the first fold of a family may lose to loading its machine code.
_WARMING = 2.0
#: The part of the time left that the rest of a contender's first sweep may take.
_FAIR = 0.5
#: The part of the time left that the first fold of a contender may take.
_MOST = 0.75


class RaceOutcome(NamedTuple):
    """What the race has shown, and why it ended."""

    tallies: tuple[Tally, ...]
    ended: str


def race(
    contenders: Sequence[Contender],
    problem: Problem,
    splits: Sequence[Split],
    criterion: Criterion,
    *,
    deadline: float,
    progress: Progress,
    journal: Journal | None = None,
    crew: Crew | None = None,
) -> RaceOutcome:
    """Let all contenders learn and validate, from coarse to fine.

    The first sweep tries a few settings on every fold, each further sweep those between
    them, and only for the better half of the contenders. Within a sweep the contenders
    take turns fold by fold. So they stay level: whenever the race is stopped, by the
    deadline or by Ctrl-C, all can be compared. With a `crew` several run at the same
    time; while there is time, that changes no result.
    """
    tallies = tuple(Tally(contender) for contender in contenders)
    track = _Track(problem, splits, criterion, deadline, progress, journal, crew)
    try:
        ended = track.run(tallies)
    except KeyboardInterrupt:
        begin_fits()
        if not any(tally.folds for tally in tallies):
            raise
        return RaceOutcome(tallies, "interrupted")
    finally:
        track.runner.close()
    if not any(tally.folds for tally in tallies):
        raise DataError(f"No model could learn from this table: {tallies[0].failure}")
    track.stop_clock(ended)
    return RaceOutcome(tallies, ended)


@dataclass(frozen=True, eq=False)
class Turn:
    """A contender on a fold of a sweep; who is `spared` runs without time too."""

    tally: Tally
    level: int
    fold: int
    place: int
    spared: bool


class _Track:
    """Where a race is run: the folds, the clock and the journal."""

    def __init__(
        self,
        problem: Problem,
        splits: Sequence[Split],
        criterion: Criterion,
        deadline: float,
        progress: Progress,
        journal: Journal | None,
        crew: Crew | None = None,
    ) -> None:
        self.splits, self.criterion, self.progress = splits, criterion, progress
        self.journal = journal or Journal(None)
        self.last = self.journal.clock.reading(deadline)
        self.keep = len(problem.y) * max(1, len(problem.classes)) <= _KEPT
        # Behind the folds there is a sample of the first.
        places = [*splits, sample_of(splits[0])]
        self.runner: Runner = (
            Here(problem, places, criterion)
            if crew is None
            else SideBySide(problem, places, criterion, crew)
        )
        self.at_work: list[Tally] = []
        self.done = self.total = 0

    @property
    def end(self) -> float:
        """The moment at which the race is over; a resumed one has had some time."""
        return self.journal.clock.moment(self.last)

    def stop_clock(self, ended: str) -> None:
        """Note when the race was over, or set the clock to what was noted."""
        if self.journal.noted(_END) is None:
            self.journal.note(_END, {"ended": ended})

    def run(self, tallies: Sequence[Tally]) -> str:
        self.total = SWEEPS * len(self.splits) * len(tallies)
        tallies = self._in_order(tallies)
        for rounds in self._stretches():
            _halve(tallies, rounds[0][0])
            turns = [
                Turn(tally, level, fold, place, _is_spared(level, fold, place))
                for level, fold in rounds
                for place, tally in enumerate(tallies)
            ]
            if not self._run_all(tallies, turns):
                return "budget"
        self._tell(tallies, "", self.total)
        return "finished"

    def _in_order(self, tallies: Sequence[Tally]) -> Sequence[Tally]:
        """Return the running order: on large tables a sample of the rows tells it."""
        rows = len(self.splits[0].train)
        if rows < LARGE_TABLE:
            return tallies
        kept = self.journal.noted(_SAMPLE)
        if kept is None:
            self.total, total = 0, self.total
            self._tell(tallies, "all families on a sample of the rows", 0)
            shown = self._looked_at(FirstLook(tallies, rows, self.end))
            self.total = total
            self.journal.note(_SAMPLE, shown._asdict())
        else:
            shown = Qualified(**kept)
        return shown.order(tallies)

    def _looked_at(self, look: FirstLook) -> Qualified:
        """Let all families run on the sample of the rows."""
        place = len(self.splits)
        while True:
            turn = look.next()
            while self.runner.busy and not (turn and self._has_room(turn, place)):
                done, shown = self.runner.next()
                look.record(done.tally, shown.result)
            if turn is None:
                return look.qualified()
            seconds = look.seconds
            task = self._task(turn, 0, place, seconds)._replace(owed=True)
            kill_at = time.perf_counter() + max(seconds, 0.0) + _PATIENCE
            self.runner.start(Turn(turn, 0, place, 0, spared=False), task, kill_at)

    def _has_room(self, tally: Tally, fold: int, level: int = 0) -> bool:
        return self.runner.takes(self._task(tally, level, fold))

    def _stretches(self) -> list[list[tuple[int, int]]]:
        """Return sweeps and folds in their order, cut where the worse half leaves.

        Sweep by sweep; but of a large table the first fold tells enough to go on from
        coarse to fine, and there may be no time for another.
        """
        folds = range(len(self.splits))
        rounds = list(product(range(SWEEPS), folds))
        if len(self.splits[0].train) >= LARGE_TABLE:
            rounds.sort(key=lambda each: each[1])
        starts = [place for place, (_, fold) in enumerate(rounds) if fold == 0]
        return [
            rounds[start:end]
            for start, end in zip(starts, [*starts[1:], len(rounds)], strict=True)
        ]

    def _run_all(self, tallies: Sequence[Tally], turns: Sequence[Turn]) -> bool:
        """Run turns, as many at a time as there is somebody for; False at the end."""
        waiting, going_on = list(turns), True
        while (waiting and going_on) or self.at_work:
            turn = self._startable(waiting) if going_on else None
            if turn is None:
                going_on &= self._ended(*self.runner.next())
                continue
            waiting.remove(turn)
            self.done += 1
            if self._rests(tallies, turn):
                continue
            name, level = turn.tally.contender.label, turn.level
            note = f"{name}, sweep {level + 1}, fold {turn.fold + 1}"
            self._tell(tallies, note, self.done - 1)
            going_on = self._turn(turn)
        return going_on

    def _startable(self, waiting: Sequence[Turn]) -> Turn | None:
        """Return the first turn that does not hang on another, if there is room."""
        blocked: list[Tally] = list(self.at_work)
        for turn in waiting:
            if any(turn.tally is each for each in blocked):
                continue
            # Who has left the race has no settings to go on with, and needs no room.
            racing = turn.tally.racing
            if not racing or self._has_room(turn.tally, turn.fold, turn.level):
                return turn
            blocked.append(turn.tally)
        return None

    def _rests(self, tallies: Sequence[Tally], turn: Turn) -> bool:
        tally, level, fold = turn.tally, turn.level, turn.fold
        if not tally.racing or tally.settings(level) == ():
            return True
        may_hog = level == 0 and fold > 0 and turn.place >= _UNSUSPECTED
        # What was replayed was decided before, by another clock.
        if may_hog and not self.journal.holds(tally.contender.name, level, fold):
            if self._was_late(turn):
                return True
            if self.journal.peek(_END) is None and self._hogs(tallies, tally):
                self._retire(turn, TOO_SLOW)
                return True
        return False

    def _retire(self, turn: Turn, reason: str) -> None:
        """Let a contender leave the race, and note it."""
        turn.tally.retired = reason
        self.journal.note(_leaving(turn), {"reason": reason})

    def _was_late(self, turn: Turn) -> bool:
        """Whether a contender had left the race before the run was killed."""
        note = self.journal.noted(_leaving(turn))
        if note is None:
            return False
        turn.tally.retired = str(note["reason"])
        return True

    def _hogs(self, tallies: Sequence[Tally], tally: Tally) -> bool:
        """Whether one contender would use up the time of all, and does not lead."""
        pace = tally.last - (_WARMING if tally.folds == 1 else 0)
        needed = pace * (len(self.splits) - tally.folds)
        if needed <= _FAIR * (self.end - time.perf_counter()):
            return False
        others = [each for each in tallies if each.racing and each is not tally]
        best = min(tally.averages.values(), default=math.inf)
        leads = all(
            best <= min(each.averages.values(), default=best) for each in others
        )
        return not leads and pace > sum(each.last for each in others)

    def _turn(self, turn: Turn) -> bool:
        """Start a contender on a fold, or replay it; False if the time is up."""
        tally, level, fold = turn.tally, turn.level, turn.fold
        shown = self.journal.read(tally.contender.name, level, fold)
        if shown is not None:
            tally.record(level, shown)
            return True
        if self._was_late(turn):
            return True
        if not turn.spared and self._over(tally):
            return False
        if not turn.spared and self._will_be_late(tally):
            self._retire(turn, TOO_SLOW)
            return True
        self.at_work.append(tally)
        seconds, kill_at = self._limits(turn)
        task = self._task(tally, level, fold, seconds)._replace(owed=turn.spared)
        self.runner.start(turn, task, kill_at)
        # What is there at once is told at once.
        return self._ended(*self.runner.next()) if self.runner.waits else True

    def _limits(self, turn: Turn) -> tuple[float, float]:
        """Return the seconds that a turn may take, and when it is to be ended."""
        now, end = time.perf_counter(), self.end
        if not turn.spared:
            # As long as is fair to the others.
            seconds = (1.0 if turn.tally.folds else _MOST) * (end - now)
            return seconds, now + seconds + _GRACE
        if turn.tally.contender.fixed:
            # Where all others are late, there is a constant at least.
            return end - now, math.inf
        seconds = max(_OWED, (end - now) / _ALWAYS)
        return seconds, now + seconds + _PATIENCE

    def _task(
        self, tally: Tally, level: int, fold: int, seconds: float = math.inf
    ) -> Task:
        contender = tally.contender
        unseen = not tally.folds and contender.stages == 1 and bool(contender.grid)
        foresees = unseen and fold < len(self.splits) and tally.pace is None
        left = self.end - time.perf_counter()
        return Task(
            contender,
            tally.settings(level),
            fold,
            seconds,
            first=level == len(tally.sweeps),
            foreseen=_MOST * left if foresees else math.inf,
            keep=self.keep,
        )

    def _will_be_late(self, tally: Tally) -> bool:
        """Whether a contender would use up the time, as the sample of rows tells."""
        contender = tally.contender
        by_itself = contender.stages > 1 or not contender.grid
        if tally.folds or by_itself or tally.pace is None:
            return False
        return tally.pace > _MOST * (self.end - time.perf_counter())

    def _ended(self, turn: Turn, shown: Shown) -> bool:
        """Note what a turn has shown; False if the time is up."""
        tally, level, fold = turn.tally, turn.level, turn.fold
        self.at_work = [each for each in self.at_work if each is not tally]
        if shown.result is not None:
            self.journal.write(tally.contender.name, level, fold, shown.result)
            tally.record(level, shown.result)
            return True
        if shown.reason == LATE:
            late = time.perf_counter() > self.end and not turn.spared
            if tally.folds or late:
                return False
        self._retire(turn, TOO_SLOW if shown.reason == LATE else shown.reason)
        return True

    def _over(self, tally: Tally) -> bool:
        """Whether there is no time for another fold, or was none when it was killed."""
        if self.journal.peek(_END) is not None:
            return True
        return time.perf_counter() + tally.last > self.end

    def _tell(self, tallies: Sequence[Tally], note: str, done: int) -> None:
        left = max(0.0, self.end - time.perf_counter())
        board = tuple(entries(tallies, self.criterion))
        self.progress(Step("race", note, done, self.total, board, left))


def _is_spared(level: int, fold: int, place: int) -> bool:
    return level == fold == 0 and place < _ALWAYS


def _leaving(turn: Turn) -> str:
    return f"{turn.tally.contender.name}-sweep{turn.level}-fold{turn.fold}-retired"


def _halve(tallies: Sequence[Tally], level: int) -> None:
    """Send home the worse half; the baseline has one sweep and is not counted."""
    if level == 0:
        return
    active = [tally for tally in tallies if tally.racing and not tally.contender.fixed]
    best = {
        id(tally): min(tally.averages.values(), default=math.inf) for tally in active
    }
    ranked = sorted(active, key=lambda tally: best[id(tally)])
    for tally in ranked[math.ceil(len(ranked) / 2) :]:
        tally.retired = f"in the worse half after sweep {level}"
