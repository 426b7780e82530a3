"""Counting: items in the order of the games they won."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._ranker import Ranker
from infimum.models.ranking.comparisons import accept_comparisons
from infimum.parameters import Choice, Domains, check_parameters

__all__ = ["CountingRanker"]

_KINDS = Choice(("borda", "copeland"))
_TIES = Choice(("order", "refuse"))


class CountingRanker(Ranker):
    """Items in the order of their wins, which needs no model of noise.

    Parameters
    ----------
    kind : {"borda", "copeland"}, default="borda"
        Comparisons won; or opponents beaten more often than not, half of one for a
        draw.
    equal : {"order", "refuse"}, default="order"
        Items with equal scores stay in their own order, or `fit` refuses them.

    Attributes
    ----------
    items_, scores_, order_, ranking_

    Examples
    --------
    >>> CountingRanker().fit([("a", "b"), ("a", "c"), ("c", "b")]).ranking_
    ['a', 'c', 'b']
    """

    _domains: ClassVar[Domains] = {
        "kind": _KINDS,
        "equal": _TIES,
    }

    def __init__(self, kind: str = "borda", *, equal: str = "order") -> None:
        self.kind = kind
        self.equal = equal

    @whole_or_not_at_all
    def fit(self, games: Any, sample_weight: Any = None) -> Self:
        """Count the wins; return self. Games are as in `BradleyTerryRanker.fit`."""
        check_parameters(self)
        given = accept_comparisons("CountingRanker", games, sample_weight)
        W = given.matrix()
        if self.kind == "copeland":
            met = (W + W.T) > 0
            W = np.where(met, 0.5 * (np.sign(W - W.T) + 1.0), 0.0)
        self.items_, self.scores_ = list(given.items), W.sum(axis=1)
        if self.equal == "refuse":
            values, counts = np.unique(self.scores_, return_counts=True)
            if (counts > 1).any():
                same = np.flatnonzero(self.scores_ == values[counts > 1][-1])[:2]
                names = [repr(self.items_[i]) for i in same]
                raise DataError(
                    f"CountingRanker: {' and '.join(names)} have equal scores."
                )
        return self
