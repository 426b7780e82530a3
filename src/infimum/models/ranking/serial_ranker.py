"""SerialRank: items that win against the same others stand beside each other."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._ranker import Ranker
from infimum.models.ranking.comparisons import accept_comparisons
from infimum.models.ranking.kemeny_ranker import violations
from infimum.typing import Matrix

__all__ = ["SerialRanker", "match_similarity"]


class SerialRanker(Ranker):
    r"""Spectral ranking: the Fiedler vector of how alike items compare.

    .. math:: S_{ij} = \sum_k \frac{1 + C_{ik} C_{jk}}2

    for the matrix C of signs of who beat whom. Sorting the second eigenvector of the
    Laplacian of S finds the exact order if all comparisons are there and true, and
    often if some are wrong.

    Attributes
    ----------
    items_, scores_, order_, ranking_

    Examples
    --------
    >>> games = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    >>> SerialRanker().fit(games).ranking_
    ['a', 'b', 'c', 'd']

    References
    ----------
    Fogel, d'Aspremont & Vojnovic (2014), NIPS 27.
    """

    @whole_or_not_at_all
    def fit(self, games: Any, sample_weight: Any = None) -> Self:
        """Find the order; return self. Games are as in `BradleyTerryRanker.fit`."""
        given = accept_comparisons("SerialRanker", games, sample_weight)
        C = given.signs()
        S = match_similarity(C)
        L = np.diag(S.sum(axis=1)) - S
        scores = np.linalg.eigh(L)[1][:, 1]
        W = given.matrix()
        order = np.argsort(-scores, kind="stable")
        if violations(W, order[::-1]) < violations(W, order):
            scores = -scores
        self.items_, self.scores_ = list(given.items), np.asarray(scores)
        return self


def match_similarity(C: Any) -> Matrix:
    """Return how many others two items compare with alike, from signs in C.

    Examples
    --------
    >>> match_similarity([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]])
    array([[2.5, 2. , 1. ],
           [2. , 2.5, 2. ],
           [1. , 2. , 2.5]])
    """
    signs = np.asarray(C, dtype=np.float64)
    return np.asarray(0.5 * (len(signs) + signs @ signs.T))
