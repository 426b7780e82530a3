"""Ordinal pairs: the price of samples of different levels in the wrong order."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.losses.whole_sample._sample_loss import SampleLoss, read_scores, two_sides
from infimum.parameters import Choice
from infimum.typing import Vector

__all__ = ["OrdinalPairs"]


@dataclass(frozen=True)
class OrdinalPairs(SampleLoss):
    r"""Hinge loss of all pairs of samples whose levels differ.

    .. math:: \ell(y, f) = \frac1M \sum_{y_i < y_j} C(y_i, y_j) \max(0, 1 + f_i - f_j)

    M is the number of such pairs. `costs` is C: 1 for every pair ("constant") or the
    distance of the levels ("linear"). With two levels this is `RocArea`. A sort for
    each pair of levels. Weights mean repetition.

    Examples
    --------
    >>> OrdinalPairs().value([1, 2, 3], [0.0, 0.0, 2.0])
    0.3333333333333333
    """

    costs: str = field(
        default="constant", metadata={"domain": Choice(("constant", "linear"))}
    )

    def evaluate(
        self, y: Any, f: Any, sample_weight: Any = None
    ) -> tuple[float, Vector]:
        levels = np.asarray(y, dtype=np.float64)
        w = np.ones(len(levels)) if sample_weight is None else np.asarray(sample_weight)
        scores = read_scores("OrdinalPairs", f, len(levels))
        value, slopes, pairs = 0.0, np.zeros(len(scores)), 0.0
        for a, b in combinations(np.unique(levels), 2):
            low, high = levels == a, levels == b
            cost = float(b - a) if self.costs == "linear" else 1.0
            both = low | high
            signed = np.where(low, cost * w, -w)[both]
            part, pull = two_sides(scores[both], signed)
            value += part
            slopes[both] += pull
            pairs += float(w[low].sum()) * float(w[high].sum())
        if pairs == 0.0:
            raise DataError("OrdinalPairs needs samples of two levels or more.")
        return value / pairs, slopes / pairs

    def mistakes(self, y: Any, f: Any) -> float:
        """Return the mean cost of pairs in the wrong order, ties not counted."""
        levels, scores = np.asarray(y, dtype=np.float64), np.asarray(f)
        wanted = levels[:, None] < levels[None, :]
        gaps = np.where(wanted, levels[None, :] - levels[:, None], 0.0)
        costs = gaps if self.costs == "linear" else wanted.astype(np.float64)
        wrong = scores[:, None] > scores[None, :]
        return float((costs * wrong).sum() / wanted.sum())
