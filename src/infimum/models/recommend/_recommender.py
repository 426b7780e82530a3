"""What all recommenders share: names, the best unseen items, what a user has seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.models.recommend.ratings import Ratings
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Recommender", "feature_rows"]

#: Users whose scores of all items are held at a time.
AT_A_TIME = 512


class Recommender(BaseEstimator):  # type: ignore[misc]
    """Predictions for pairs, and the best items for a user.

    A subclass scores all items for some users (`_scores`), pairs (`_pairs`), tells how
    like an item is to all others (`_likeness`) and what a prediction is made of
    (`_parts`).
    """

    ratings_: Ratings

    @property
    def users_(self) -> list[Any]:
        """The names of the users."""
        check_fitted(self, "ratings_")
        return self.ratings_.users

    @property
    def items_(self) -> list[Any]:
        """The names of the items."""
        check_fitted(self, "ratings_")
        return self.ratings_.items

    def predict(self, users: Any, items: Any) -> Vector:
        """Return the predicted rating of each pair of a user and an item."""
        rows, columns = self._rows_of(users), self._columns_of(items)
        if len(rows) != len(columns):
            raise DataError(
                f"{type(self).__name__}: {len(rows)} users and {len(columns)} items "
                "are no pairs."
            )
        return self._pairs(rows, columns)

    def recommend(
        self, users: Any, n: int = 10, *, exclude_seen: bool = True
    ) -> list[list[tuple[Any, float]]]:
        """Return for each user the n best items with their scores, the best first.

        Parameters
        ----------
        users : sequence of names
        n : int, default=10
        exclude_seen : bool, default=True
            Whether items that a user has rated are left out.
        """
        check_domain(f"{type(self).__name__}.n", n, whole(1))
        rows = self._rows_of(users)
        made: list[list[tuple[Any, float]]] = []
        seen = self.ratings_.matrix
        for at in range(0, len(rows), AT_A_TIME):
            part = rows[at : at + AT_A_TIME]
            for row, scores in zip(part, self._scores(part), strict=True):
                if exclude_seen:
                    own = seen.indices[seen.indptr[row] : seen.indptr[row + 1]]
                    scores[own] = -np.inf
                made.append(self._named(scores, n))
        return made

    def similar_items(self, item: Any, n: int = 10) -> list[tuple[Any, float]]:
        """Return the n items most like one, with the cosine of their vectors."""
        place = int(self._columns_of([item])[0])
        likeness = self._likeness(place)
        likeness[place] = -np.inf
        return self._named(likeness, n)

    def explain(self, user: Any, item: Any, n: int = 10) -> dict[str, Any]:
        """Return what a prediction is made of: a baseline and what each rating adds.

        Returns
        -------
        dict
            `prediction`, `baseline`, `ratings`: (item, contribution), the largest
            first, at most n; `others`: the sum of the rest. All of them add up to the
            prediction.
        """
        row, column = int(self._rows_of([user])[0]), int(self._columns_of([item])[0])
        baseline, places, parts = self._parts(row, column)
        order = np.argsort(-np.abs(parts), kind="stable")
        told = [(self.items_[places[k]], float(parts[k])) for k in order[:n]]
        return {
            "prediction": float(baseline + parts.sum()),
            "baseline": float(baseline),
            "ratings": told,
            "others": float(parts[order[n:]].sum()),
        }

    def _scores(self, rows: Indices) -> Matrix:
        raise NotImplementedError

    def _pairs(self, rows: Indices, columns: Indices) -> Vector:
        raise NotImplementedError

    def _likeness(self, column: int) -> Vector:
        raise NotImplementedError

    def _parts(self, row: int, column: int) -> tuple[float, Indices, Vector]:
        raise NotImplementedError

    def _named(self, scores: Vector, n: int) -> list[tuple[Any, float]]:
        """Return the names of the highest finite scores, ties in the order of items."""
        order = np.argsort(-scores, kind="stable")[:n]
        return [
            (self.items_[k], float(scores[k])) for k in order if scores[k] > -np.inf
        ]

    def _rows_of(self, users: Any) -> Indices:
        return self._places("user", users, self.users_)

    def _columns_of(self, items: Any) -> Indices:
        return self._places("item", items, self.items_)

    def _places(self, what: str, names: Any, known: list[Any]) -> Indices:
        if isinstance(names, str) or not hasattr(names, "__len__"):
            raise DataError(
                f"{type(self).__name__} needs a list of {what}s, got {names!r}."
            )
        place = {name: k for k, name in enumerate(known)}
        given = names.tolist() if hasattr(names, "tolist") else list(names)
        try:
            return np.array([place[name] for name in given], dtype=np.intp)
        except (KeyError, TypeError) as error:
            more = " (fold_in is for people who were not there)"
            raise DataError(
                f"{type(self).__name__}: the {what} {error} is not known"
                f"{more if what == 'user' else ''}."
            ) from None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # ratings are no table of samples
        return tags


def feature_rows(owner: str, given: Any, names: list[Any]) -> tuple[Any, list[Any]]:
    """Return features as sparse rows in the order of names, and names beyond them.

    Parameters
    ----------
    owner : str
    given : dict, DataFrame or matrix
        A vector for each name; a table indexed by names; or rows in their order.
    names : list
    """
    if hasattr(given, "index") and hasattr(given, "to_numpy"):
        given = dict(zip(list(given.index), given.to_numpy(), strict=True))
    if not isinstance(given, dict):
        made = sparse.csr_array(given, dtype=np.float64)
        if made.shape[0] != len(names):
            raise DataError(
                f"{owner}: {made.shape[0]} rows of features for {len(names)} names."
            )
        return _finite(owner, made), []
    lacking = next((name for name in names if name not in given), None)
    if lacking is not None:
        raise DataError(f"{owner}: {lacking!r} has no features.")
    had = set(names)
    extra = [name for name in given if name not in had]
    try:
        rows = np.array([given[name] for name in [*names, *extra]], dtype=np.float64)
    except ValueError:
        raise DataError(f"{owner}: features must be vectors of one length.") from None
    return _finite(owner, sparse.csr_array(rows)), extra


def _finite(owner: str, features: Any) -> Any:
    if not np.isfinite(features.data).all():
        raise DataError(f"{owner}: features must be finite.")
    return features
