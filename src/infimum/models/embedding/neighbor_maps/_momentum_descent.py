"""Gradient descent with momentum and gains: how neighbour maps come to rest."""

from dataclasses import dataclass

import numpy as np

from infimum.compiled.maps.momentum_steps import step_with_gains
from infimum.models.embedding.neighbor_maps._neighbor_map import NeighborMap
from infimum.typing import Matrix

__all__ = ["Descent", "Rest", "descend"]

#: Steps between two looks at the divergence.
LOOK = 50
#: No gain shrinks below this.
LEAST_GAIN = 0.01
#: Momentum while attraction is exaggerated.
EARLY_MOMENTUM = 0.5


@dataclass(frozen=True)
class Descent:
    """How to go down: learning rate, steps, and when to stop before they are used up.

    For the first `early` steps attraction is exaggerated, which lets clusters pass
    through each other. Afterwards the descent stops when the divergence was not
    improved for `patience` steps, or the gradient is no longer than `least`.
    """

    rate: float
    steps: int
    early: int = 250
    exaggeration: float = 12.0
    patience: int = 300
    least: float = 1e-7
    momentum: float = 0.8


@dataclass
class Rest:
    """Where a descent ended: the map, the steps taken, the divergence on the way."""

    Y: Matrix
    steps: int
    history: list[tuple[int, float]]
    reason: str = "steps used up"


def descend(problem: NeighborMap, start: Matrix, how: Descent) -> Rest:
    """Return the last map. Exaggeration raises the divergence on purpose."""
    rest = Rest(np.array(start, dtype=np.float64, order="C"), 0, [])
    early = min(how.early, how.steps)
    _go(problem.exaggerated(how.exaggeration), rest, how, early, EARLY_MOMENTUM)
    _go(problem, rest, how, how.steps, how.momentum)
    return rest


def _go(
    problem: NeighborMap, rest: Rest, how: Descent, until: int, momentum: float
) -> None:
    Y = rest.Y
    velocity, gains = np.zeros_like(Y), np.ones_like(Y)
    best, best_at = np.inf, rest.steps
    while rest.steps < until:
        gradient = problem.gradient(Y)
        square = step_with_gains(
            Y, gradient, velocity, gains, how.rate, momentum, LEAST_GAIN
        )
        rest.steps += 1
        if rest.steps % LOOK and rest.steps < until:
            continue
        reached = problem.divergence(Y)
        rest.history.append((rest.steps, reached))
        if reached < best:
            best, best_at = reached, rest.steps
        if problem.exaggeration != 1.0:
            continue
        if rest.steps - best_at > how.patience:
            rest.reason = f"no progress for {how.patience} steps"
            return
        if np.sqrt(square) <= how.least:
            rest.reason = "the gradient vanished"
            return
