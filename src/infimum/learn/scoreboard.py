"""The scoreboard of the race: how every contender stands."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from infimum.learn.heat import Heat
from infimum.learn.scoring import Criterion

__all__ = ["Entry", "entries"]


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


def entries(heats: Sequence[Heat], criterion: Criterion) -> Iterator[Entry]:
    """Yield how every contender stands, at its best setting so far."""
    for heat in heats:
        averages = heat.averages
        error = score = spread = float("nan")
        if averages:
            value = min(averages, key=lambda each: (averages[each], each))
            error = averages[value]
            score = criterion.error(error)
            spread = _spread(heat, value)
        yield Entry(
            heat.contender.label,
            error,
            score,
            spread,
            heat.folds,
            heat.seconds,
            heat.uncertified == 0 if heat.contender.convex and heat.fits else None,
            "failed" if heat.failure else heat.retired,
        )


def _spread(heat: Heat, value: float) -> float:
    lap = next(lap for lap in heat.laps if value in lap.values)
    errors = [row[lap.values.index(value)] for row in lap.errors]
    if len(errors) < 2:  # noqa: PLR2004
        return float("nan")
    return float(np.std(errors, ddof=1) / np.sqrt(len(errors)))
