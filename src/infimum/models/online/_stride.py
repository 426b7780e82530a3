"""One step of a learner on a stream, ready for the compiled loops."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.callbacks import compile_formula, compile_prox
from infimum.compiled.descent.online_gradient import learn_stream
from infimum.compiled.descent.online_named import pass_named
from infimum.compiled.descent.online_proximal import yield_stream
from infimum.compiled.descent.online_row import LOSS_CODES
from infimum.compiled.rows import Rows
from infimum.models.online._losses import StreamLoss
from infimum.models.online._memory import Memory
from infimum.models.online._schedule import Schedule
from infimum.typing import Vector

__all__ = ["Stride"]


class Stride(NamedTuple):
    """What the loops need to know of a learner: its loss and how far it steps.

    And what else passes ask for again and again: the strengths of ridge and lasso, and
    whether mistakes are counted, which only labels are.
    """

    loss: StreamLoss
    proximal: bool
    parameters: Vector
    pace: tuple[float, ...]
    schedule: Schedule
    strengths: tuple[float, float]
    counted: bool

    @classmethod
    def of(cls, learner: Any, schedule: Schedule) -> Stride:
        """Return the stride of a learner at this stage of its schedule."""
        loss, strengths = learner._stream_loss(), learner._strengths()
        free, first = float(bool(learner.fit_intercept)), float(int(learner.average))
        if schedule.proximal:
            pace: tuple[float, ...] = (schedule.numerator, free, first)
        else:
            rate = schedule.numerator, schedule.shift, schedule.power
            pace = (*rate, *strengths, free, first)
        pace = tuple(float(number) for number in pace)
        counted = not learner._estimator_type_is_regressor()  # who hits numbers?
        told = schedule, strengths, counted
        return cls(loss, schedule.proximal, loss.parameters, pace, *told)

    def shorter(self) -> Stride | None:
        """Return a fifth of the steps where they adapt; None when that is over."""
        schedule = self.schedule.shorter()
        if schedule is None:
            return None
        pace = (float(schedule.numerator), *self.pace[1:])
        return self._replace(schedule=schedule, pace=pace)

    @property
    def lasso(self) -> float:
        """The strength of the lasso, which proximal steps do not have."""
        return 0.0 if self.proximal else self.pace[4]

    @property
    def first(self) -> float:
        """The step at which averaging starts; 0 for never."""
        return self.pace[-1]

    @property
    def code(self) -> int | None:
        """The number by which loops know the loss; None if they do not."""
        kind = type(self.loss)
        ours = kind.__module__.startswith("infimum.")
        return LOSS_CODES.get(kind.__name__) if ours else None

    @property
    def knob(self) -> float:
        """The number of a loss that has one."""
        return float(self.parameters[0]) if self.parameters.size else 0.0

    def numbers(self) -> Vector:
        """Return all that the loop for single rows has to know, in one array."""
        rate = (self.pace[0], 0.0, 0.0, 0.0, 0.0) if self.proximal else self.pace[:5]
        return np.array([*rate, *self.pace[-2:], self.knob, float(self.proximal)])

    def walk(
        self, rows: Rows, given: tuple[Any, ...], memory: Memory, k: int
    ) -> tuple[float, float] | None:
        """Visit rows for score k, given targets, weights, order, room for scores.

        Returns how many scores erred and what they cost, if that is known by now.
        """
        y, weights, order, scores = given
        visited = rows, (y, weights), order
        stored, state = memory.stored[k], memory.state[k]
        usual = not (self.proximal or self.lasso or self.first)
        if usual and self.code is not None:
            loss = self.code, self.knob
            return pass_named(*visited, loss, scores, stored, state, self.pace)
        debts: tuple[Any, ...] = ()
        if self.proximal:
            loop: Any = yield_stream
            step = type(self.loss).prox_formula
            assert step is not None  # such a loss has been refused before
            formula = compile_prox(step)
        else:
            loop = learn_stream
            formula = compile_formula(type(self.loss).derivative_formula)
            debts = (memory.debts[k],)
        kept = stored, memory.total[k], *debts, state
        loop(*visited, formula, self.parameters, scores, kept, self.pace)
        return None
