"""What a contender has shown so far: results fold by fold, lap by lap."""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.learn.contenders import Contender, Setting

__all__ = ["GRID", "FoldResult", "Heat", "Lap", "setting_of"]

#: What the parameter of a contender with a grid is called: the place in the grid.
GRID = "setting"
#: Of a grid with stages, the shapes and the stages of the first lap.
FIRST_SHAPES, FIRST_STAGES = (1, 2), 5

Metrics = dict[str, float | None]


class FoldResult(NamedTuple):
    """One contender on one fold of one lap: a place a setting in every list.

    `said` holds the predictions for the rows held back (settings × rows × columns), if
    they are kept for a blend; `wild` counts answers far from every target seen; `leads`
    tell by how many standard errors the constant answer is beaten on these rows.
    """

    parameter: str
    values: tuple[float, ...]
    errors: list[float]
    weights: list[int]
    metrics: list[Metrics]
    wild: list[int] | None = None
    fits: int = 0
    uncertified: int = 0
    seconds: float = 0.0
    failure: str = ""
    said: NDArray[Any] | None = None
    leads: list[float] | None = None


@dataclass
class Lap:
    """Results of one contender at some settings: a row a fold, a column a setting."""

    values: tuple[float, ...]
    errors: list[list[float]] = field(default_factory=list)
    weights: list[list[int]] = field(default_factory=list)
    metrics: list[list[Metrics]] = field(default_factory=list)
    wild: list[list[int]] = field(default_factory=list)
    said: list[NDArray[Any] | None] = field(default_factory=list)
    leads: list[list[float]] = field(default_factory=list)

    @property
    def folds(self) -> int:
        """How many folds are done."""
        return len(self.errors)


@dataclass
class Heat:
    """The results of one contender so far, lap by lap.

    `retired` says why it left the race before its end; what it has shown still counts.
    A sample of the rows may have told where to `start`, and at what `pace` in seconds.
    """

    contender: Contender
    parameter: str = ""
    laps: list[Lap] = field(default_factory=list)
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
        """How many folds of the first lap are done."""
        return self.laps[0].folds if self.laps else 0

    @property
    def racing(self) -> bool:
        """Whether it still takes part."""
        return not (self.failure or self.retired)

    @property
    def averages(self) -> dict[float, float]:
        """The average error of every setting tried so far."""
        return {
            value: float(np.mean([row[place] for row in lap.errors]))
            for lap in self.laps
            for place, value in enumerate(lap.values)
            if lap.errors
        }

    def settings(self, level: int) -> tuple[float, ...] | None:
        """Return the settings of a lap, None if the first is still to be found.

        Of a path those halfway between the strengths of the laps before, and a weaker
        one if the weakest was best; of a grid every other one, then those not yet
        tried beside the best.
        """
        if level < len(self.laps):
            return self.laps[level].values
        if self.contender.fixed:
            return None if level == 0 else ()
        if level == 0 and self.start:
            return self.start
        if self.contender.grid:
            return self._grid_places(level)
        known = np.sort([value for lap in self.laps for value in lap.values])
        between = np.sqrt(known[1:] * known[:-1]).tolist()
        return (*between, *self._beyond(known)) or None

    def record(self, level: int, shown: FoldResult) -> None:
        """Add the results of one more fold, all of them or none."""
        if shown.failure:
            self.failure = shown.failure
            return
        self.parameter = shown.parameter
        if level == len(self.laps):
            self.laps.append(Lap(shown.values))
        lap = self.laps[level]
        lap.metrics.append(shown.metrics)
        lap.wild.append(shown.wild or [0] * len(shown.errors))
        lap.leads.append(shown.leads or [math.nan] * len(shown.errors))
        lap.weights.append(shown.weights)
        lap.said.append(shown.said)
        lap.errors.append(shown.errors)
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
