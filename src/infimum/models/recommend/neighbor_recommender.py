"""Recommendations by neighbours: people, or things, that were rated alike."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from infimum.data.doors import check_fitted
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.recommend._neighborhood import (
    Neighborhood,
    baselines,
    deviations,
    unit_rows,
)
from infimum.models.recommend.ratings import Ratings, accept_ratings
from infimum.parameters import Choice, Domains, check_parameters, nonnegative, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["NeighborRecommender"]


class NeighborRecommender(Neighborhood):
    """A rating is its baseline and a mean of how far off like ratings were.

    With ``by='item'`` the neighbours of an item are those of the user's own items whose
    ratings go up and down with it; with ``by='user'`` the neighbours of a user are
    those who rated the item. Likeness is the cosine of deviations from the baselines.

    Parameters
    ----------
    by : {'item', 'user'}, default='item'
    n_neighbors : int, default=40
    shrinkage : float, default=1.0
        Draws a mean over little likeness to the baseline.
    damping : float, default=10.0
        As many ratings of 0 are added to each offset of a user or an item.

    Attributes
    ----------
    ratings_ : Ratings
    mean_, user_offsets_, item_offsets_ : float, ndarray, ndarray

    Examples
    --------
    >>> import numpy as np
    >>> seen = np.array([[5, 5, 1, np.nan], [5, 4, 1, 1], [1, 1, 5, 5.0], [2, 1, 4, 4]])
    >>> model = NeighborRecommender().fit(seen)
    >>> model.similar_items(3, 1)[0][0], bool(model.predict([0], [3])[0] < 2.5)
    (2, True)
    """

    _domains: ClassVar[Domains] = {
        "by": Choice(("item", "user")),
        "n_neighbors": whole(1),
        "shrinkage": nonnegative,
        "damping": nonnegative,
    }

    def __init__(
        self,
        by: str = "item",
        *,
        n_neighbors: int = 40,
        shrinkage: float = 1.0,
        damping: float = 10.0,
    ) -> None:
        self.by = by
        self.n_neighbors = n_neighbors
        self.shrinkage = shrinkage
        self.damping = damping

    @whole_or_not_at_all
    def fit(self, ratings: Any) -> Self:
        """Take the ratings in; return self."""
        check_parameters(self)
        seen = accept_ratings(ratings)
        base = baselines(seen, float(self.damping))
        self.mean_, self.user_offsets_, self.item_offsets_ = base
        self._own = self._known = deviations(seen, base)
        self.ratings_ = seen
        return self

    def partial_fit(self, ratings: Any) -> Self:
        """Add ratings, users and items."""
        seen = accept_ratings(ratings)
        if hasattr(self, "ratings_"):
            seen = self.ratings_.joined(seen)
        return self.fit(seen)

    def fold_in(self, ratings: Any) -> NeighborRecommender:
        """Return a recommender for people who were not there; nothing is fitted."""
        check_fitted(self, "ratings_")
        given = accept_ratings(ratings)
        rows, places, values = given.entries
        columns = self._columns_of(given.items)[places]
        seen = Ratings.of_codes(
            given.users, self.items_, rows, columns, values, given.weights
        )
        rows, columns, values = seen.entries
        left = values - self.mean_ - self.item_offsets_[columns]
        n = len(seen.users)
        sums = np.bincount(rows, seen.weights * left, minlength=n)
        counts = np.bincount(rows, seen.weights, minlength=n)
        folded = NeighborRecommender(**self.get_params())
        folded.mean_, folded.item_offsets_ = self.mean_, self.item_offsets_
        folded.user_offsets_ = sums / (counts + float(self.damping) + 1e-300)
        base = (folded.mean_, folded.user_offsets_, folded.item_offsets_)
        folded._own, folded._known = deviations(seen, base), self._known
        folded.ratings_ = seen
        return folded

    def _baseline(self, row: int, columns: Indices) -> Vector:
        found = self.mean_ + self.user_offsets_[row] + self.item_offsets_[columns]
        return np.asarray(found)

    def _neighbors(self, row: int, columns: Indices) -> tuple[Matrix, Any, Indices]:
        """Return likeness of each column to its candidates, and their deviations."""
        own = self._own[[row]]
        if self.by == "item":
            units = self._units()
            likeness = (units[columns] @ units[own.indices].T).toarray()
            likeness[columns[:, None] == own.indices] = 0.0
            return likeness, own.data, own.indices
        mine = (unit_rows(self._known) @ unit_rows(own).T).toarray().ravel()
        if self._own is self._known:
            mine[row] = 0.0
        rated = sparse.csc_array(self._known)[:, columns]
        asked = np.zeros((len(columns), len(mine)))
        moved = np.zeros_like(asked)
        lines = np.repeat(np.arange(len(columns)), np.diff(rated.indptr))
        asked[lines, rated.indices] = mine[rated.indices]
        moved[lines, rated.indices] = rated.data
        return asked, moved, np.arange(len(mine))

    def _units(self) -> Any:
        """Return items as unit rows of deviations."""
        return unit_rows(sparse.csr_array(self._known.T))

    def _likeness(self, column: int) -> Vector:
        units = self._units()
        return np.asarray((units @ units[[column]].T).toarray().ravel())

    def _parts(self, row: int, column: int) -> tuple[float, Indices, Vector]:
        baseline, places, parts = super()._parts(row, column)
        if self.by == "user":  # neighbours are people: one part, of the item itself
            return baseline, np.array([column]), parts.sum()[None]
        return baseline, places, parts
