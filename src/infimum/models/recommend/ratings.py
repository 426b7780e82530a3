"""Ratings: who rated what and how, with the names of people and things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Vector

__all__ = ["Ratings", "accept_ratings"]

_DUPLICATES = Choice(("mean", "sum", "refuse"))
_COLUMNS = 3


@dataclass(frozen=True, eq=False)
class Ratings:
    """Seen entries of a matrix of users and items; a rating of 0 is a rating.

    Attributes
    ----------
    users, items : list
        Names, in the order of rows and columns.
    matrix : csr_array of shape (n_users, n_items)
        Stored entries are ratings.
    weights : ndarray
        One for each stored entry: a rating of weight 2 counts as given twice.

    Examples
    --------
    >>> seen = Ratings.of_columns(["ann", "bob", "ann"], ["x", "x", "y"], [5, 3, 0])
    >>> seen.users, seen.items, seen.matrix.toarray().tolist(), len(seen)
    (['ann', 'bob'], ['x', 'y'], [[5.0, 0.0], [3.0, 0.0]], 3)
    """

    users: list[Any]
    items: list[Any]
    matrix: Any
    weights: Vector

    def __len__(self) -> int:
        return int(self.matrix.nnz)

    @classmethod
    def of_columns(
        cls,
        users: Any,
        items: Any,
        values: Any = None,
        sample_weight: Any = None,
        *,
        duplicates: str = "mean",
    ) -> Ratings:
        """Read three columns; without values everything seen counts 1.

        A pair that occurs again gets the mean of its ratings and the sum of their
        weights, which leaves every sum of squares as it was, up to a constant; or the
        sum of both; or is refused.
        """
        check_domain("Ratings.duplicates", duplicates, _DUPLICATES)
        one, rows = _coded("user", users)
        other, columns = _coded("item", items)
        told: Vector = np.ones(len(rows))
        told = told if values is None else _numbers("values", values)
        weights: Vector = np.ones(len(told))
        if sample_weight is not None:
            weights = _numbers("sample_weight", sample_weight)
        if not len(rows) == len(columns) == len(told) == len(weights):
            raise DataError(
                f"Ratings: {len(rows)} users, {len(columns)} items and {len(told)} "
                f"values with {len(weights)} weights do not belong together."
            )
        if not len(rows):
            raise DataError("Ratings need a rating.")
        if weights.min() < 0 or not weights.any():
            raise DataError("Ratings: weights must be at least 0, and not all 0.")
        entries = _merged(
            rows, columns, told, weights, (len(one), len(other)), duplicates
        )
        return cls(one, other, *entries)

    @classmethod
    def of_matrix(
        cls,
        X: Any,
        users: Sequence[Any] | None = None,
        items: Sequence[Any] | None = None,
    ) -> Ratings:
        """Read a sparse matrix, whose stored entries are ratings, or one with NaN."""
        if sparse.issparse(X):
            found: Any = sparse.coo_array(X)  # type: ignore[call-overload]
            rows, columns = found.coords
            told = _numbers("values", found.data)
            shape = found.shape
        else:
            dense = np.asarray(X, dtype=np.float64)
            if dense.ndim != 2:  # noqa: PLR2004
                raise DataError(f"Ratings: a matrix is needed, got {dense.ndim} axes.")
            rows, columns = np.nonzero(~np.isnan(dense))
            told, shape = _numbers("values", dense[rows, columns]), dense.shape
        if not len(told):
            raise DataError("Ratings need a rating.")
        names = [
            list(range(size)) if given is None else list(given)
            for size, given in zip(shape, (users, items), strict=True)
        ]
        for what, size, known in zip(("users", "items"), shape, names, strict=True):
            if len(known) != size:
                raise DataError(f"Ratings: {len(known)} names for {size} {what}.")
        ones = np.ones(len(told))
        entries = _merged(rows, columns, told, ones, shape, "refuse")
        return cls(names[0], names[1], *entries)

    @classmethod
    def of_codes(
        cls,
        users: list[Any],
        items: list[Any],
        rows: Any,
        columns: Any,
        values: Any,
        weights: Any,
    ) -> Ratings:
        """Read numbers of users and items, each pair once."""
        shape = (len(users), len(items))
        return cls(
            users, items, *_merged(rows, columns, values, weights, shape, "refuse")
        )

    @property
    def entries(self) -> tuple[Indices, Indices, Vector]:
        """Numbers of users and of items, and values, entry by entry."""
        found = self.matrix
        rows = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
        return rows, found.indices, found.data

    def kept(self, which: Any) -> Ratings:
        """Return some of the ratings, by a mask or by positions; all names stay."""
        rows, columns, values = (part[which] for part in self.entries)
        return Ratings.of_codes(
            self.users, self.items, rows, columns, values, self.weights[which]
        )

    def with_names(self, users: list[Any], items: list[Any]) -> Ratings:
        """Return the ratings with users and items added who have none."""
        found = self.matrix
        n, m = found.shape[0] + len(users), found.shape[1] + len(items)
        starts = np.pad(found.indptr, (0, len(users)), mode="edge")
        made = sparse.csr_array((found.data, found.indices, starts), shape=(n, m))
        return Ratings([*self.users, *users], [*self.items, *items], made, self.weights)

    def joined(self, other: Ratings) -> Ratings:
        """Return both; where a pair is in both the other's rating holds."""
        users = [*self.users, *_new(self.users, other.users)]
        items = [*self.items, *_new(self.items, other.items)]
        row_of = {name: k for k, name in enumerate(users)}
        column_of = {name: k for k, name in enumerate(items)}
        old, new = self.entries, other.entries
        rows = np.array([row_of[name] for name in other.users], dtype=np.intp)[new[0]]
        columns = np.array([column_of[x] for x in other.items], dtype=np.intp)[new[1]]
        keys = old[0] * len(items) + old[1]
        stays = ~np.isin(keys, rows * len(items) + columns)
        return Ratings.of_codes(
            users,
            items,
            np.concatenate([old[0][stays], rows]),
            np.concatenate([old[1][stays], columns]),
            np.concatenate([old[2][stays], new[2]]),
            np.concatenate([self.weights[stays], other.weights]),
        )


