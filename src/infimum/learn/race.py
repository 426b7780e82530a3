"""The race: every contender at ever finer settings, while there is time."""

import math
import time
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from scipy import sparse

from infimum.errors import DataError
from infimum.evaluation import Split
from infimum.learn.alarm import TimeUpError, alarm
from infimum.learn.contenders import Contender
from infimum.learn.fold_result import run_fold
from infimum.learn.forecast import forecast
from infimum.learn.ground import Ground
from infimum.learn.heat import FoldResult, Heat, Lap
from infimum.learn.interruption import StopJob
from infimum.learn.journal import Journal
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.qualifying import LARGE_TABLE, Qualified, qualify, sample_of
from infimum.learn.scoreboard import entries
from infimum.learn.scoring import Criterion

__all__ = [
    "TOO_SLOW",
    "Heat",
    "Lap",
    "RaceOutcome",
    "race",
]

TOO_SLOW = "too slow for the time given"

#: Laps: a path tries 5, then 9, then 17 strengths.
LAPS = 3
#: Notes in the journal: the race is over; what a sample of the rows has shown.
_END, _SAMPLE = "end", "sample"
#: Bytes of an encoded fold up to which all folds are kept.
_MOST_BYTES = 2e8
#: So many contenders run on the first fold even if there is no time: the baseline,
#: a linear model and a boosting.
_ALWAYS = 3
#: The constant answer and the first model are never sent home for their time.
_UNSUSPECTED = 2
#: Seconds that these may take at least, before they end by themselves.
_OWED = 3.0
#: Fits are told to end so many seconds, or so large a part of their time, too early.
_HEARING, _EARLY = 2.0, 0.1
#: Seconds beyond the time given after which even these are not waited for.
_PATIENCE = 15.0
#: Numbers of all predictions of a race that may be kept for a blend.
_KEPT = 2e6
#: Seconds that the first fold of a family may lose to loading its machine code.
_WARMING = 2.0
#: The part of the time left that the rest of a contender's first lap may take.
_FAIR = 0.5
#: The part of the time left that the first fold of a contender may take.
_MOST = 0.75


