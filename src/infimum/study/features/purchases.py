"""Purchases as vectors: items by the users who bought them, items by items."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.study.features.term_counts import TermCounts

__all__ = ["BasketCounts", "PurchaseTable", "count_together", "count_users"]


class PurchaseTable(NamedTuple):
    """Counts with the names of their rows and columns."""

    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    counts: Any


class BasketCounts(TermCounts):
    """Baskets described by how often each item lies in them.

    Parameters
    ----------
    binary : bool, default=False
        Whether to record only that an item was bought.
    min_df, max_df, max_features, dtype
        As in :class:`~infimum.features.BagOfWords`, with baskets for texts.

    Attributes
    ----------
    vocabulary_ : dict
        Item to column, in sorted order.

    Examples
    --------
    >>> BasketCounts().fit_transform([["tea", "milk"], ["tea", "tea"]]).toarray()
    array([[1., 1.],
           [0., 2.]])
    """

    def __init__(
        self,
        *,
        binary: bool = False,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        dtype: Any = np.float64,
    ) -> None:
        self.binary = binary
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.dtype = dtype

    def count(self, thing: Any) -> Mapping[Any, float]:
        """Return the items of one basket with their numbers."""
        if isinstance(thing, str) or not isinstance(thing, Iterable):
            raise DataError(
                f"BasketCounts expects baskets (collections of items), got {thing!r}."
            )
        return Counter(thing)


def count_users(purchases: Iterable[tuple[Any, Any]]) -> PurchaseTable:
    """Return the item-by-user table: how often each user bought each item.

    Parameters
    ----------
    purchases : iterable of (user, item)
        One pair per purchase.

    Examples
    --------
    >>> table = count_users([("Ann", "Faust"), ("Ann", "Faust"), ("Bob", "Emma")])
    >>> table.rows, table.columns, table.counts.toarray().tolist()
    (('Emma', 'Faust'), ('Ann', 'Bob'), [[0.0, 1.0], [2.0, 0.0]])
    """
    baskets: dict[Any, list[Any]] = {}
    for user, item in purchases:
        baskets.setdefault(user, []).append(item)
    users = sorted(baskets)
    encoder = BasketCounts()
    counts = encoder.fit_transform([baskets[user] for user in users])
    by_item = sparse.csr_array(counts.T)
    return PurchaseTable(tuple(encoder.vocabulary_), tuple(users), by_item)


def count_together(baskets: Iterable[Iterable[Any]]) -> PurchaseTable:
    """Return the item-by-item table: in how many baskets two items lie together.

    The table is BᵀB for the 0–1 matrix B of baskets by items, hence symmetric and
    positive semidefinite; its diagonal counts the baskets with the item.

    Examples
    --------
    >>> count_together([["tea", "milk"], ["tea"]]).counts.toarray().tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    encoder = BasketCounts(binary=True)
    incidence = encoder.fit_transform(baskets)
    items = tuple(encoder.vocabulary_)
    return PurchaseTable(items, items, sparse.csr_array(incidence.T @ incidence))
