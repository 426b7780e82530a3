"""Rank centrality: items by how long a walk towards winners stays at them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.graph import stationary_law
from infimum.models.ranking._ranker import Ranker
from infimum.models.ranking.comparisons import accept_comparisons

__all__ = ["RankCentrality"]


class RankCentrality(Ranker):
    r"""Scores log π, for the stationary law π of a walk that steps to winners.

    From i it goes to j with probability proportional to the share of games that j won
    against i. If games follow Bradley and Terry's model, π tends to their
    :math:`e^u / \sum e^u`.

    Attributes
    ----------
    items_, order_, ranking_
    scores_ : ndarray of shape (n_items,)
        Mean 0.

    Examples
    --------
    >>> games = ["ab", "ab", "ba", "bc", "bc", "cb", "ac", "ca"]
    >>> RankCentrality().fit(games).ranking_[0]
    'a'

    References
    ----------
    Negahban, Oh & Shah (2017), Operations Research 65.
    """

    @whole_or_not_at_all
    def fit(self, games: Any, sample_weight: Any = None) -> Self:
        """Find the law; return self. Games are as in `BradleyTerryRanker.fit`."""
        given = accept_comparisons("RankCentrality", games, sample_weight)
        if why := given.obstacle():
            raise DataError(f"RankCentrality: the walk gets stuck, for {why}.")
        W = given.matrix()
        met = W + W.T
        shares = np.divide(W.T, met, out=np.zeros_like(W), where=met > 0)
        steps = shares / max(float((met > 0).sum(axis=1).max()), 1.0)
        np.fill_diagonal(steps, 1.0 - steps.sum(axis=1))
        logs = np.log(stationary_law(steps).law)
        self.items_, self.scores_ = list(given.items), logs - logs.mean()
        return self
