"""Both sides of a matrix: features of users and items, and shares of the penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models.recommend._recommender import feature_rows
from infimum.models.recommend.ratings import Ratings

__all__ = ["shared_penalty", "with_features"]


def shared_penalty(
    seen: Ratings, features: tuple[Any, Any], share: float | None, scaling: str
) -> dict[str, Any]:
    """Return how the penalty is shared among users and among items."""
    if scaling == "equal":
        return {}
    rows, columns, _ = seen.entries
    n, m = seen.matrix.shape
    if share is None:
        share = float(np.sqrt(n * m) / seen.weights.sum())
    found = []
    for places, size, extra in zip((rows, columns), (n, m), features, strict=True):
        counts = share * np.bincount(places, seen.weights, minlength=size)
        counts = np.where(counts > 0, counts, 1.0)
        more = 0 if extra is None else extra.shape[1]
        found.append(np.concatenate([counts, np.full(more, counts.mean())]))
    return {"row_scales": found[0], "column_scales": found[1]}


def with_features(
    seen: Ratings, features: tuple[Any, Any], known: tuple[Any, Any]
) -> tuple[Ratings, tuple[Any, Any]]:
    """Return the ratings with names that only have features, and all features.

    `known` are the features of names that were there before.
    """
    kept: list[Any] = []
    for side, (given, had) in enumerate(zip(features, known, strict=True)):
        if given is None and had is None:
            kept.append(None)
            continue
        names = (seen.users, seen.items)[side]
        old = 0 if had is None else had.shape[0]
        if given is None and old < len(names):
            raise DataError(f"FactorRecommender: {names[old]!r} has no features.")
        rows, extra = (
            (had[:0], [])
            if given is None
            else feature_rows("FactorRecommender", given, names[old:])
        )
        new = [k for k, name in enumerate(extra) if name not in set(names)]
        start = len(names) - old
        rows = rows[[*range(start), *(start + k for k in new)]]
        extra = [extra[k] for k in new]
        kept.append(rows if had is None else sparse.vstack([had, rows]).tocsr())
        if extra:
            seen = seen.with_names(*((extra, []) if side == 0 else ([], extra)))
    return seen, (kept[0], kept[1])
