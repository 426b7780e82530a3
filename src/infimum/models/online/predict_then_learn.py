"""Predict, then learn: how good a learner is on a stream, drift included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Vector

__all__ = ["StreamScore", "predict_then_learn"]


@dataclass(frozen=True, eq=False)
class StreamScore:
    """What a learner answered to each row before it was told, and what that cost.

    Attributes
    ----------
    predictions : ndarray of shape (n,)
        The answers, each given before the row was learnt.
    losses : ndarray of shape (n,)
        1 for a wrong label and 0 for a right one; squared errors of numbers.
    """

    predictions: NDArray[Any]
    losses: Vector

    @property
    def mean(self) -> float:
        """The mean loss over the whole stream."""
        return float(self.losses.mean())

    def recent(self, window: int) -> Vector:
        """Return the mean loss of the last `window` rows at each row: drift shows."""
        check_domain("StreamScore.recent window", window, whole(1))
        sums = np.concatenate([[0.0], np.cumsum(self.losses)])
        ends = np.arange(1, len(self.losses) + 1)
        begins = np.maximum(ends - int(window), 0)
        return np.asarray((sums[ends] - sums[begins]) / (ends - begins))


def predict_then_learn(
    model: Any, X: Any, y: Any, *, batch: int = 1, classes: Any = None
) -> StreamScore:
    """Let a model answer each row before it learns it; every row is test, then train.

    No row is judged by a model that has seen it, and none is put aside, so that the
    mean loss is honest on a stream whose law changes.

    Parameters
    ----------
    model : estimator with partial_fit
        It learns from the first batch, which is not judged unless it is fitted already.
    X, y : array-like or sparse matrix, array-like
        The stream, in its order.
    batch : int, default=1
        Rows that come together.
    classes : array-like, optional
        All labels that may come; those of y when None, for classifiers.

    Returns
    -------
    StreamScore
        For the rows that were judged.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.online import Perceptron
    >>> X = np.tile([[1.0, 0.0], [0.0, 1.0]], (10, 1))
    >>> predict_then_learn(Perceptron(), X, np.tile([0, 1], 10)).losses.sum()
    np.float64(1.0)
    """
    check_domain("predict_then_learn batch", batch, whole(1))
    targets, rows = np.asarray(y), X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    if rows.shape[0] != len(targets) or not len(targets):
        raise DataError(
            f"predict_then_learn needs one target per row and a row at least, got "
            f"{rows.shape[0]} rows and {len(targets)} targets."
        )
    labels = bool(is_classifier(model))
    known: dict[str, Any] = {}
    if labels:
        known["classes"] = np.unique(targets) if classes is None else classes
    answers: list[NDArray[Any]] = []
    first = 0 if hasattr(model, "coef_") else min(int(batch), len(targets))
    if first:
        model.partial_fit(rows[:first], targets[:first], **known)
    for begin in range(first, len(targets), int(batch)):
        part = slice(begin, begin + int(batch))
        answers.append(np.asarray(model.predict(rows[part])))
        _learn(model, rows[part], targets[part], known)
    found = np.concatenate(answers) if answers else targets[:0]
    truth = targets[first:]
    losses = found != truth if labels else (found - truth) ** 2
    return StreamScore(found, np.asarray(losses, dtype=np.float64))


def _learn(model: Any, rows: Any, targets: NDArray[Any], known: dict[str, Any]) -> None:
    """Let a fitted model learn a batch; a single row by its short way, if any."""
    if len(targets) == 1 and hasattr(model, "learn_one"):
        model.learn_one(rows if hasattr(rows, "tocsr") else rows[0], targets[0])
    else:
        model.partial_fit(rows, targets, **known)
