"""What contenders have shown so far: fold by fold, and on a sample of the rows.

Fits on all rows may take most of the time there is. On a few thousand rows every family
can show in seconds how well it does. The better half goes on to all rows, the best
first, at settings near its best ones.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion
from infimum.learn.compare.contenders import Contender, Setting

__all__ = [
    "GRID",
    "LARGE_TABLE",
    "Entry",
    "FirstLook",
    "FoldResult",
    "Qualified",
    "Sweep",
    "Tally",
    "entries",
    "sample_of",
    "setting_of",
]


#: What the parameter of a contender with a grid is called: the place in the grid.
GRID = "setting"
#: Of a grid with stages, the shapes and the stages of the first sweep.
FIRST_SHAPES, FIRST_STAGES = (1, 2), 5
Metrics = dict[str, float | None]


class FoldResult(NamedTuple):
    """One contender on one fold of one sweep: a place a setting in every list.

    `said` holds the predictions for the rows held back (settings × rows × columns), if
    they are kept for a blend; `extreme` counts answers far from every target seen;
    `leads` tell by how many standard errors the constant answer is beaten there.
    """

    parameter: str
    values: tuple[float, ...]
    errors: list[float]
    weights: list[int]
    metrics: list[Metrics]
    extreme: list[int] | None = None
    fits: int = 0
    uncertified: int = 0
    seconds: float = 0.0
    failure: str = ""
    said: NDArray[Any] | None = None
    leads: list[float] | None = None


@dataclass
class Sweep:
    """Results of one contender at some settings: a row a fold, a column a setting."""

    values: tuple[float, ...]
    errors: list[list[float]] = field(default_factory=list)
    weights: list[list[int]] = field(default_factory=list)
    metrics: list[list[Metrics]] = field(default_factory=list)
    extreme: list[list[int]] = field(default_factory=list)
    said: list[NDArray[Any] | None] = field(default_factory=list)
    leads: list[list[float]] = field(default_factory=list)

    @property
    def folds(self) -> int:
        """How many folds are done."""
        return len(self.errors)


@dataclass
class Tally:
    """The results of one contender so far, sweep by sweep.

    `retired` says why it left the race before its end; what it has shown still counts.
    A sample of the rows may have told where to `start`, and at what `pace` in seconds.
    """

    contender: Contender
    parameter: str = ""
    sweeps: list[Sweep] = field(default_factory=list)
    seconds: float = 0.0
    last: float = 0.0
    fits: int = 0
    uncertified: int = 0
    failure: str = ""
    retired: str = ""
    start: tuple[float, ...] | None = None
    pace: float | None = None

    @property
    def folds(self) -> int:
        """How many folds of the first sweep are done."""
        return self.sweeps[0].folds if self.sweeps else 0

    @property
    def racing(self) -> bool:
        """Whether it still takes part."""
        return not (self.failure or self.retired)

    @property
    def averages(self) -> dict[float, float]:
        """The average error of every setting tried so far."""
        return {
            value: float(np.mean([row[place] for row in sweep.errors]))
            for sweep in self.sweeps
            for place, value in enumerate(sweep.values)
            if sweep.errors
        }

    def settings(self, level: int) -> tuple[float, ...] | None:
        """Return the settings of a sweep, None if the first is still to be found.

        Of a path those halfway between the strengths of the sweeps before, and a weaker
        one if the weakest was best; of a grid every other one, then those not yet
        tried beside the best.
        """
        if level < len(self.sweeps):
            return self.sweeps[level].values
        if self.contender.fixed:
            return None if level == 0 else ()
        if level == 0 and self.start:
            return self.start
        if self.contender.grid:
            return self._grid_places(level)
        known = np.sort([value for sweep in self.sweeps for value in sweep.values])
        between = np.sqrt(known[1:] * known[:-1]).tolist()
        return (*between, *self._beyond(known)) or None

    def record(self, level: int, shown: FoldResult) -> None:
        """Add the results of one more fold, all of them or none."""
        if shown.failure:
            self.failure = shown.failure
            return
        self.parameter = shown.parameter
        if level == len(self.sweeps):
            self.sweeps.append(Sweep(shown.values))
        sweep = self.sweeps[level]
        sweep.metrics.append(shown.metrics)
        sweep.extreme.append(shown.extreme or [0] * len(shown.errors))
        sweep.leads.append(shown.leads or [math.nan] * len(shown.errors))
        sweep.weights.append(shown.weights)
        sweep.said.append(shown.said)
        sweep.errors.append(shown.errors)
        self.fits += shown.fits
        self.uncertified += shown.uncertified
        self.last = shown.seconds
        self.seconds += shown.seconds

    def _beyond(self, known: NDArray[Any]) -> tuple[float, ...]:
        """Return a weaker strength if the weakest so far is the best."""
        tried = self.averages
        if len(known) < 2 or not tried:  # noqa: PLR2004
            return ()
        weakest, next_to = known[[-1, -2]] if self.parameter == "C" else known[:2]
        if min(tried, key=lambda value: (tried[value], value)) != weakest:
            return ()
        return (float(weakest * weakest / next_to),)

    def _staged_places(self, level: int) -> tuple[float, ...]:
        """Return places of a grid with stages: shapes in the middle, then beside them.

        Of the best shape those after more rounds, if its last was its best.
        """
        stages = self.contender.stages
        shapes = range(len(self.contender.grid) // stages)
        if level == 0:
            first = range(min(FIRST_STAGES, stages))
            return tuple(float(s * stages + r) for s in FIRST_SHAPES for r in first)
        tried = self.averages
        best = min(tried, key=lambda place: (tried[place], place))
        shape, stage = divmod(round(best), stages)
        last = max(round(p) % stages for p in tried if round(p) // stages == shape)
        more = range(last + 1, min(last + 3, stages)) if stage == last else range(0)
        found = [shape * stages + later for later in more]
        for other in (shape - 1, shape + 1):
            if other in shapes:
                found += [other * stages + r for r in range(min(stage + 2, stages))]
        return tuple(float(place) for place in sorted(found) if place not in tried)

    def _grid_places(self, level: int) -> tuple[float, ...]:
        if self.contender.stages > 1:
            return self._staged_places(level)
        size = len(self.contender.grid)
        if level == 0:
            return tuple(float(place) for place in range(0, size, 2))
        tried = self.averages
        best = min(tried, key=lambda place: (tried[place], place))
        beside = [place for place in (best - 1, best + 1) if 0 <= place < size]
        return tuple(place for place in beside if place not in tried)


def setting_of(contender: Contender, parameter: str, value: float) -> Setting:
    """Return the parameters that a value stands for."""
    if parameter == GRID:
        return contender.grid[round(value)]
    return {parameter: value}


class Entry(NamedTuple):
    """A contender on the scoreboard: its score in the units of the criterion.

    `error` is what is minimised; `proved` tells whether all its fits were, None if they
    are not convex.
    """

    label: str
    error: float
    score: float
    spread: float
    folds: int
    seconds: float
    proved: bool | None
    state: str


def entries(tallies: Sequence[Tally], criterion: Criterion) -> Iterator[Entry]:
    """Yield how every contender stands, at its best setting so far."""
    for tally in tallies:
        averages = tally.averages
        error = score = spread = float("nan")
        if averages:
            value = min(averages, key=lambda each: (averages[each], each))
            error = averages[value]
            score = criterion.error(error)
            spread = _spread(tally, value)
        yield Entry(
            tally.contender.label,
            error,
            score,
            spread,
            tally.folds,
            tally.seconds,
            tally.uncertified == 0 if tally.contender.convex and tally.fits else None,
            "failed" if tally.failure else tally.retired,
        )


def _spread(tally: Tally, value: float) -> float:
    sweep = next(sweep for sweep in tally.sweeps if value in sweep.values)
    errors = [row[sweep.values.index(value)] for row in sweep.errors]
    if len(errors) < 2:  # noqa: PLR2004
        return float("nan")
    return float(np.std(errors, ddof=1) / np.sqrt(len(errors)))


#: Training rows from which on a sample is looked at first.
LARGE_TABLE = 20_000
#: Rows of the sample to learn from, and to be judged by.
SAMPLE = 4_000
#: The part of the race's time that the first look may take.
SHARE = 0.25
#: More rows bear more rounds of boosting: so many doublings beyond the best.
_MORE_STAGES = 3
#: At least so many families go on to all rows.
FEWEST = 4
#: The families that are looked at first: the likely winner, then a plain model.
FIRST = ("boosting", "logistic-l2", "ridge", "poisson")
#: The part of this that the first one may take.
_TURN = 0.6
#: Seconds grow a little faster than the rows.
_POWER = 1.1


class Qualified(NamedTuple):
    """What the sample has shown; plain data, so that a journal can keep it.

    `errors` are the least of each contender by name, `starts` the settings to begin
    with on all rows, `paces` the seconds these will take there, as forecast.
    """

    errors: dict[str, float]
    starts: dict[str, list[float]]
    paces: dict[str, float]
    seconds: float

    def order(self, tallies: Sequence[Tally]) -> list[Tally]:
        """Return the running order; whoever is in the worse half leaves the race."""
        fixed = [tally for tally in tallies if tally.contender.fixed]
        seen = [tally for tally in tallies if tally.contender.name in self.errors]
        ranked = sorted(seen, key=lambda tally: self.errors[tally.contender.name])
        count = max(FEWEST, math.ceil(len(ranked) / 2))
        readable = [tally for tally in ranked if tally.contender.readable][:1]
        staying = [*ranked[:count], *(h for h in readable if h not in ranked[:count])]
        for tally in ranked:
            if tally not in staying:
                tally.retired = "in the worse half on a sample of the rows"
        for tally in staying:
            tally.start = tuple(self.starts[tally.contender.name])
            tally.pace = self.paces[tally.contender.name]
        known = {id(tally) for tally in (*fixed, *ranked)}
        unseen = [tally for tally in tallies if id(tally) not in known]
        return [*fixed, *staying, *unseen]


def sample_of(split: Split) -> Split:
    """Return a few rows to learn from and a few to be judged by."""
    draw = np.random.default_rng(0)
    train, held = (
        np.sort(draw.permutation(rows)[:SAMPLE]) for rows in (split.train, split[1])
    )
    return Split(train, held)


class FirstLook:
    """Lets every family run on the sample, within a share of the time until `end`."""

    def __init__(self, tallies: Sequence[Tally], rows: int, end: float) -> None:
        self.began = time.perf_counter()
        self.late = self.began + SHARE * (end - self.began)
        self.rows = rows
        self.waiting = [t for t in sorted(tallies, key=_turn) if not t.contender.fixed]
        self.begun = 0
        self.errors: dict[str, float] = {}
        self.starts: dict[str, list[float]] = {}
        self.paces: dict[str, float] = {}

    def next(self) -> Tally | None:
        """Return who is to run next; None if nobody is."""
        if not self.waiting or (self.begun and time.perf_counter() > self.late):
            return None
        self.begun += 1
        return self.waiting.pop(0)

    @property
    def seconds(self) -> float:
        """What the next one may take: the first one leaves time for the others."""
        left = self.late - time.perf_counter()
        return left if self.begun > 1 else _TURN * left

    def record(self, tally: Tally, shown: FoldResult | None) -> None:
        """Note what a family has shown; nothing if it came too late."""
        if shown is None or shown.failure or not np.isfinite(shown.errors).any():
            return
        name, best = tally.contender.name, int(np.nanargmin(shown.errors))
        self.errors[name] = float(shown.errors[best])
        self.starts[name] = _near(tally, shown, best)
        share = len(self.starts[name]) / len(shown.values)
        growth = (self.rows / SAMPLE) ** _POWER
        self.paces[name] = share * shown.seconds * growth

    def qualified(self) -> Qualified:
        """Return what was shown."""
        seconds = time.perf_counter() - self.began
        return Qualified(self.errors, self.starts, self.paces, seconds)


def _turn(tally: Tally) -> int:
    name = tally.contender.name
    return FIRST.index(name) if name in FIRST else len(FIRST)


def _near(tally: Tally, shown: FoldResult, best: int) -> list[float]:
    """Return settings for all rows: the best one of the sample and more complex ones.

    More rows bear more complex models: a path goes on to weaker penalties, a grid to
    the next but one, as the first sweep does.
    """
    values: Any = shown.values
    stages = tally.contender.stages
    if shown.parameter == GRID and stages > 1:
        shape, stage = divmod(round(values[best]), stages)
        later = range(max(stage - 1, 0), min(stage + _MORE_STAGES, stages))
        return [float(shape * stages + each) for each in later]
    if shown.parameter == GRID:
        last = float(len(tally.contender.grid) - 1)
        return sorted({values[best], min(values[best] + 2.0, last)})
    if len(values) < 2:  # noqa: PLR2004
        return list(values)
    step = (values[-1] / values[0]) ** (1.0 / (len(values) - 1))
    # C is the strength of all rows together: at the same C, more rows weaken it.
    powers = (-1, 0, 1) if shown.parameter == "C" else (0, 1, 2)
    return [values[best] * step**power for power in powers]
