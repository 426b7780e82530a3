"""One step of a learner on a stream, ready for the compiled loops."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled import (
    compile_ease,
    compile_formula,
    learn_dense,
    learn_sparse,
    yield_dense,
    yield_sparse,
)
from infimum.models.online._losses import StreamLoss
from infimum.models.online._memory import Memory
from infimum.models.online._schedule import Schedule
from infimum.typing import Vector

__all__ = ["Stride"]


class Stride(NamedTuple):
    """What the loops need to know of a learner: its loss and how far it steps."""

    loss: StreamLoss
    proximal: bool
    formula: Any
    parameters: Vector
    pace: tuple[float, ...]

    @classmethod
    def of(cls, learner: Any, schedule: Schedule) -> Stride:
        """Return the stride of a learner at this stage of its schedule."""
        loss = learner._stream_loss()
        free, first = float(bool(learner.fit_intercept)), float(int(learner.average))
        if schedule.proximal:
            formula = compile_ease(type(loss).ease)
            pace: tuple[float, ...] = (schedule.numerator, free, first)
        else:
            formula = compile_formula(type(loss).slope)
            rate = schedule.numerator, schedule.shift, schedule.power
            pace = (*rate, *learner._strengths(), free, first)
        pace = tuple(float(number) for number in pace)
        return cls(loss, schedule.proximal, formula, loss.parameters, pace)

    @property
    def lasso(self) -> float:
        """The strength of the lasso, which proximal steps do not have."""
        return 0.0 if self.proximal else self.pace[4]

    @property
    def first(self) -> float:
        """The step at which averaging starts; 0 for never."""
        return self.pace[-1]

    def numbers(self) -> Vector:
        """Return all that the loop for single rows has to know, in one array."""
        knob = float(self.parameters[0]) if self.parameters.size else 0.0
        rate = (self.pace[0], 0.0, 0.0, 0.0, 0.0) if self.proximal else self.pace[:5]
        return np.array([*rate, *self.pace[-2:], knob, float(self.proximal)])

    def walk(
        self, parts: tuple[Any, ...], given: tuple[Any, ...], memory: Memory, k: int
    ) -> None:
        """Visit rows for score k, given targets, weights, order, room for scores."""
        y, weights, order, scores = given
        thin = len(parts) > 1
        if self.proximal:
            loop: Any = yield_sparse if thin else yield_dense
            debts: tuple[Any, ...] = ()
        else:
            loop, debts = learn_sparse if thin else learn_dense, (memory.debts[k],)
        step = self.formula, self.parameters, scores
        kept = memory.stored[k], memory.total[k], *debts, memory.state[k]
        loop(*parts, y, weights, order, *step, *kept, self.pace)
