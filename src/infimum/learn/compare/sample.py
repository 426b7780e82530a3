"""What a sample of the rows tells: how long a contender takes, how well it does.

Fits on all rows may take most of the time there is. On a few thousand rows every family
can show in seconds how well it does. The better half goes on to all rows, the best
first, at settings near its best ones.
"""

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import InfimumError
from infimum.evaluation import Split
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import GRID, FoldResult, Tally
from infimum.learn.encoded_fold import EncodedFold, collecting, models_at

__all__ = ["LARGE_TABLE", "FirstLook", "Qualified", "forecast", "sample_of"]

#: Fewer rows than this are learned from faster than forecast.
_FEWEST = 8_000
#: The larger of the two rungs is this part of the rows, the smaller one half of it.
_PART = 16
#: Times grow with a power of the rows between these.
_LEAST_POWER, _MOST_POWER = 1.0, 3.0


class _Rung:
    """A few rows of a fold; looks like the fold to a contender."""

    def __init__(self, encoded: EncodedFold, count: int) -> None:
        self.encoded, self.problem = encoded, encoded.problem
        size = len(encoded.y)
        drawn = np.random.default_rng(0).permutation(size)[:count]
        self.rows = np.sort(drawn)

    @property
    def y(self) -> Any:
        return self.encoded.y[self.rows]

    @property
    def weights(self) -> Any:
        weights = self.encoded.weights
        return None if weights is None else weights[self.rows]

    def view(self, name: str) -> tuple[Any, Any, Any]:
        encoder, X, _ = self.encoded.view(name)
        return encoder, X[self.rows], None


def forecast(
    contender: Contender,
    values: tuple[float, ...] | None,
    encoded: EncodedFold,
    deadline: float,
) -> float:
    """Return the seconds that a sweep on a fold will take; 0 if nobody can tell.

    Two small parts of the rows are learned from, one twice as large as the other; their
    times tell how the time grows.
    """
    size = len(encoded.y)
    if size < _FEWEST:
        return 0.0
    times = []
    for count in (size // (2 * _PART), size // _PART):
        began = time.perf_counter()
        try:
            with collecting():
                rung: Any = _Rung(encoded, count)
                models_at(contender, values, rung, deadline, first=True)
        except (ArithmeticError, ValueError, InfimumError):
            return 0.0
        times.append(time.perf_counter() - began)
    small, large = times
    power = math.log2(max(large, 1e-9) / max(small, 1e-9))
    power = min(max(power, _LEAST_POWER), _MOST_POWER)
    return float(large * (size / (size // _PART)) ** power)


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


def sample_of(split: Split, seed: int = 0) -> Split:
    """Return a few rows to learn from and a few to be judged by."""
    draw = np.random.default_rng(seed)
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

    def told(self) -> Qualified:
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
