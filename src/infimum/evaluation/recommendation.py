"""How good recommendations are: error on unseen ratings, and metrics of the first k."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.models.recommend import Ratings
from infimum.parameters import check_domain, opened, whole

__all__ = [
    "RecommenderScores",
    "evaluate_recommender",
    "ndcg_at_k",
    "precision_at_k",
    "recall_at_k",
    "split_by_time",
    "split_by_user",
]


class RecommenderScores(NamedTuple):
    """What a recommender is worth on ratings that it has not seen."""

    rmse: float
    precision: float
    recall: float
    ndcg: float
    #: Users with a relevant item among the unseen ratings: the metrics' mean is theirs.
    users: int


def precision_at_k(recommended: Sequence[Any], relevant: Any, k: int) -> float:
    """Return the share of the first k recommendations that is relevant.

    Examples
    --------
    >>> precision_at_k(["a", "b", "c", "d"], {"a", "d", "z"}, 4)
    0.5
    """
    check_domain("precision_at_k.k", k, whole(1))
    wanted = set(relevant)
    return sum(item in wanted for item in list(recommended)[:k]) / k


def recall_at_k(recommended: Sequence[Any], relevant: Any, k: int) -> float:
    """Return the share of what is relevant that is among the first k.

    Examples
    --------
    >>> recall_at_k(["a", "b"], {"a", "d"}, 2)
    0.5
    """
    check_domain("recall_at_k.k", k, whole(1))
    wanted = set(relevant)
    if not wanted:
        raise DataError("recall_at_k needs a relevant item.")
    return sum(item in wanted for item in list(recommended)[:k]) / len(wanted)


def ndcg_at_k(recommended: Sequence[Any], relevant: Any, k: int) -> float:
    """Return the discounted gain of the first k over the largest that is possible.

    A relevant item in place j gains 1/log₂(j + 1).

    Examples
    --------
    >>> round(ndcg_at_k(["x", "a"], {"a"}, 2), 4), ndcg_at_k(["a", "x"], {"a"}, 2)
    (0.6309, 1.0)
    """
    check_domain("ndcg_at_k.k", k, whole(1))
    wanted = set(relevant)
    if not wanted:
        raise DataError("ndcg_at_k needs a relevant item.")
    hits = [item in wanted for item in list(recommended)[:k]]
    gains = 1.0 / np.log2(np.arange(2, k + 2))
    best = gains[: min(len(wanted), k)].sum()
    return float(gains[: len(hits)][hits].sum() / best)


def evaluate_recommender(
    model: Any, unseen: Ratings, *, k: int = 10, relevant: float | None = None
) -> RecommenderScores:
    """Return error and metrics on unseen ratings of known users and items.

    Parameters
    ----------
    model : recommender
    unseen : Ratings
    k : int, default=10
    relevant : float, optional
        Ratings from here on count as relevant; the mean of the unseen ones unless
        given.

    Examples
    --------
    >>> from infimum.models.recommend import NeighborRecommender
    >>> seen = Ratings.of_columns(["a", "a", "b"], ["x", "y", "x"], [5.0, 1.0, 5.0])
    >>> model = NeighborRecommender().fit(seen)
    >>> found = evaluate_recommender(
    ...     model, Ratings.of_columns(["b"], ["y"], [1.0]), k=1)
    >>> found.users, found.recall
    (1, 1.0)
    """
    rows, columns, values = unseen.entries
    users = [unseen.users[i] for i in rows]
    items = [unseen.items[j] for j in columns]
    missed = values - model.predict(users, items)
    rmse = float(np.sqrt(np.average(missed**2, weights=unseen.weights)))
    least = float(values.mean()) if relevant is None else relevant
    wanted: dict[Any, set[Any]] = {}
    for user, item, value in zip(users, items, values, strict=True):
        if value >= least:
            wanted.setdefault(user, set()).add(item)
    told = model.recommend(list(wanted), k) if wanted else []
    found = []
    for user, advised in zip(wanted, told, strict=True):
        names = [name for name, _ in advised]
        given = (names, wanted[user], k)
        found.append((precision_at_k(*given), recall_at_k(*given), ndcg_at_k(*given)))
    means = np.mean(found, axis=0) if found else np.full(3, np.nan)
    precision, recall, ndcg = means.tolist()
    return RecommenderScores(rmse, precision, recall, ndcg, len(wanted))


def split_by_user(
    ratings: Ratings, share: float = 0.2, *, random_state: Any = 0
) -> tuple[Ratings, Ratings]:
    """Hold out a share of each user's ratings; who has one rating keeps it.

    Examples
    --------
    >>> seen = Ratings.of_columns(list("aaaab"), list("vwxyv"))
    >>> train, test = split_by_user(seen, 0.5)
    >>> len(train), len(test)
    (3, 2)
    """
    check_domain("split_by_user.share", share, opened(0, 1))
    rng = np.random.default_rng(random_state)
    starts = ratings.matrix.indptr
    held = np.zeros(len(ratings), dtype=bool)
    for first, last in pairwise(starts.tolist()):
        count = min(round(share * (last - first)), last - first - 1)
        if count > 0:
            held[first + rng.choice(last - first, count, replace=False)] = True
    return ratings.kept(~held), ratings.kept(held)


def split_by_time(
    ratings: tuple[Any, Any, Any], times: Any, share: float = 0.2
) -> tuple[Ratings, Ratings]:
    """Hold out the last ratings, of users and items that occurred before.

    Parameters
    ----------
    ratings : (users, items, values)
    times : array-like
        When each was given.
    share : float, default=0.2

    Examples
    --------
    >>> seen = (list("aabb"), list("xyxy"), [1, 2, 3, 4])
    >>> train, test = split_by_time(seen, [4, 1, 2, 3], 0.25)
    >>> len(train), test.users, test.items
    (3, ['a', 'b'], ['x', 'y'])
    """
    check_domain("split_by_time.share", share, opened(0, 1))
    columns = [np.asarray(part) for part in ratings]
    when = np.asarray(times)
    if any(len(part) != len(when) for part in columns):
        raise DataError("split_by_time: each rating needs a time.")
    order = np.argsort(when, kind="stable")
    cut = len(order) - max(round(share * len(order)), 1)
    early, late = order[:cut], order[cut:]
    train = Ratings.of_columns(*(part[early] for part in columns))
    known = np.isin(columns[0][late], columns[0][early])
    known &= np.isin(columns[1][late], columns[1][early])
    late = late[known]
    if not len(late):
        raise DataError("split_by_time: nothing late is of known users and items.")
    row_of = {name: k for k, name in enumerate(train.users)}
    column_of = {name: k for k, name in enumerate(train.items)}
    test = Ratings.of_columns(*(part[late] for part in columns))
    rows, places, values = test.entries
    i = np.array([row_of[name] for name in test.users])[rows]
    j = np.array([column_of[name] for name in test.items])[places]
    return train, Ratings.of_codes(train.users, train.items, i, j, values, test.weights)
