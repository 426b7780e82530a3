"""Contingency scores: losses above 1 - F, and above 1 - precision at k."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.losses.whole_sample._sample_loss import SampleLoss, read_scores
from infimum.parameters import or_none, positive, whole
from infimum.typing import Indices, Vector

__all__ = ["ContingencyScore"]


@dataclass(frozen=True)
class ContingencyScore(SampleLoss):
    r"""Structured loss of a score that only the table of right and wrong decides.

    .. math:: \ell(y, f) = \max_{y'} (y' - y)^\top f + \Delta(T_+, T_-)

    y' runs over all vectors of signs, T₊ and T₋ count where they agree with y.
    By default Δ is 1 - F, with F = (1 + β²)T₊/(T₊ + m₋ - T₋ + β²m₊); with `k` it is
    1 - T₊/k and y' has k positive signs. The loss is at least Δ of the signs of f (of
    the k highest scores). For given T₊ the objective is concave in T₋: all tables
    together take O(m log m).

    Parameters
    ----------
    beta : float, default=1.0
        How much recall counts beside precision.
    k : int or None
        Precision among the k highest scores instead of F.

    Examples
    --------
    >>> ContingencyScore().value([1, -1], [2.0, -2.0])
    0.0
    """

    beta: float = field(default=1.0, metadata={"domain": positive})
    k: int | None = field(default=None, metadata={"domain": or_none(whole(1))})

    def evaluate(self, y: Any, f: Any) -> tuple[float, Vector]:
        signs = np.where(np.asarray(y) > 0, 1.0, -1.0)
        scores = read_scores("ContingencyScore", f, len(signs))
        right, wrong = np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)
        if len(right) == 0 or len(wrong) == 0:
            raise DataError("ContingencyScore needs samples of both classes.")
        if self.k is not None and self.k > len(signs):
            raise DataError(
                f"ContingencyScore.k is {self.k}, but there are {len(signs)} samples."
            )
        right = right[np.argsort(-scores[right], kind="stable")]
        wrong = wrong[np.argsort(scores[wrong], kind="stable")]
        lost = 2.0 * _tails(scores[right])
        won = 2.0 * _tails(scores[wrong])
        kept, tables = self._tables(lost, won)
        best = int(np.argmax(tables))
        answer = signs.copy()
        answer[right[best:]] = -1.0
        answer[wrong[kept[best] :]] = 1.0
        return float(tables[best]), answer - signs

    def cost(self, y: Any, answer: Any) -> float:
        """Return Δ of an answer of signs."""
        signs, said = np.asarray(y) > 0, np.asarray(answer) > 0
        agreed = np.array([np.sum(signs & said)]), np.array([np.sum(~signs & ~said)])
        return float(self._costs(*agreed, int(signs.sum()), int((~signs).sum()))[0])

    def _costs(self, i: Indices, j: Indices, m: int, n: int) -> Vector:
        if self.k is not None:
            return np.asarray(1.0 - i / self.k)
        square = self.beta**2
        return np.asarray(1.0 - (1.0 + square) * i / (i + n - j + square * m))

    def _tables(self, lost: Vector, won: Vector) -> tuple[Indices, Vector]:
        """Return the best T₋ for every T₊, and the value there."""
        m, n = len(lost) - 1, len(won) - 1
        i = np.arange(m + 1)
        if self.k is not None:
            j = i + n - self.k
            real = (j >= 0) & (j <= n)
            j = np.clip(j, 0, n)
            value = self._costs(i, j, m, n) - lost + won[j]
            return j, np.where(real, value, -np.inf)
        low, high = np.zeros(m + 1, dtype=np.intp), np.full(m + 1, n)
        while (low < high).any():  # the slope falls: the maximum is where it turns
            middle = (low + high) // 2
            ahead = np.minimum(middle + 1, n)
            rise = self._costs(i, ahead, m, n) - self._costs(i, middle, m, n)
            rises = (rise + won[ahead] - won[middle] > 0.0) & (middle < n)
            low, high = np.where(rises, middle + 1, low), np.where(rises, high, middle)
            low = np.minimum(low, high)
        return low, self._costs(i, low, m, n) - lost + won[low]


def _tails(values: Vector) -> Vector:
    """Return the sum of all values from each place on, and 0 beyond the last."""
    return np.concatenate([np.cumsum(values[::-1])[::-1], [0.0]])
