"""A table of ratings in, a proved recommender out, as plain data for a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg

from infimum.data import read_table
from infimum.data.table import Table
from infimum.errors import DataError
from infimum.evaluation.recommendation import evaluate_recommender, split_by_user
from infimum.models.recommend import FactorRecommender, Ratings

__all__ = ["RatingColumns", "RecommendedTable", "recommend_table"]


Plain = dict[str, Any]
#: Factors told, items at each end of one, users shown.
_FACTORS, _ENDS, _USERS = 4, 6, 200


class RatingColumns(NamedTuple):
    """The names of the columns of a table of ratings."""

    user: str
    item: str
    rating: str | None = None


class RecommendedTable(NamedTuple):
    """A fitted recommender, what to tell of it, and what its file must remember."""

    model: FactorRecommender
    result: Plain
    extra: Plain


def recommend_table(
    data: Any, columns: RatingColumns, *, n: int = 10, **settings: Any
) -> RecommendedTable:
    """Fit a recommender to a table of ratings, and measure it on a fifth held out.

    Parameters
    ----------
    data : path or table
    columns : RatingColumns
        Without a rating what is in the table was seen: implicit feedback.
    n : int, default=10
        Recommendations for each user.
    **settings
        Of `FactorRecommender`.
    """
    table, seen = _ratings(data, columns)
    settings = {**settings, "implicit": columns.rating is None}
    train, test = split_by_user(seen)
    judged = None
    if len(test):
        trial = FactorRecommender(**settings).fit(train)
        judged = evaluate_recommender(trial, test, k=n)
    model = FactorRecommender(**settings).fit(seen)
    rows, _, values = seen.entries
    result = {
        "source": table.source,
        "ratings": len(seen),
        "users": len(seen.users),
        "items": len(seen.items),
        "implicit": settings["implicit"],
        "n": n,
        "scores": None if judged is None else judged._asdict(),
        "guess": float(values.std()),
        "held_out": len(test),
        "strength": model.strength_,
        "factors": _factors(model),
        "n_factors": model.n_factors_,
        "proof": _proof(model),
        "lists": _lists(model, n, np.bincount(rows, minlength=len(seen.users))),
    }
    extra = {
        "task": "recommendation",
        "columns": columns._asdict(),
        "fingerprint": table.fingerprint,
    }
    return RecommendedTable(model, result, extra)


def _ratings(data: Any, columns: RatingColumns) -> tuple[Table, Ratings]:
    table = data if isinstance(data, Table) else read_table(Path(data))
    if not isinstance(table, Table):
        raise DataError("Ratings are read from a table with named columns.")
    for name in columns:
        if name is not None:
            table.column(name)
    parts = [None if name is None else table.frame[name].to_list() for name in columns]
    how = "sum" if columns.rating is None else "mean"
    return table, Ratings.of_columns(*parts, duplicates=how)


def _lists(model: FactorRecommender, n: int, counts: Any) -> list[Plain]:
    """Return the recommendations of the users with the most ratings."""
    first = np.argsort(-counts, kind="stable")[:_USERS]
    users = [model.users_[k] for k in first]
    told = model.recommend(users, n)
    return [
        {
            "user": str(user),
            "ratings": int(counts[k]),
            "items": [{"name": str(name), "score": score} for name, score in advised],
        }
        for k, user, advised in zip(first, users, told, strict=True)
    ]


def _factors(model: FactorRecommender) -> list[Plain]:
    """Return the items at both ends of the strongest directions of the ratings."""
    lower = linalg.qr(model.user_factors_, mode="economic")[1]
    right, upper = linalg.qr(model.item_factors_, mode="economic")
    _, sizes, turned = linalg.svd(lower @ upper.T)
    axes = right @ turned.T
    counts = np.bincount(model.ratings_.matrix.indices, minlength=len(model.items_))
    known = np.flatnonzero(counts >= np.median(counts[counts > 0]))
    made = []
    for k in range(min(_FACTORS, len(sizes))):
        order = known[np.argsort(axes[known, k], kind="stable")]
        made.append(
            {
                "size": float(sizes[k]),
                "low": [str(model.items_[j]) for j in order[:_ENDS]],
                "high": [str(model.items_[j]) for j in order[::-1][:_ENDS]],
            }
        )
    return made


def _proof(model: FactorRecommender) -> Plain:
    proof = model.certificate_
    return {
        "primal": proof.primal,
        "dual": proof.dual,
        "relative_gap": proof.relative_gap,
        "tolerance": proof.tolerance,
        "closed": proof.closed,
    }
