"""Base of linear regressors learnt row by row."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from infimum.data.doors import measured, samples, streams
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.online._learner import OnlineLinear
from infimum.models.online._memory import Memory
from infimum.models.online._run import learn_row, row_from
from infimum.models.online._sparse_weights import products
from infimum.models.online._stride import Stride
from infimum.typing import Vector

__all__ = ["OnlineRegressor"]


class OnlineRegressor(RegressorMixin, OnlineLinear, ABC):  # type: ignore[misc]
    """A linear regressor of a stream."""

    @whole_or_not_at_all
    def _fit(
        self, X: Any, y: Any, start: tuple[Any, Any], sample_weight: Any = None
    ) -> Self:
        self._check()
        found = measured(self, X, y, sample_weight, **self._trust(sample_weight))
        X, weights = found.X, found.shares()
        # Weights of mean 1: the length of a step belongs to the schedule.
        weights = weights / weights[weights > 0].mean()
        task = self._task(X, found.y[None, :], weights[None, :], split=True)
        memory = self._start((1, X.shape[1]), *start)
        self.n_iter_ = self._learn(task, memory)
        self._show(memory, X.dtype)
        return self

    @whole_or_not_at_all
    def _partial_fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        self._check()
        self._refuse_early_stopping()
        kept = getattr(self, "memory_", None)
        rule = {"first": kept is None, "door": measured, **self._trust(sample_weight)}
        found = streams(self, X, y, sample_weight, **rule)
        X, weights = found.X, found.shares()
        task = self._task(X, found.y[None, :], weights[None, :], split=False)
        shape = (1, X.shape[1])
        memory = self._recall(shape, kept)
        stride = Stride.of(self, self._schedule(self._stream_loss()))
        self._pass(task, 0, memory, task.rows, stride)
        memory.settle()
        self.n_iter_ = 1
        self._show(memory, X.dtype)
        return self

    def learn_one(self, x: Any, y: Any) -> Self:
        """Take one step on one sample, as `partial_fit` with a single row does.

        Weights change in place: ``coef_`` taken before shows those after, too.

        Parameters
        ----------
        x : array-like of shape (n_features,), a sparse row, or a dictionary
            The sample. A dictionary tells what is not 0 by the numbers of the
            features, or by their names if they came with any.
        y : float
            Its target.
        """
        if learn_row(self, x, y):
            return self
        return self._partial_fit(row_from(self, x), [y], None)

    def predict(self, X: Any) -> Vector:
        """Return the score of each sample."""
        rows = samples(self, X)
        return np.asarray(products(self, rows, self.coef_).ravel() + self.intercept_)

    def _show(self, memory: Memory, dtype: Any) -> None:
        self._keep(memory, dtype)
        self.coef_ = self.coef_.ravel()

    def _judge(self, targets: Vector, scores: Vector, weights: Vector) -> float:
        return float(r2_score(targets, scores, sample_weight=weights))

    def _wrong(self, targets: Vector, scores: Vector) -> int:
        # A number is hardly ever hit exactly; mistakes are counted for labels only.
        return 0
