"""Recommendations by content: things like those that someone liked."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.recommend._neighborhood import (
    Neighborhood,
    deviations,
    unit_rows,
)
from infimum.models.recommend._recommender import feature_rows
from infimum.models.recommend.ratings import Ratings, accept_ratings
from infimum.parameters import Domains, check_parameters, nonnegative, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ContentRecommender"]


class ContentRecommender(Neighborhood):
    """Items are vectors of features; what is like what a user rated well is advised.

    Likeness is the cosine of the features: nobody else's ratings are asked, and an
    item that nobody has rated can be recommended.

    Parameters
    ----------
    n_neighbors : int, default=40
        As many of the user's own items count for a prediction.
    shrinkage : float, default=1.0
        Draws a mean over little likeness to the user's mean.
    damping : float, default=10.0
        As many ratings of 0 are added to each offset of a user.

    Attributes
    ----------
    ratings_ : Ratings
        With the items that only have features.
    mean_, user_offsets_ : float, ndarray

    Examples
    --------
    >>> seen = (["ann", "ann"], ["western", "romance"], [5.0, 1.0])
    >>> features = {"western": [1, 0, 1], "romance": [0, 1, 0], "new": [1, 0, 0.5]}
    >>> model = ContentRecommender().fit(seen, item_features=features)
    >>> model.recommend(["ann"])[0][0][0], model.similar_items("new", 1)[0][0]
    ('new', 'western')
    """

    _domains: ClassVar[Domains] = {
        "n_neighbors": whole(1),
        "shrinkage": nonnegative,
        "damping": nonnegative,
    }

    def __init__(
        self, *, n_neighbors: int = 40, shrinkage: float = 1.0, damping: float = 10.0
    ) -> None:
        self.n_neighbors = n_neighbors
        self.shrinkage = shrinkage
        self.damping = damping

    @whole_or_not_at_all
    def fit(self, ratings: Any, *, item_features: Any) -> Self:
        """Take ratings and features in; return self.

        Parameters
        ----------
        ratings : Ratings, sparse matrix, array with NaN, or columns
        item_features : dict, DataFrame or matrix
            A vector for each item; names without ratings are items, too.
        """
        check_parameters(self)
        seen = accept_ratings(ratings)
        rows, extra = feature_rows("ContentRecommender", item_features, seen.items)
        return self._take(seen.with_names([], extra), unit_rows(rows))

    @whole_or_not_at_all
    def partial_fit(self, ratings: Any, *, item_features: Any = None) -> Self:
        """Add ratings, and items with their features."""
        if not hasattr(self, "ratings_"):
            self.fit(ratings, item_features=item_features)
            return self
        old = len(self.items_)
        seen = self.ratings_.joined(accept_ratings(ratings))
        units = self._units
        if item_features is not None:
            owner = "ContentRecommender"
            rows, extra = feature_rows(owner, item_features, seen.items[old:])
            had = set(seen.items)
            kept = [k for k, name in enumerate(extra) if name not in had]
            start = len(seen.items) - old
            places = [*range(start), *(start + k for k in kept)]
            units = sparse.csr_array(sparse.vstack([units, unit_rows(rows)[places]]))
            seen = seen.with_names([], [extra[k] for k in kept])
        elif len(seen.items) > old:
            raise DataError(f"ContentRecommender: {seen.items[old]!r} has no features.")
        return self._take(seen, units)

    def fold_in(self, ratings: Any) -> ContentRecommender:
        """Return a recommender for people who were not there."""
        given = accept_ratings(ratings)
        rows, places, values = given.entries
        columns = self._columns_of(given.items)[places]
        seen = Ratings.of_codes(
            given.users, self.items_, rows, columns, values, given.weights
        )
        folded = ContentRecommender(**self.get_params())
        return folded._take(seen, self._units, self.mean_)

    def _take(self, seen: Ratings, units: Any, mean: float | None = None) -> Self:
        rows, _, values = seen.entries
        found = mean
        if found is None:
            found = float(np.average(values, weights=seen.weights))
        n = len(seen.users)
        sums = np.bincount(rows, seen.weights * (values - found), minlength=n)
        counts = np.bincount(rows, seen.weights, minlength=n)
        self.mean_ = float(found)
        self.user_offsets_ = sums / (counts + float(self.damping) + 1e-300)
        base = (self.mean_, self.user_offsets_, np.zeros(len(seen.items)))
        self._own, self._units, self.ratings_ = deviations(seen, base), units, seen
        return self

    def _baseline(self, row: int, columns: Indices) -> Vector:
        return np.full(len(columns), self.mean_ + self.user_offsets_[row])

    def _neighbors(self, row: int, columns: Indices) -> tuple[Matrix, Any, Indices]:
        own = self._own[[row]]
        found = (self._units[columns] @ self._units[own.indices].T).toarray()
        found[columns[:, None] == own.indices] = 0.0
        return found, own.data, own.indices

    def _likeness(self, column: int) -> Vector:
        return np.asarray((self._units @ self._units[[column]].T).toarray().ravel())
