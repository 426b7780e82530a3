"""Base of linear classifiers learnt row by row."""

from __future__ import annotations

from abc import ABC
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from infimum.data.doors import labelled, streams, winners
from infimum.data.doors.batches import known_classes
from infimum.data.doors.labels import sign_rows
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.online._learner import OnlineLinear
from infimum.models.online._run import learn_row, row_from
from infimum.models.online._stride import Stride
from infimum.typing import Matrix, Vector

__all__ = ["OnlineClassifier"]


class OnlineClassifier(ClassifierMixin, OnlineLinear, ABC):  # type: ignore[misc]
    """A linear classifier of a stream; several classes go one against the rest."""

    classes_: Any
    class_weight: Any

    @whole_or_not_at_all
    def _fit(
        self, X: Any, y: Any, start: tuple[Any, Any], sample_weight: Any = None
    ) -> Self:
        self._check()
        rule = {"class_weight": self.class_weight, **self._trust(sample_weight)}
        found = labelled(self, X, y, sample_weight, **rule)
        X, weights, self.classes_ = found.X, found.shares(), found.classes
        # Weights of mean 1, so that doubling them all is doubling the data: the
        # length of a step belongs to the schedule.
        seen = weights > 0
        weights = weights / weights[seen].mean() if seen.any() else weights
        targets = sign_rows(found.y, len(self.classes_))
        task = self._task(X, targets, np.tile(weights, (len(targets), 1)), split=True)
        memory = self._start((len(targets), X.shape[1]), *start)
        self.n_iter_ = self._learn(task, memory)
        self._keep(memory, X.dtype)
        return self

    @whole_or_not_at_all
    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        self._check()
        self._refuse_early_stopping()
        kept = getattr(self, "memory_", None)
        rule = {"class_weight": self.class_weight, **self._trust(sample_weight)}
        rule |= {"first": kept is None, "door": labelled}
        found = streams(self, X, y, sample_weight, classes, **rule)
        X, weights, self.classes_ = found.X, found.shares(), found.classes
        targets = sign_rows(found.y, len(self.classes_))
        task = self._task(X, targets, np.tile(weights, (len(targets), 1)), split=False)
        shape = (len(targets), X.shape[1])
        memory = self._recall(shape, kept)
        stride = Stride.of(self, self._schedule(self._stream_loss()))
        for k in range(len(targets)):
            self._pass(task, k, memory, task.rows, stride)
        memory.settle()
        self.n_iter_ = 1
        self._keep(memory, X.dtype)
        return self

    def learn_one(self, x: Any, y: Any, classes: Any = None) -> Self:
        """Take one step on one sample, as `partial_fit` with a single row does.

        Weights change in place: ``coef_`` taken before shows those after, too.

        Parameters
        ----------
        x : array-like of shape (n_features,), a sparse row, or a dictionary
            The sample. A dictionary tells what is not 0 by the numbers of the
            features, or by their names if they came with any.
        y : label
            Its class.
        classes : array-like, optional
            All classes that may come; needed at the first call.
        """
        if classes is not None and hasattr(self, "memory_"):
            known_classes(type(self).__name__, self.classes_, classes)
        if learn_row(self, x, y):
            return self
        return self._partial_fit(row_from(self, x), [y], classes, None)

    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        scores: Matrix = self._scores_of(X)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        found = winners(self.decision_function(X))
        return np.asarray(self.classes_[found])

    def _judge(self, targets: Vector, scores: Vector, weights: Vector) -> float:
        return float(np.average(targets * scores > 0, weights=weights))

    def _wrong(self, targets: Vector, scores: Vector) -> int:
        return int(np.count_nonzero(targets * scores <= 0))
