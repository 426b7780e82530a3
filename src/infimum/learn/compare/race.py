"""The race: every contender at ever finer settings, while there is time."""

import math
import time
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from scipy import sparse

from infimum.errors import DataError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.fold_result import run_fold
from infimum.learn.compare.sample import (
    LARGE_TABLE,
    Qualified,
    forecast,
    qualify,
    sample_of,
)
from infimum.learn.compare.tally import FoldResult, Sweep, Tally, entries
from infimum.learn.encoded_fold import EncodedFold
from infimum.learn.journal import Journal
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.stopping import StopJob, TimeUpError, alarm

__all__ = [
    "TOO_SLOW",
    "RaceOutcome",
    "Sweep",
    "Tally",
    "race",
]

TOO_SLOW = "too slow for the time given"

#: Sweeps: a path tries 5, then 9, then 17 strengths.
SWEEPS = 3
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
) -> RaceOutcome:
    """Let all contenders learn and validate, from coarse to fine.

    The first sweep tries a few settings on every fold, each further sweep those between
    them, and only for the better half of the contenders. Within a sweep the contenders
    take turns fold by fold. So they stay level: whenever the race is stopped, by the
    deadline or by Ctrl-C, all can be compared.
    """
    tallies = tuple(Tally(contender) for contender in contenders)
    track = _Track(problem, splits, criterion, deadline, progress, journal)
    try:
        ended = track.run(tallies)
    except (KeyboardInterrupt, StopJob):
        if not any(tally.folds for tally in tallies):
            raise
        return RaceOutcome(tallies, "interrupted")
    if not any(tally.folds for tally in tallies):
        raise DataError(f"No model could learn from this table: {tallies[0].failure}")
    track.stop_clock(ended)
    return RaceOutcome(tallies, ended)


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
        self.encodings: dict[int, EncodedFold] = {}
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

    def _in_order(self, tallies: Sequence[Tally]) -> Sequence[Tally]:
        """Return the running order: on large tables a sample of the rows tells it."""
        rows = len(self.splits[0].train)
        if rows < LARGE_TABLE:
            return tallies
        told = self.journal.noted(_SAMPLE)
        if told is None:
            self._tell(tallies, "all families on a sample of the rows", 0, 0)
            encoded = EncodedFold(self.problem, sample_of(self.splits[0]))
            shown = qualify(
                tallies,
                lambda tally, late: self._run(tally, 0, encoded, late),
                rows,
                self.end,
            )
            self.journal.note(_SAMPLE, shown._asdict())
        else:
            shown = Qualified(**told)
            self.journal.replayed += shown.seconds
        return shown.order(tallies)

    def _encoded_fold(self, fold: int) -> EncodedFold:
        """Return a fold; each is encoded once if there is memory for all of them."""
        if fold not in self.encodings:
            encoded = EncodedFold(self.problem, self.splits[fold])
            if any(each.size > _MOST_BYTES for each in self.encodings.values()):
                return encoded
            self.encodings[fold] = encoded
        return self.encodings[fold]

    def run(self, tallies: Sequence[Tally]) -> str:
        total = SWEEPS * len(self.splits) * len(tallies)
        done = 0
        tallies = self._in_order(tallies)
        for level, fold in self._rounds():
            if fold == 0:
                _halve(tallies, level)
            encoded = self._encoded_fold(fold)
            for place, tally in enumerate(tallies):
                done += 1
                if self._rests(tallies, place, level, fold):
                    continue
                note = f"{tally.contender.label}, sweep {level + 1}, fold {fold + 1}"
                self._tell(tallies, note, done - 1, total)
                spared = level == fold == 0 and place < _ALWAYS
                if not self._turn(tally, level, fold, encoded, spared=spared):
                    return "budget"
        self._tell(tallies, "", total, total)
        return "finished"

    def _rounds(self) -> list[tuple[int, int]]:
        """Return sweeps and folds in their order.

        Sweep by sweep; but of a large table the first fold tells enough to go on from
        coarse to fine, and there may be no time for another.
        """
        folds = range(len(self.splits))
        rounds = list(product(range(SWEEPS), folds))
        if len(self.splits[0].train) >= LARGE_TABLE:
            rounds.sort(key=lambda each: each[1])
        return rounds

    def _rests(
        self, tallies: Sequence[Tally], place: int, level: int, fold: int
    ) -> bool:
        tally = tallies[place]
        if not tally.racing or tally.settings(level) == ():
            return True
        may_hog = level == 0 and fold > 0 and place >= _UNSUSPECTED
        # What was replayed was decided before, by another clock.
        if may_hog and not self.journal.holds(tally.contender.name, level, fold):
            if self._was_late(tally, level, fold):
                return True
            if self.journal.noted(_END) is None and self._hogs(tallies, tally):
                tally.retired = TOO_SLOW
                self._note_leaving(tally, level, fold)
                return True
        return False

    def _note_leaving(
        self, tally: Tally, level: int, fold: int, seconds: float = 0.0
    ) -> None:
        lost = {"reason": tally.retired, "seconds": seconds}
        self.journal.note(_leaving(tally, level, fold), lost)

    def _was_late(self, tally: Tally, level: int, fold: int) -> bool:
        """Whether a contender had left the race before the run was killed."""
        told = self.journal.noted(_leaving(tally, level, fold))
        if told is None:
            return False
        tally.retired = str(told["reason"])
        self.journal.replayed += told["seconds"]
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

    def _timed(
        self, tally: Tally, level: int, encoded: EncodedFold, *, spared: bool
    ) -> FoldResult | None:
        """Run one contender on one fold, at most as long as is fair to the others."""
        if spared and tally.contender.fixed:
            # Where all others are late, there is a constant at least.
            return self._run(tally, level, encoded, self.end)
        if spared:
            now = time.perf_counter()
            late = now + max(_OWED, (self.end - now) / _ALWAYS)
            with alarm(late + _PATIENCE):
                return self._run(tally, level, encoded, late)
        if self._will_be_late(tally, level, encoded):
            raise TimeUpError
        now = time.perf_counter()
        share = 1.0 if tally.folds else _MOST
        late = now + share * (self.end - now)
        # Fits end by themselves a little before; who does not is stopped.
        with alarm(late):
            early = late - min(_HEARING, _EARLY * (late - now))
            return self._run(tally, level, encoded, early)

    def _will_be_late(self, tally: Tally, level: int, encoded: EncodedFold) -> bool:
        """Whether a contender that nobody has seen run would use up the time."""
        contender = tally.contender
        by_itself = contender.stages > 1 or not contender.grid
        if tally.folds or by_itself:
            return False
        with alarm(self.end):
            X = encoded.view(contender.view)[1]
            if sparse.issparse(X) and not contender.sparse:
                return False
            pace = tally.pace
            if pace is None:
                pace = forecast(contender, tally.settings(level), encoded, self.end)
        return pace > _MOST * (self.end - time.perf_counter())

    def _turn(
        self, tally: Tally, level: int, fold: int, encoded: EncodedFold, *, spared: bool
    ) -> bool:
        """Run one contender on one fold, or replay it; False if the time is up."""
        name = tally.contender.name
        shown = self.journal.read(name, level, fold)
        if shown is None:
            if self._was_late(tally, level, fold):
                return True
            if not spared and self._over(tally):
                return False
            began = time.perf_counter()
            try:
                shown = self._timed(tally, level, encoded, spared=spared)
            except TimeUpError:
                if tally.folds or (time.perf_counter() > self.end and not spared):
                    return False
                tally.retired = TOO_SLOW
            if shown is None:
                lost = time.perf_counter() - began
                self._note_leaving(tally, level, fold, lost)
                return True
            self.journal.write(name, level, fold, shown)
        tally.record(level, shown)
        return True

    def _over(self, tally: Tally) -> bool:
        """Whether there is no time for another fold, or was none when it was killed."""
        if self.journal.noted(_END) is not None:
            return True
        return time.perf_counter() + tally.last > self.end

    def _run(
        self, tally: Tally, level: int, encoded: EncodedFold, deadline: float
    ) -> FoldResult | None:
        return run_fold(tally, level, encoded, self.criterion, deadline, keep=self.keep)

    def _tell(self, tallies: Sequence[Tally], note: str, done: int, total: int) -> None:
        left = max(0.0, self.end - time.perf_counter())
        board = tuple(entries(tallies, self.criterion))
        self.progress(Step("race", note, done, total, board, left))


def _leaving(tally: Tally, level: int, fold: int) -> str:
    return f"{tally.contender.name}-sweep{level}-fold{fold}-retired"


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
