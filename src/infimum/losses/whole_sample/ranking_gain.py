"""Ranking gain: the price of an order of documents, most of all at its top."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from infimum.errors import DataError
from infimum.losses.whole_sample._sample_loss import SampleLoss, read_scores
from infimum.parameters import Choice, opened, or_none, whole
from infimum.typing import Vector

__all__ = ["RankingGain"]


@dataclass(frozen=True)
class RankingGain(SampleLoss):
    r"""Structured loss above 1 minus a measure of the order by score.

    .. math:: \ell(y, f) = \max_\pi \sum_d (c_{\pi(d)} f_d - a_{\pi(d)} b_d)
              - \sum_d (c_{\rho(d)} f_d - a_{\rho(d)} b_d)

    π runs over all ranks of the documents, ρ is the order by relevance y, the mean of
    all such orders where documents are equally relevant. The weight of a rank is a,
    what a document is worth there b, and c falls with the rank; the best π is a linear
    assignment. The loss is at least `measure` of the best order minus that of the order
    by f, both normalised.

    Parameters
    ----------
    gain : {"ndcg", "precision", "mrr", "utility"}, default="ndcg"
        Discounted cumulative gain with 2ʸ - 1; precision, y > 0 being relevant;
        reciprocal rank of what is most relevant; expected rank utility,
        whose readers halve from rank to rank at a pace of `half_life`.
    k : int or None
        How many ranks count; None for all.
    half_life : float, default=5.0
        The rank at which half of the readers still look.

    Examples
    --------
    >>> round(RankingGain().measure([3, 2, 0], [0.1, 0.9, 0.5]), 4)
    0.7309
    """

    gain: str = field(
        default="ndcg",
        metadata={"domain": Choice(("ndcg", "precision", "mrr", "utility"))},
    )
    k: int | None = field(default=None, metadata={"domain": or_none(whole(1))})
    half_life: float = field(default=5.0, metadata={"domain": opened(1, 1e6)})

    def evaluate(self, y: Any, f: Any) -> tuple[float, Vector]:
        levels = np.asarray(y, dtype=np.float64)
        scores = read_scores("RankingGain", f, len(levels))
        order = np.argsort(-levels, kind="stable")
        a, b, c = self.weights(levels)
        ranked, worth = scores[order], b[order]
        prices = np.outer(c, ranked) - np.outer(a, worth)
        ranks, documents = linear_sum_assignment(prices, maximize=True)
        # Documents of the same relevance share their ranks.
        _, tied = np.unique(levels, return_inverse=True)
        counts = np.bincount(tied)
        shared = np.bincount(tied[order], c)[tied] / counts[tied]
        ideal = shared @ scores - a @ worth
        slopes = np.zeros(len(scores))
        slopes[order[documents]] = c[ranks]
        slopes -= shared
        value = prices[ranks, documents].sum() - ideal
        return max(float(value), 0.0), slopes

    def evaluate_queries(self, y: Any, f: Any, queries: Any) -> tuple[float, Vector]:
        """Return the mean over queries, and its subgradient; documents by query."""
        levels, scores = np.asarray(y), np.asarray(f, dtype=np.float64)
        kinds, places = np.unique(np.asarray(queries), return_inverse=True)
        value, slopes = 0.0, np.zeros(len(scores))
        for k in range(len(kinds)):
            rows = np.flatnonzero(places == k)
            part, slopes[rows] = self.evaluate(levels[rows], scores[rows])
            value += part
        return value / len(kinds), slopes / len(kinds)

    def measure(self, y: Any, f: Any) -> float:
        """Return the measure of the order by falling score, 1 for the best order."""
        levels = np.asarray(y, dtype=np.float64)
        a, b, _ = self.weights(levels)
        order = np.argsort(-read_scores("RankingGain", f, len(levels)), kind="stable")
        return float(a @ b[order])

    def weights(self, levels: Vector) -> tuple[Vector, Vector, Vector]:
        """Return a and c by rank, and b by document, so that the best order has 1."""
        if len(levels) == 0:
            raise DataError("RankingGain needs one document or more.")
        ranks: Vector = np.arange(1.0, len(levels) + 1)
        a: Vector
        b: Vector
        if self.gain == "ndcg":
            a, b = 1.0 / np.log2(ranks + 1.0), np.exp2(levels) - 1.0
        elif self.gain == "precision":
            a, b = np.ones(len(ranks)), (levels > 0) * 1.0
        elif self.gain == "mrr":
            a, b = 1.0 / ranks, (levels == levels.max()) * 1.0
        else:
            a = np.exp2(-(ranks - 1.0) / (self.half_life - 1.0))
            b = np.maximum(levels, 0.0)
        a = np.where(ranks <= (self.k or len(ranks)), a, 0.0)
        best = float(a @ -np.sort(-b))
        if best <= 0.0:
            raise DataError("RankingGain needs a relevant document.")
        return a, b / best, ranks**-0.25