def accept_ratings(ratings: Any, *, duplicates: str = "mean") -> Ratings:
    """Return ratings from any of their forms.

    Ratings; a sparse matrix or an array with NaN; a table or a tuple of two or three
    columns: users, items and values.
    """
    if isinstance(ratings, Ratings):
        return ratings
    if sparse.issparse(ratings):
        return Ratings.of_matrix(ratings)
    if hasattr(ratings, "columns"):
        columns = [np.asarray(ratings[name]) for name in list(ratings.columns)]
        return Ratings.of_columns(*columns[:_COLUMNS], duplicates=duplicates)
    if isinstance(ratings, tuple) and len(ratings) in (2, _COLUMNS):
        return Ratings.of_columns(*ratings, duplicates=duplicates)
    if isinstance(ratings, np.ndarray):
        return Ratings.of_matrix(ratings)
    raise DataError(
        "Ratings are a sparse matrix, an array with NaN, or columns (users, items, "
        f"values), got {type(ratings).__name__}."
    )


def _merged(
    rows: Any, columns: Any, values: Any, weights: Any, shape: Any, how: str
) -> tuple[Any, Vector]:
    """Return the entries in order, each once, and their weights; none of weight 0."""
    kept = weights > 0.0
    keys = (np.asarray(rows, dtype=np.int64) * shape[1] + columns)[kept]
    values, weights = values[kept], weights[kept]
    found, first, places = np.unique(keys, return_index=True, return_inverse=True)
    if len(found) == len(keys):
        values, weights = values[first], weights[first]
    elif how == "refuse":
        raise DataError("Ratings: the same item is rated twice by the same user.")
    else:
        total = np.bincount(places, weights)
        values = np.bincount(places, weights * values)
        values = values if how == "sum" else values / total
        weights = np.ones(len(total)) if how == "sum" else total
    lines, cells = np.divmod(found, shape[1])
    starts = np.searchsorted(lines, np.arange(shape[0] + 1))
    index = np.int32 if max(len(found), *shape) < 2**31 else np.int64
    made = sparse.csr_array(
        (values.astype(np.float64), cells.astype(index), starts.astype(index)),
        shape=(int(shape[0]), int(shape[1])),
    )
    return made, weights.astype(np.float64)


def _coded(what: str, names: Any) -> tuple[list[Any], Indices]:
    """Return the names, each once, and the number of each entry."""
    given = np.asarray(names)
    if given.ndim != 1:
        raise DataError(f"Ratings: a column of {what}s is needed.")
    if given.dtype.kind in "iuU":
        known, codes = np.unique(given, return_inverse=True)
        return known.tolist(), codes
    place: dict[Any, int] = {}
    try:
        numbers = [place.setdefault(name, len(place)) for name in given.tolist()]
    except TypeError:
        raise DataError(f"Ratings: a {what} must have a name, or a number.") from None
    lost = {code for name, code in place.items() if name is None or name != name}  # noqa: PLR0124
    if lost:
        count = sum(code in lost for code in numbers)
        raise DataError(
            f"Ratings: {what} is missing in {count} of {len(numbers)} rows; leave "
            "them out."
        )
    return list(place), np.array(numbers, dtype=np.intp)


def _numbers(what: str, values: Any) -> Vector:
    try:
        told = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"Ratings: {what} must be numbers.") from None
    if told.ndim != 1 or not np.isfinite(told).all():
        raise DataError(f"Ratings: {what} must be finite numbers, in one column.")
    return told


def _new(known: list[Any], names: list[Any]) -> list[Any]:
    had = set(known)
    return [name for name in names if name not in had]
