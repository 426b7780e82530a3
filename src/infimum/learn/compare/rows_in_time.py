"""How many rows there is time for: what one costs is measured on a few thousand.

Where a table has more, a race that reads all of them shows one fold of one family and
leaves no time to fit, test and explain. Rows drawn at random, as many as the time
bears, show several.
"""

import math
import time
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from infimum.evaluation import Split
from infimum.learn.clock import TimeUpError
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.fits import models_at
from infimum.learn.folds import EncodedFold, some_rows, splits_of
from infimum.learn.journal import Journal
from infimum.learn.problem import Posed, Problem
from infimum.learn.worker import Crew, WorkerEndedError

__all__ = ["bearable", "in_time", "seconds_a_row"]

#: Note in the journal: how many rows there is time for.
_ROWS = "rows"
#: Rows that are learned from in any case, and those that are drawn at least.
_NO_QUESTION, _FEWEST = 100_000, 20_000
#: The part of the race's time that encoding a fold and a long boosting may take.
_ROWS_SHARE = 0.4
#: Rows that tell what one costs.
_ASKED = 12_000


def in_time(
    posed: Posed,
    contenders: Sequence[Contender],
    end: float,
    seed: int,
    journal: Journal,
    crew: Crew | None = None,
) -> Posed:
    """Return as many rows to learn from as there is time for before the `end`."""
    training, count = posed.training, journal.noted(_ROWS)
    if posed.raced or training.y.ndim > 1 or len(training.y) <= _NO_QUESTION:
        return posed
    if count is None:
        count = bearable(training, contenders, end - time.perf_counter(), crew)
        journal.note(_ROWS, count)
    if count >= len(training.y):
        return posed
    training = some_rows(training, count, seed)
    return posed._replace(training=training, splits=splits_of(training, seed))


def bearable(
    problem: Problem,
    contenders: Sequence[Contender],
    seconds: float,
    crew: Crew | None = None,
) -> int:
    """Return how many rows can be learned from in a race of so many seconds."""
    size = len(problem.y)
    if seconds == math.inf:
        return size
    drawn = np.sort(np.random.default_rng(0).permutation(size)[:_ASKED])
    given = contenders, problem.only(drawn)
    began = time.perf_counter()
    try:
        limit = began + max(seconds, 0.0) / 3
        pace = (
            seconds_a_row(*given)
            if crew is None
            else crew.call(seconds_a_row, *given, kill_at=limit)
        )
    except (TimeUpError, WorkerEndedError):
        return _FEWEST
    left = _ROWS_SHARE * (seconds - (time.perf_counter() - began))
    return int(min(size, max(left / max(pace, 1e-12), _FEWEST)))


#: Entries of a table, and its rows, that tell what a row costs.
_TELLING, _FEW_TELLING, _MANY_TELLING = 500_000, 2_000, 12_000
#: Of the shapes of a boosting the one that tells, with its second number of rounds, and
#: how many times as many rounds a race is to have time for.
_SHAPE, _MORE_ROUNDS = 3, 8.0


def seconds_a_row(contenders: Sequence[Contender], problem: Problem) -> float:
    """Return what encoding one more row and boosting with it take, on one fold.

    The rows of the problem are learned from, and a quarter of them: what is the same
    for both is no row's.
    """
    size = min(len(problem.y), _MANY_TELLING, _TELLING // problem.rows.shape[1])
    size = max(size, _FEW_TELLING)
    boosting = next((c for c in contenders if c.stages > 1), None)
    times: list[float] = []
    for count in (size // 4, size // 4, size):  # the first one loads machine code
        rows = np.arange(count)
        encoded = EncodedFold(problem, Split(rows, rows[:_FEW_TELLING]))
        began = time.perf_counter()
        for view in ("linear", "trees"):
            encoded.view(view)
        spent = time.perf_counter() - began
        if boosting is not None and not sparse.issparse(problem.rows):
            began, place = time.perf_counter(), _SHAPE * boosting.stages + 1.0
            models_at(boosting, (place,), encoded, math.inf)
            spent += _MORE_ROUNDS * (time.perf_counter() - began)
        times.append(spent)
    return float(max(times[-1] - times[-2], 0.0) / (size - size // 4))
