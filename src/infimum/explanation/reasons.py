"""Reasons beside answers: the columns that moved each one most."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from infimum.errors import DataError
from infimum.explanation.shapley import shapley_values

__all__ = ["MOST_EXPLAINED", "background_of", "reasons_for"]

#: Rows whose answers are explained at most, and those they are compared with.
MOST_EXPLAINED, BACKGROUND = 2_000, 100


def background_of(rows: Any) -> Any:
    """Return some rows, whose average answers are compared with."""
    draw = np.random.default_rng(0).permutation(rows.shape[0])[:BACKGROUND]
    return rows[np.sort(draw)]


def reasons_for(
    model: Any, rows: Any, count: int, background: Any = None
) -> pl.DataFrame:
    """Return the columns that moved each answer most, each with how far."""
    height = rows.shape[0]
    if height > MOST_EXPLAINED:
        raise DataError(
            f"Reasons take a while: they are given for at most {MOST_EXPLAINED:,} "
            f"rows at a time, got {height:,}."
        )
    others = background_of(rows) if background is None else background
    known = shapley_values(model, rows, others, rounds=2, seed=0)
    names = np.array([str(name) for name in known.names])
    values = np.asarray(known.values, dtype=float)
    order = np.argsort(-np.abs(values), axis=1, kind="stable")
    columns: dict[str, Any] = {}
    for place in range(min(count, len(names))):
        which = order[:, place]
        columns[f"reason {place + 1}"] = names[which]
        columns[f"share {place + 1}"] = values[np.arange(height), which]
    return pl.DataFrame(columns)
