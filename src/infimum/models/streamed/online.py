"""Learners of single rows on streamed ones: leaf after leaf, in their order."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from infimum.compiled.rows import rows_of
from infimum.data.doors.labels import class_factors, sign_rows
from infimum.data.doors.streamed_rows import admit_streamed, known_classes
from infimum.errors import DataError, IncompatibleError, Interrupted
from infimum.limits import time_is_up
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.online._learner import Task
from infimum.models.online._memory import Memory
from infimum.models.online._stride import Stride
from infimum.objectives.streamed_passes import Reading
from infimum.typing import Matrix

__all__ = ["fit_online"]


def fit_online(model: Any, rows: Any, *given: Any, **named: Any) -> Any:
    """Learn streamed rows one after another; return the model.

    The rows come in their order, whatever `shuffle` says: it is the same model, bit by
    bit, as that of ``shuffle=False`` in memory.
    """
    with unchanged_on_failure(model):
        model._check()
        if getattr(model, "early_stopping", False):
            raise IncompatibleError(
                f"{type(model).__name__} takes streamed rows with early_stopping=False."
            )
        admit_streamed(model, rows, (*given, *named.values()))
        run = _Run(model, rows)
        interrupted = False
        try:
            run.learn()
        except KeyboardInterrupt:
            if not run.turns:
                raise
            interrupted = True
        run.memory.settle()
        model.n_iter_ = run.turns
        model._keep(run.memory, np.dtype(np.float64))
        if not run.labels:
            model.coef_ = model.coef_.ravel()
        if interrupted:
            raise Interrupted(model)
    return model


class _Run:
    """The memory of a learner, and how far each of its scores has come."""

    def __init__(self, model: Any, rows: Any) -> None:
        self.model, self.rows = model, rows
        self.labels = not model._estimator_type_is_regressor()
        factors, total, numbers = None, rows.statistics.total, None
        self.classes = 0
        if self.labels:
            owner = type(model).__name__
            model.classes_, numbers, weights = known_classes(owner, rows)
            self.classes = len(model.classes_)
            if model.class_weight is not None:
                codes = np.arange(self.classes)
                factors = class_factors(
                    owner, model.class_weight, model.classes_, codes, weights
                )
                total = float(weights @ factors)
        elif rows.spooled.words is not None:
            raise DataError(f"{type(model).__name__} needs numbers as targets.")
        # Weights of mean 1: the length of a step belongs to the schedule.
        self.reading = Reading(total / rows.n_rows, numbers, None, factors)
        self.count = self.classes if self.classes > 2 else 1  # noqa: PLR2004
        shape = self.count, rows.n_features
        self.memory: Memory = model._start(shape, None, None)
        #: Passes that were made.
        self.turns = 0

    def learn(self) -> None:
        """Pass over the rows until nothing improves."""
        model, loss = self.model, self.model._stream_loss()
        strides: list[Any] = [Stride.of(model, model._schedule(loss))] * self.count
        best, idle = np.full(self.count, np.inf), np.zeros(self.count, dtype=int)
        active, most = list(range(self.count)), int(model.max_iter)
        while active and self.turns < most and not (self.turns and time_is_up()):
            costs = self._turn(active, strides)
            self.turns += 1
            for k in list(active) if model.tol is not None else ():
                enough = model.tol * self.rows.n_rows
                idle[k] = idle[k] + 1 if costs[k] > best[k] - enough else 0
                best[k] = min(best[k], costs[k])
                if idle[k] >= model.n_iter_no_change:
                    strides[k], idle[k] = strides[k].shorter(), 0
                    if strides[k] is None:
                        active.remove(k)
        if active and model.tol is not None and not time_is_up():
            warnings.warn(
                f"{type(model).__name__} was still improving after {most} passes; "
                "raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=5,
            )

    def _turn(self, active: list[int], strides: list[Any]) -> Any:
        """Visit all rows once; return the cost of each score."""
        model, costs = self.model, np.zeros(self.count)
        for leaf in self.rows.leaves():
            y, weights = self.reading(leaf)
            targets = self._targets(y)
            table = np.tile(weights, (self.count, 1))
            order = np.arange(len(y))
            task = Task(rows_of(leaf.X), targets, table, order, order[:0])
            for k in active:
                scores = model._pass(task, k, self.memory, order, strides[k])
                met = model._stream_loss().value(targets[k], scores)
                costs[k] += float(met @ weights)
        ridge, lasso = model._strengths()
        for k in active:
            w = self.memory.stored[k] * self.memory.state[k, 1]
            price = 0.5 * ridge * float(w @ w) + lasso * float(np.abs(w).sum())
            costs[k] += self.rows.n_rows * price
        return costs

    def _targets(self, y: Any) -> Matrix:
        if not self.labels:
            return np.array(y)[None, :]
        return np.asarray(sign_rows(y.astype(np.intp), self.classes))
