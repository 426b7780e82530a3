"""Additive multilabel hinge loss: every label of the set against every one outside."""

from dataclasses import dataclass

import numpy as np

from infimum.losses.multiclass._constant_scores import best_pairwise_scores
from infimum.losses.multilabel._label_sets import LabelRanking
from infimum.typing import Matrix, Vector

__all__ = ["AdditiveMultilabelHinge"]


@dataclass(frozen=True)
class AdditiveMultilabelHinge(LabelRanking):
    r"""Sum of the hinges of all labels of the set against all labels outside.

    .. math:: \ell(Y, f) = \sum_{a \in Y} \sum_{b \notin Y} \max(0,\; 1 - f_a + f_b)

    Targets are rows of zeros and ones, one entry for each of `labels`. With one label
    per set it is the additive multiclass hinge loss.

    Slopes are sums of flows between 0 and 1 along the pairs; by Gale's theorem they
    exist exactly when the j labels that give most give no more than the others can
    take from j labels, for every j.

    Examples
    --------
    >>> import numpy as np
    >>> loss = AdditiveMultilabelHinge(3)
    >>> loss.value(np.array([[1, 1, 0]]), np.array([[2.0, 0.5, 0.0]]))
    array([0.5])
    """

    def value(self, y: Matrix, f: Matrix) -> Vector:
        return np.asarray(np.maximum(self._shortfalls(y, f), 0.0).sum(axis=(1, 2)))

    def derivative(self, y: Matrix, f: Matrix) -> Matrix:
        flows = (self._shortfalls(y, f) > 0.0).astype(np.float64)
        return np.asarray(flows.sum(axis=1) - flows.sum(axis=2))

    def planes(self, y: Matrix) -> tuple[Matrix, Matrix] | None:
        leads, margins = self._leads(y)
        slopes = np.zeros((len(y), len(leads), 2, self.labels))
        heights = np.zeros((len(y), len(leads), 2))
        slopes[:, :, 1], heights[:, :, 1] = leads, margins
        return slopes, heights

    def best_constant(self, y: Matrix, weights: Vector | None = None) -> Vector:
        return best_pairwise_scores(self._pairs(y, weights))

    def slack(self, y: Matrix, s: Matrix) -> Vector:
        inside = y > 0
        members, others = inside.sum(axis=1), (~inside).sum(axis=1)
        flow = np.where(inside, -s, s)
        room = np.minimum(
            flow.min(axis=1),
            np.where(inside, np.inf, members[:, None] - s).min(axis=1),
        )
        most = np.sort(np.where(inside, -s, 0.0), axis=1)[:, ::-1].cumsum(axis=1)
        for j in range(1, self.labels):
            able = np.where(inside, 0.0, np.minimum(s, float(j))).sum(axis=1)
            left = (able - most[:, j - 1]) / (j + others)
            room = np.where(j < members, np.minimum(room, left), room)
        mixed = (members > 0) & (others > 0)
        return np.asarray(np.where(mixed, room, -np.abs(s).max(axis=1)))

    @staticmethod
    def _shortfalls(y: Matrix, f: Matrix) -> Matrix:
        """Return 1 - f_a + f_b for a in the set and b outside, else 0."""
        pairs = (y > 0)[:, :, None] & (y <= 0)[:, None, :]
        return np.asarray(np.where(pairs, 1.0 - f[:, :, None] + f[:, None, :], 0.0))
