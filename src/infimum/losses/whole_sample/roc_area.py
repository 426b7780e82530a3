"""ROC area: the share of pairs of a positive and a negative in the wrong order."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.losses.whole_sample._sample_loss import SampleLoss, read_scores, two_sides
from infimum.typing import Mask, Vector

__all__ = ["RocArea"]


@dataclass(frozen=True)
class RocArea(SampleLoss):
    r"""Hinge loss of all pairs of a negative and a positive sample.

    .. math:: \ell(y, f) = \frac1{m_+ m_-} \sum_{y_i < y_j} \max(0, 1 + f_i - f_j)

    It is at least 1 - AUC, where a tie counts as a mistake. One sort serves all pairs:
    O(m log m). Weights mean repetition.

    Examples
    --------
    >>> RocArea().value([-1, 1, 1], [0.0, 2.0, 0.5])
    0.25
    """

    def evaluate(
        self, y: Any, f: Any, sample_weight: Any = None
    ) -> tuple[float, Vector]:
        signs = np.asarray(y)
        scores = read_scores("RocArea", f, len(signs))
        positive = signs > 0
        if positive.all() or not positive.any():
            raise DataError("RocArea needs samples of both classes.")
        if sample_weight is None:
            return _counted(scores, positive)
        w = np.asarray(sample_weight)
        shares = w / w[positive].sum(), w / w[~positive].sum()
        return two_sides(scores, np.where(positive, -shares[0], shares[1]))


def _counted(scores: Vector, positive: Mask) -> tuple[float, Vector]:
    """Return what `two_sides` does where every pair weighs the same: it only counts."""
    m = len(scores)
    joined = scores + 0.5
    joined -= positive
    order = np.argsort(joined)
    high = positive[order]
    before = np.cumsum(high, dtype=np.int32 if m < 1 << 31 else np.int64)
    n = int(before[-1])
    after = np.arange(1 - (m - n), n + 1, dtype=before.dtype) - before
    slopes = np.empty(m)
    slopes[order] = np.where(high, after, before) * (1.0 / (n * (m - n)))
    return float(slopes @ joined), slopes
