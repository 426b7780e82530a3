"""One step of a learner on a stream, ready for the compiled loops."""

from __future__ import annotations

from functools import lru_cache
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
from infimum.models.online._memory import INCURRED, LAG, MISTAKES, SCALE, Memory
from infimum.models.online._schedule import Schedule
from infimum.typing import Vector

__all__ = ["Stride", "learn_row"]

_ONE, _FIRST = np.ones(1), np.zeros(1, dtype=np.intp)


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


@lru_cache(maxsize=256)
def _names(kind: type) -> tuple[str, ...]:
    names: Any = kind._get_param_names()  # type: ignore[attr-defined]
    return tuple(names)


@lru_cache(maxsize=64)
def _stride(kind: type, values: tuple[Any, ...]) -> Stride:
    """Return the stride that these parameters give, checked once and remembered."""
    learner: Any = kind(**dict(zip(_names(kind), values, strict=True)))
    learner._check()
    return Stride.of(learner, learner._schedule(learner._stream_loss()))


def learn_row(learner: Any, x: Any, targets: list[float]) -> bool:
    """Take a step on one plain row by the short way, if there is one; say whether.

    The long way, a batch of one row, takes twenty times as long to look at the row
    as to learn it. What is not a finite array of the right size goes there.
    """
    if not _plain(learner, x):
        return False
    try:
        kind: Any = type(learner)
        values = tuple([getattr(learner, name) for name in _names(kind)])
        stride = _stride(kind, values)
    except TypeError:  # a parameter that cannot be remembered
        return False
    memory = Memory.copied(learner.memory_)
    keeps = {"mean": stride.pace[-1] > 0.0, "lasso": stride.lasso > 0.0}
    if not memory.suits((len(targets), x.size), **keeps):
        return False
    row, score = np.ascontiguousarray(x)[None, :], np.zeros(1)
    for k, target in enumerate(targets):
        y = np.array([target])
        stride.walk((row,), (y, _ONE, _FIRST, score), memory, k)
        memory.state[k, MISTAKES] += learner._wrong(y, score)
        memory.state[k, INCURRED] += stride.loss.value(y, score)[0]
    if not (np.isfinite(memory.stored).all() and np.isfinite(memory.state).all()):
        return False
    if (memory.state[:, SCALE] != 1.0).any() or memory.state[:, LAG].any():
        memory.settle()
    learner.n_iter_ = 1
    learner._adopt(memory, x.dtype)
    return True


def _plain(learner: Any, x: Any) -> bool:
    known = learner.__dict__
    return (
        type(x) is np.ndarray
        and x.ndim == 1
        and x.dtype in (np.float64, np.float32)
        and "memory_" in known
        and "feature_names_in_" not in known
        and getattr(learner, "class_weight", None) is None
        and bool(np.isfinite(x).all())
    )
