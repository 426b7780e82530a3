"""Multilabel hinge loss: the last label of the set must beat the first outside."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from infimum.losses.multiclass._constant_scores import distinct_rows, least_cost_scores
from infimum.losses.multilabel._label_sets import LabelRanking
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MultilabelHinge"]


@dataclass(frozen=True)
class MultilabelHinge(LabelRanking):
    r"""Largest hinge of a label of the set against one outside.

    .. math:: \ell(Y, f) = \max\Bigl(0,\; 1 - \min_{a \in Y} f_a
              + \max_{b \notin Y} f_b\Bigr)

    Targets are rows of zeros and ones, one entry for each of `labels`. The loss is 0
    when every label of the set leads every other by 1. With one label per set it is
    the multiclass hinge loss; an empty or full set costs nothing.

    Examples
    --------
    >>> import numpy as np
    >>> MultilabelHinge(3).value(np.array([[1, 1, 0]]), np.array([[2.0, 0.5, 0.0]]))
    array([0.5])

    References
    ----------
    Elisseeff & Weston (2001), NeurIPS.
    """

    def value(self, y: Matrix, f: Matrix) -> Vector:
        last, first = self._rivals(y, f)
        rows = np.arange(len(f))
        gap = 1.0 - f[rows, last] + f[rows, first]
        return np.asarray(np.where(self._mixed(y), np.maximum(gap, 0.0), 0.0))

    def derivative(self, y: Matrix, f: Matrix) -> Matrix:
        last, first = self._rivals(y, f)
        pull = (self.value(y, f) > 0.0).astype(np.float64)
        slopes, rows = np.zeros(f.shape), np.arange(len(f))
        slopes[rows, first] += pull
        slopes[rows, last] -= pull
        return slopes

    def planes(self, y: Matrix) -> tuple[Matrix, Matrix] | None:
        leads, margins = self._leads(y)
        slopes = np.zeros((len(y), 1, len(leads) + 1, self.labels))
        heights = np.zeros((len(y), 1, len(leads) + 1))
        slopes[:, 0, 1:], heights[:, 0, 1:] = leads, margins
        return slopes, heights

    def best_constant(self, y: Matrix, weights: Vector | None = None) -> Vector:
        sets, shares, _ = distinct_rows(y, weights)
        pairs = [
            (u, a, b)
            for u, row in enumerate(sets)
            for a in np.flatnonzero(row > 0)
            for b in np.flatnonzero(row <= 0)
        ]
        if not pairs:
            return np.zeros(self.labels)
        which, winners, losers = np.array(pairs).T
        rows = np.arange(len(pairs))
        lead = np.zeros((len(pairs), self.labels))
        lead[rows, winners], lead[rows, losers] = 1.0, -1.0
        slack = csr_array(
            (np.ones(len(pairs)), (rows, which)), shape=(len(pairs), len(sets))
        )
        margin = np.ones(len(pairs))
        return least_cost_scores(csr_array(lead), slack, margin, shares)

    def slack(self, y: Matrix, s: Matrix) -> Vector:
        flow = np.where(y > 0, -s, s)
        outside = (y <= 0).sum(axis=1)
        left = 1.0 - np.where(y > 0, 0.0, s).sum(axis=1)
        room = np.minimum(flow.min(axis=1), left / np.maximum(outside, 1))
        still = -np.abs(s).max(axis=1)
        return np.asarray(np.where(self._mixed(y), room, still))

    @staticmethod
    def _mixed(y: Matrix) -> Vector:
        return np.asarray((y > 0).any(axis=1) & (y <= 0).any(axis=1))

    @staticmethod
    def _rivals(y: Matrix, f: Matrix) -> tuple[Indices, Indices]:
        last = np.where(y > 0, f, np.inf).argmin(axis=1)
        return last, np.where(y > 0, -np.inf, f).argmax(axis=1)
