"""A first look at every contender on a sample of the rows of a large table.

Fits on all rows may take most of the time there is. On a few thousand rows every family
can show in seconds how well it does. The better half goes on to all rows, the best
first, at settings near its best ones.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from infimum.evaluation import Split
from infimum.learn.alarm import TimeUpError, alarm
from infimum.learn.heat import GRID, FoldResult, Heat

__all__ = ["LARGE_TABLE", "Qualified", "qualify", "sample_of"]

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
#: Fits are told to end so large a part of their time too early.
_EARLY = 0.1
#: Seconds grow a little faster than the rows.
_POWER = 1.1

Run = Callable[[Heat, float], FoldResult | None]


class Qualified(NamedTuple):
    """What the sample has shown; plain data, so that a journal can keep it.

    `errors` are the least of each contender by name, `starts` the settings to begin
    with on all rows, `paces` the seconds these will take there, as forecast.
    """

    errors: dict[str, float]
    starts: dict[str, list[float]]
    paces: dict[str, float]
    seconds: float

    def order(self, heats: Sequence[Heat]) -> list[Heat]:
        """Return the running order; whoever is in the worse half leaves the race."""
        fixed = [heat for heat in heats if heat.contender.fixed]
        seen = [heat for heat in heats if heat.contender.name in self.errors]
        ranked = sorted(seen, key=lambda heat: self.errors[heat.contender.name])
        count = max(FEWEST, math.ceil(len(ranked) / 2))
        readable = [heat for heat in ranked if heat.contender.readable][:1]
        staying = [*ranked[:count], *(h for h in readable if h not in ranked[:count])]
        for heat in ranked:
            if heat not in staying:
                heat.retired = "in the worse half on a sample of the rows"
        for heat in staying:
            heat.start = tuple(self.starts[heat.contender.name])
            heat.pace = self.paces[heat.contender.name]
        known = {id(heat) for heat in (*fixed, *ranked)}
        unseen = [heat for heat in heats if id(heat) not in known]
        return [*fixed, *staying, *unseen]


def sample_of(split: Split, seed: int = 0) -> Split:
    """Return a few rows to learn from and a few to be judged by."""
    draw = np.random.default_rng(seed)
    train, held = (
        np.sort(draw.permutation(rows)[:SAMPLE]) for rows in (split.train, split[1])
    )
    return Split(train, held)


def qualify(heats: Sequence[Heat], run: Run, rows: int, end: float) -> Qualified:
    """Let every family run on the sample, within a share of the time until `end`."""
    began = time.perf_counter()
    late = began + SHARE * (end - began)
    errors: dict[str, float] = {}
    starts: dict[str, list[float]] = {}
    paces: dict[str, float] = {}
    for heat in sorted(heats, key=_turn):
        if heat.contender.fixed or (errors and time.perf_counter() > late):
            continue
        now = time.perf_counter()
        # The first ones leave time for the others.
        end_of_turn = now + _TURN * (late - now) if not errors else late
        try:
            with alarm(late):
                shown = run(heat, end_of_turn - _EARLY * (end_of_turn - now))
        except TimeUpError:
            continue
        if shown is None or shown.failure or not np.isfinite(shown.errors).any():
            continue
        name, best = heat.contender.name, int(np.nanargmin(shown.errors))
        errors[name] = float(shown.errors[best])
        starts[name] = _near(heat, shown, best)
        share = len(starts[name]) / len(shown.values)
        paces[name] = share * shown.seconds * (rows / SAMPLE) ** _POWER
    return Qualified(errors, starts, paces, time.perf_counter() - began)


def _turn(heat: Heat) -> int:
    name = heat.contender.name
    return FIRST.index(name) if name in FIRST else len(FIRST)


def _near(heat: Heat, shown: FoldResult, best: int) -> list[float]:
    """Return settings for all rows: the best one of the sample and more complex ones.

    More rows bear more complex models: a path goes on to weaker penalties, a grid to
    the next but one, as the first lap does.
    """
    values: Any = shown.values
    stages = heat.contender.stages
    if shown.parameter == GRID and stages > 1:
        shape, stage = divmod(round(values[best]), stages)
        later = range(max(stage - 1, 0), min(stage + _MORE_STAGES, stages))
        return [float(shape * stages + each) for each in later]
    if shown.parameter == GRID:
        last = float(len(heat.contender.grid) - 1)
        return sorted({values[best], min(values[best] + 2.0, last)})
    if len(values) < 2:  # noqa: PLR2004
        return list(values)
    step = (values[-1] / values[0]) ** (1.0 / (len(values) - 1))
    # C is the strength of all rows together: at the same C, more rows weaken it.
    powers = (-1, 0, 1) if shown.parameter == "C" else (0, 1, 2)
    return [values[best] * step**power for power in powers]
