"""How the contenders of one task are timed, fairly."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.limit import StoppedError, fit_within_limit
from benchmarks.task import OURS, Contender, Task

__all__ = ["PATIENCE", "Row", "time_task"]

#: Seconds after which a contender is slow, and turns come to an end.
PATIENCE = 20.0

Clock = Callable[[], float]


@dataclass
class Row:
    """What one contender did on one task; without `ratio` it did not reach the goal.

    One that was stopped has the time it was given, and the ratio is a lower bound.
    """

    task: str
    contender: str
    setting: Any = None
    excess: float | None = None
    reached: bool = False
    seconds: tuple[float, ...] = ()
    ratio: float | None = None
    first_call: float | None = None
    next_process: float | None = None
    problem: str = ""
    stopped: bool = False

    @property
    def best(self) -> float | None:
        """The fastest of all rounds: the one least disturbed by the machine."""
        return min(self.seconds, default=None)


def time_task(
    task: Task,
    *,
    quick: bool = False,
    rounds: int = 7,
    patience: float = PATIENCE,
    clock: Clock = time.perf_counter,
) -> list[Row]:
    """Time every contender of `task` at the quality it asks for.

    Each climbs its ladder first, which is also the warm-up. Then they take turns, so
    that a slow minute of the machine hits all of them; turns stop after `patience`
    seconds, but not before the second. Who needs longer than that for one fit is not
    asked again: its warm-up counts.
    """
    problem = task.problem(quick=quick)
    contenders = list(task.contenders())
    rows = [climb(task, problem, contender, clock) for contender in contenders]
    racing = [
        (contender, row)
        for contender, row in zip(contenders, rows, strict=True)
        if not (row.problem or row.stopped) and row.seconds[0] <= patience
    ]
    for _, row in racing:
        row.seconds = ()
    began = clock()
    for turn in range(rounds):
        if turn > 1 and clock() - began > patience:
            break
        for contender, row in racing:
            start = clock()
            contender.fit(problem, row.setting)
            row.seconds += (clock() - start,)
    compare(rows)
    return rows


def climb(task: Task, problem: Any, contender: Contender, clock: Clock) -> Row:
    """Find the loosest setting that reaches the quality, or the last one that failed.

    A peer that raises is a row with its error, not the end of the benchmark.
    """
    row = Row(task.title, contender.name)
    for setting in contender.ladder:
        start = clock()
        try:
            answer = fit_within_limit(contender, problem, setting)
            row.seconds = (clock() - start,)
            excess = float(task.excess(problem, answer))
        except StoppedError:
            row.seconds, row.setting, row.stopped = (clock() - start,), setting, True
            break
        except Exception as error:
            row.seconds, row.problem = (), f"{type(error).__name__}: {error}"
            break
        row.setting, row.excess, row.reached = setting, excess, excess <= task.tolerance
        if row.reached:
            break
    return row


def compare(rows: list[Row]) -> None:
    """Set the ratios to our time; a row that fell short of the quality gets none."""
    ours = next((row for row in rows if row.contender == OURS), None)
    if ours is None or not ours.reached or not ours.best:
        return
    for row in rows:
        if (row.reached or row.stopped) and row.best is not None:
            row.ratio = row.best / ours.best