class RaceOutcome(NamedTuple):
    """What the race has shown, and why it ended."""

    heats: tuple[Heat, ...]
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
) -> RaceOutcome:
    """Let all contenders learn and validate, from coarse to fine.

    The first lap tries a few settings on every fold, each further lap those between
    them, and only for the better half of the contenders. Within a lap the contenders
    take turns fold by fold. So they stay level: whenever the race is stopped, by the
    deadline or by Ctrl-C, all can be compared.
    """
    heats = tuple(Heat(contender) for contender in contenders)
    track = _Track(problem, splits, criterion, deadline, progress, journal)
    try:
        ended = track.run(heats)
    except (KeyboardInterrupt, StopJob):
        if not any(heat.folds for heat in heats):
            raise
        return RaceOutcome(heats, "interrupted")
    if not any(heat.folds for heat in heats):
        raise DataError(f"No model could learn from this table: {heats[0].failure}")
    track.stop_clock(ended)
    return RaceOutcome(heats, ended)


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
    ) -> None:
        self.problem, self.splits, self.criterion = problem, splits, criterion
        self.deadline, self.progress = deadline, progress
        self.journal = journal or Journal(None)
        self.grounds: dict[int, Ground] = {}
        self.keep = len(problem.y) * max(1, len(problem.classes)) <= _KEPT

    @property
    def end(self) -> float:
        # What was replayed from a journal had its time before.
        return self.deadline - self.journal.replayed

    def stop_clock(self, ended: str) -> None:
        """Note how much time was left at the end, or set the clock to what was noted.

        Replaying takes less time than racing did, and what comes next must not have
        more of it than it would have had.
        """
        left, told = self.end - time.perf_counter(), self.journal.noted(_END)
        if told is None:
            self.journal.note(_END, {"ended": ended, "left": left})
        elif math.isfinite(left):
            self.journal.replayed += max(0.0, left - told["left"])

    def _in_order(self, heats: Sequence[Heat]) -> Sequence[Heat]:
        """Return the running order: on large tables a sample of the rows tells it."""
        rows = len(self.splits[0].train)
        if rows < LARGE_TABLE:
            return heats
        told = self.journal.noted(_SAMPLE)
        if told is None:
            self._tell(heats, "all families on a sample of the rows", 0, 0)
            ground = Ground(self.problem, sample_of(self.splits[0]))
            shown = qualify(
                heats,
                lambda heat, late: self._run(heat, 0, ground, late),
                rows,
                self.end,
            )
            self.journal.note(_SAMPLE, shown._asdict())
        else:
            shown = Qualified(**told)
            self.journal.replayed += shown.seconds
        return shown.order(heats)

    def _ground(self, fold: int) -> Ground:
        """Return a fold; each is encoded once if there is memory for all of them."""
        if fold not in self.grounds:
            ground = Ground(self.problem, self.splits[fold])
            if any(each.size > _MOST_BYTES for each in self.grounds.values()):
                return ground
            self.grounds[fold] = ground
        return self.grounds[fold]

    def run(self, heats: Sequence[Heat]) -> str:
        total = LAPS * len(self.splits) * len(heats)
        done = 0
        heats = self._in_order(heats)
        for level, fold in self._rounds():
            if fold == 0:
                _halve(heats, level)
            ground = self._ground(fold)
            for place, heat in enumerate(heats):
                done += 1
                if self._rests(heats, place, level, fold):
                    continue
                note = f"{heat.contender.label}, lap {level + 1}, fold {fold + 1}"
                self._tell(heats, note, done - 1, total)
                spared = level == fold == 0 and place < _ALWAYS
                if not self._turn(heat, level, fold, ground, spared=spared):
                    return "budget"
        self._tell(heats, "", total, total)
        return "finished"

    def _rounds(self) -> list[tuple[int, int]]:
        """Return laps and folds in their order.

        Lap by lap; but of a large table the first fold tells enough to go on from
        coarse to fine, and there may be no time for another.
        """
        folds = range(len(self.splits))
        rounds = list(product(range(LAPS), folds))
        if len(self.splits[0].train) >= LARGE_TABLE:
            rounds.sort(key=lambda each: each[1])
        return rounds

    def _rests(self, heats: Sequence[Heat], place: int, level: int, fold: int) -> bool:
        heat = heats[place]
        if not heat.racing or heat.settings(level) == ():
            return True
        may_hog = level == 0 and fold > 0 and place >= _UNSUSPECTED
        # What was replayed was decided before, by another clock.
        if may_hog and not self.journal.holds(heat.contender.name, level, fold):
            if self._was_late(heat, level, fold):
                return True
            if self.journal.noted(_END) is None and self._hogs(heats, heat):
                heat.retired = TOO_SLOW
                self._note_leaving(heat, level, fold)
                return True
        return False

    def _note_leaving(
        self, heat: Heat, level: int, fold: int, seconds: float = 0.0
    ) -> None:
        lost = {"reason": heat.retired, "seconds": seconds}
        self.journal.note(_leaving(heat, level, fold), lost)

    def _was_late(self, heat: Heat, level: int, fold: int) -> bool:
        """Whether a contender had left the race before the run was killed."""
        told = self.journal.noted(_leaving(heat, level, fold))
        if told is None:
            return False
        heat.retired = str(told["reason"])
        self.journal.replayed += told["seconds"]
        return True

    def _hogs(self, heats: Sequence[Heat], heat: Heat) -> bool:
        """Whether one contender would use up the time of all, and does not lead."""
        pace = heat.last - (_WARMING if heat.folds == 1 else 0)
        needed = pace * (len(self.splits) - heat.folds)
        if needed <= _FAIR * (self.end - time.perf_counter()):
            return False
        others = [each for each in heats if each.racing and each is not heat]
        best = min(heat.averages.values(), default=math.inf)
        leads = all(
            best <= min(each.averages.values(), default=best) for each in others
        )
        return not leads and pace > sum(each.last for each in others)

    def _timed(
        self, heat: Heat, level: int, ground: Ground, *, spared: bool
    ) -> FoldResult | None:
        """Run one contender on one fold, at most as long as is fair to the others."""
        if spared and heat.contender.fixed:
            # Where all others are late, there is a constant at least.
            return self._run(heat, level, ground, self.end)
        if spared:
            now = time.perf_counter()
            late = now + max(_OWED, (self.end - now) / _ALWAYS)
            with alarm(late + _PATIENCE):
                return self._run(heat, level, ground, late)
        if self._will_be_late(heat, level, ground):
            raise TimeUpError
        now = time.perf_counter()
        share = 1.0 if heat.folds else _MOST
        late = now + share * (self.end - now)
        # Fits end by themselves a little before; who does not is stopped.
        with alarm(late):
            early = late - min(_HEARING, _EARLY * (late - now))
            return self._run(heat, level, ground, early)

    def _will_be_late(self, heat: Heat, level: int, ground: Ground) -> bool:
        """Whether a contender that nobody has seen run would use up the time."""
        contender = heat.contender
        by_itself = contender.stages > 1 or not contender.grid
        if heat.folds or by_itself:
            return False
        with alarm(self.end):
            X = ground.view(contender.view)[1]
            if sparse.issparse(X) and not contender.sparse:
                return False
            pace = heat.pace
            if pace is None:
                pace = forecast(contender, heat.settings(level), ground, self.end)
        return pace > _MOST * (self.end - time.perf_counter())

    def _turn(
        self, heat: Heat, level: int, fold: int, ground: Ground, *, spared: bool
    ) -> bool:
        """Run one contender on one fold, or replay it; False if the time is up."""
        name = heat.contender.name
        shown = self.journal.read(name, level, fold)
        if shown is None:
            if self._was_late(heat, level, fold):
                return True
            if not spared and self._over(heat):
                return False
            began = time.perf_counter()
            try:
                shown = self._timed(heat, level, ground, spared=spared)
            except TimeUpError:
                if heat.folds or (time.perf_counter() > self.end and not spared):
                    return False
                heat.retired = TOO_SLOW
            if shown is None:
                lost = time.perf_counter() - began
                self._note_leaving(heat, level, fold, lost)
                return True
            self.journal.write(name, level, fold, shown)
        heat.record(level, shown)
        return True

    def _over(self, heat: Heat) -> bool:
        """Whether there is no time for another fold, or was none when it was killed."""
        if self.journal.noted(_END) is not None:
            return True
        return time.perf_counter() + heat.last > self.end

    def _run(
        self, heat: Heat, level: int, ground: Ground, deadline: float
    ) -> FoldResult | None:
        return run_fold(heat, level, ground, self.criterion, deadline, keep=self.keep)

    def _tell(self, heats: Sequence[Heat], note: str, done: int, total: int) -> None:
        left = max(0.0, self.end - time.perf_counter())
        board = tuple(entries(heats, self.criterion))
        self.progress(Step("race", note, done, total, board, left))


def _leaving(heat: Heat, level: int, fold: int) -> str:
    return f"{heat.contender.name}-lap{level}-fold{fold}-retired"


def _halve(heats: Sequence[Heat], level: int) -> None:
    """Send home the worse half; the baseline has one lap and is not counted."""
    if level == 0:
        return
    active = [heat for heat in heats if heat.racing and not heat.contender.fixed]
    best = {id(heat): min(heat.averages.values(), default=math.inf) for heat in active}
    ranked = sorted(active, key=lambda heat: best[id(heat)])
    for heat in ranked[math.ceil(len(ranked) / 2) :]:
        heat.retired = f"in the worse half after lap {level}"
