"""Curves that show a classifier at every threshold: ROC and calibration."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn import metrics

from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = [
    "CalibrationCurve",
    "RocCurve",
    "area_under_roc",
    "calibration_curve",
    "roc_curve",
]


@dataclass(frozen=True)
class RocCurve:
    """True positive rate against false positive rate, from the strictest threshold."""

    false_positive_rate: Vector
    true_positive_rate: Vector
    thresholds: Vector

    @property
    def area(self) -> float:
        """Probability that a random positive scores above a random negative."""
        return float(metrics.auc(self.false_positive_rate, self.true_positive_rate))


@dataclass(frozen=True)
class CalibrationCurve:
    """Promised against observed frequency, in groups of equally many rows."""

    promised: Vector
    observed: Vector
    counts: Vector

    @property
    def expected_error(self) -> float:
        """Average distance between promise and observation, weighted by rows."""
        distance = np.abs(self.promised - self.observed)
        return float(np.average(distance, weights=self.counts))


def roc_curve(positive: ArrayLike, scores: ArrayLike) -> RocCurve:
    """Return the ROC curve of `scores` for the rows where `positive` is true."""
    low, high, thresholds = metrics.roc_curve(np.asarray(positive, bool), scores)
    return RocCurve(low, high, thresholds)


def area_under_roc(truth: ArrayLike, scores: ArrayLike, classes: ArrayLike) -> float:
    """Return the area under the ROC curve, averaged over classes if there are many.

    `scores` has one number a row for two classes (high means the last of `classes`),
    else one column a class; a class that does not occur in `truth`, or is all of it,
    has no curve and is left out of the average.
    """
    labels, known = np.asarray(truth), np.asarray(classes)
    table = _columns(np.asarray(scores, dtype=float))
    ranked = known[-1:] if table.shape[1] == 1 else known
    areas = [
        _rank_area(labels == label, column)
        for label, column in zip(ranked, table.T, strict=True)
        if 0 < np.sum(labels == label) < len(labels)
    ]
    return float(np.mean(areas)) if areas else float("nan")


def calibration_curve(
    positive: ArrayLike, probabilities: ArrayLike, groups: int = 10
) -> CalibrationCurve:
    """Compare promised probabilities with observed frequencies.

    Rows are sorted by promise and cut into `groups` of nearly equal size; rows with the
    same promise stay together.
    """
    check_domain("calibration_curve's groups", groups, whole(1))
    happened = np.asarray(positive, dtype=float)
    promised = np.asarray(probabilities, dtype=float)
    group = _quantile_groups(promised, groups)
    counts = np.bincount(group).astype(float)
    return CalibrationCurve(
        promised=np.bincount(group, promised) / counts,
        observed=np.bincount(group, happened) / counts,
        counts=counts,
    )


def _rank_area(positive: NDArray[Any], scores: Vector) -> float:
    # The rank sum of the positives counts, for each, the rows it stands above and
    # half of those it ties with; without the positives themselves it is the pairs won.
    # No curve is built, which matters where thousands of models are compared.
    n = int(positive.sum())
    won = rankdata(scores)[positive].sum() - n * (n + 1) / 2
    return float(won / (n * (len(scores) - n)))


def _columns(scores: Matrix) -> Matrix:
    return scores[:, None] if scores.ndim == 1 else scores


def _quantile_groups(values: Vector, groups: int) -> NDArray[Any]:
    edges = np.unique(np.quantile(values, np.linspace(0, 1, groups + 1)[1:-1]))
    cut = np.searchsorted(edges, values, side="left")
    return np.unique(cut, return_inverse=True)[1]
