"""Levels of a category as the mean of the target among their rows.

A category of thousands of levels has too many for columns of their own. Each level is
described by its mean target instead, shrunk towards the mean of all rows. A training
row must not see its own target: its mean is taken over the other folds
(Micci-Barreca, SIGKDD Explorations 3, 2001).
"""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.typing import Matrix

__all__ = ["encode_means", "held_out_means", "learn_means", "target_columns"]

#: Each level counts so many rows of the overall mean beside its own.
SHRINKAGE = 10.0
#: Training rows are described by the rows of the other folds.
FOLDS = 5
#: A target of more classes than this has no means.
MOST_CLASSES = 10
#: The most levels that are kept, the most frequent first.
MOST_LEVELS = 100_000
#: A multiplier that scatters neighbouring row numbers over the folds (Knuth).
_SCATTER = 2_654_435_761


def target_columns(y: Any) -> tuple[Matrix, list[str]] | None:
    """Return the columns whose means describe a level, with their names.

    A measured target (floating-point numbers) is one column; two classes are one, the
    indicator of the second; more classes have one each. None if there are too many.
    """
    values = np.asarray(y)
    if values.ndim != 1:
        return None
    if values.dtype.kind == "f":
        return values[:, None].astype(np.float64), ["mean target"]
    classes = np.unique(values)
    if not 1 < len(classes) <= MOST_CLASSES:
        return None
    kept = classes[1:] if len(classes) == 2 else classes  # noqa: PLR2004
    shares = (values[:, None] == kept).astype(np.float64)
    return shares, [f"share of class {label}" for label in kept]


def learn_means(words: pl.Series, targets: Matrix) -> dict[str, Any]:
    """Return the levels and the shrunk mean target of each; plain lists."""
    levels, codes = _coded(words)
    counts = np.bincount(codes, minlength=len(levels) + 1)[1:]
    overall = targets.mean(axis=0)
    sums = np.column_stack(
        [np.bincount(codes, column, len(levels) + 1)[1:] for column in targets.T]
    )
    means = _shrunk(sums, counts, overall)
    kept = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    return {
        "known": [levels[place] for place in kept],
        "means": means[kept].tolist(),
        "overall": overall.tolist(),
    }


def encode_means(words: pl.Series, state: dict[str, Any]) -> Matrix:
    """Return the means of the levels; of unknown and missing ones the overall mean."""
    table = np.array([*state["means"], state["overall"]], dtype=np.float64)
    places = words.replace_strict(
        state["known"],
        list(range(len(state["known"]))),
        default=len(state["known"]),
        return_dtype=pl.Int64,
    )
    return np.asarray(table[places.to_numpy()])


def held_out_means(words: pl.Series, targets: Matrix) -> Matrix:
    """Return the means of training rows, each over the rows of the other folds."""
    levels, codes = _coded(words)
    folds = (np.arange(len(codes), dtype=np.uint64) * _SCATTER >> 7) % FOLDS
    cells = codes * FOLDS + folds.astype(np.intp)
    size = (len(levels) + 1) * FOLDS
    counts = np.bincount(cells, minlength=size).reshape(-1, FOLDS)
    found = np.empty_like(targets)
    for place, column in enumerate(targets.T):
        sums = np.bincount(cells, column, size).reshape(-1, FOLDS)
        others = sums.sum(axis=1, keepdims=True) - sums
        rows = counts.sum(axis=1, keepdims=True) - counts
        overall = others.sum(axis=0) / np.maximum(rows.sum(axis=0), 1)
        means = _shrunk(others, rows, overall)
        means[0] = overall  # missing
        found[:, place] = means.ravel()[cells]
    return found


def _shrunk(sums: NDArray[Any], counts: NDArray[Any], overall: NDArray[Any]) -> Any:
    counts = counts if counts.ndim == sums.ndim else counts[:, None]
    return (sums + SHRINKAGE * overall) / (counts + SHRINKAGE)


def _coded(words: pl.Series) -> tuple[list[str], NDArray[np.intp]]:
    """Return the levels and the place of each row's, from 1; 0 where it is missing."""
    levels = words.drop_nulls().unique(maintain_order=True).to_list()
    codes = words.replace_strict(
        levels, list(range(1, len(levels) + 1)), default=0, return_dtype=pl.Int64
    )
    return levels, codes.to_numpy().astype(np.intp)
