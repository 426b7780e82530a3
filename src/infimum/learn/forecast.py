"""How long a contender will take on a fold, told by what it takes on a few rows."""

import math
import time
from typing import Any

import numpy as np

from infimum.errors import InfimumError
from infimum.learn.contenders import Contender
from infimum.learn.ground import Ground, collecting, models_at

__all__ = ["forecast"]

#: Fewer rows than this are learned from faster than forecast.
_FEWEST = 8_000
#: The larger of the two rungs is this part of the rows, the smaller one half of it.
_PART = 16
#: Times grow with a power of the rows between these.
_LEAST_POWER, _MOST_POWER = 1.0, 3.0


class _Rung:
    """A few rows of a fold; looks like the fold to a contender."""

    def __init__(self, ground: Ground, count: int) -> None:
        self.ground, self.problem = ground, ground.problem
        size = len(ground.y)
        drawn = np.random.default_rng(0).permutation(size)[:count]
        self.rows = np.sort(drawn)

    @property
    def y(self) -> Any:
        return self.ground.y[self.rows]

    @property
    def weights(self) -> Any:
        weights = self.ground.weights
        return None if weights is None else weights[self.rows]

    def view(self, name: str) -> tuple[Any, Any, Any]:
        encoder, X, _ = self.ground.view(name)
        return encoder, X[self.rows], None


def forecast(
    contender: Contender,
    values: tuple[float, ...] | None,
    ground: Ground,
    deadline: float,
) -> float:
    """Return the seconds that a lap on a fold will take; 0 if nobody can tell.

    Two small parts of the rows are learned from, one twice as large as the other; their
    times tell how the time grows.
    """
    size = len(ground.y)
    if size < _FEWEST:
        return 0.0
    times = []
    for count in (size // (2 * _PART), size // _PART):
        began = time.perf_counter()
        try:
            with collecting():
                rung: Any = _Rung(ground, count)
                models_at(contender, values, rung, deadline, first=True)
        except (ArithmeticError, ValueError, InfimumError):
            return 0.0
        times.append(time.perf_counter() - began)
    small, large = times
    power = math.log2(max(large, 1e-9) / max(small, 1e-9))
    power = min(max(power, _LEAST_POWER), _MOST_POWER)
    return float(large * (size / (size // _PART)) ** power)
