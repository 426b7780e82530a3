"""Confusion matrices: how often each class was predicted for each true class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics

from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = ["ConfusionTable", "confusion_matrix", "confusion_table"]


@dataclass(frozen=True)
class ConfusionTable:
    """The four counts of a two-class test, and every rate made of them.

    A rate whose denominator is 0 is 0: nothing was found where nothing was there.
    """

    true_positives: int
    false_negatives: int
    false_positives: int
    true_negatives: int

    @property
    def positives(self) -> int:
        """Rows that are positive, found or missed."""
        return self.true_positives + self.false_negatives

    @property
    def negatives(self) -> int:
        """Rows that are negative, spared or accused."""
        return self.false_positives + self.true_negatives

    @property
    def error_rate(self) -> float:
        """Share of all rows that were taken for the other class."""
        wrong = self.false_negatives + self.false_positives
        return _share(wrong, self.positives + self.negatives)

    @property
    def recall(self) -> float:
        """Share of the positives that was found (true positive rate, sensitivity)."""
        return _share(self.true_positives, self.positives)

    @property
    def specificity(self) -> float:
        """Share of the negatives that was spared (true negative rate)."""
        return _share(self.true_negatives, self.negatives)

    @property
    def false_positive_rate(self) -> float:
        """Share of the negatives that was accused."""
        return _share(self.false_positives, self.negatives)

    @property
    def false_negative_rate(self) -> float:
        """Share of the positives that was missed."""
        return _share(self.false_negatives, self.positives)

    @property
    def precision(self) -> float:
        """Share of the alarms that was right (positive predictive value)."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def negative_predictive_value(self) -> float:
        """Share of the all-clears that was right."""
        return _share(self.true_negatives, self.true_negatives + self.false_negatives)


def confusion_table(
    truth: ArrayLike, predicted: ArrayLike, positive: Any = 1
) -> ConfusionTable:
    """Count the four outcomes of telling `positive` from everything else."""
    actual = np.asarray(truth) == positive
    alarmed = np.asarray(predicted) == positive
    if actual.shape != alarmed.shape:
        message = f"{actual.shape} true and {alarmed.shape} predicted labels"
        raise DataError(f"confusion_table needs one prediction a row, got {message}.")
    return ConfusionTable(
        true_positives=int(np.sum(actual & alarmed)),
        false_negatives=int(np.sum(actual & ~alarmed)),
        false_positives=int(np.sum(~actual & alarmed)),
        true_negatives=int(np.sum(~actual & ~alarmed)),
    )


def confusion_matrix(
    truth: ArrayLike,
    predicted: ArrayLike,
    classes: Sequence[Any] | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> Matrix:
    """Return how many rows of each class (row) were taken for each class (column)."""
    counts = metrics.confusion_matrix(
        truth, predicted, labels=classes, normalize=normalize
    )
    return np.asarray(counts, dtype=float)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
