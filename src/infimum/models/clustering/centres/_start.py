"""Starting centres of k-means: drawn rows, given centres, given labels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.random import RandomState
from sklearn.base import clone

from infimum.errors import DataError, InvalidParameterError
from infimum.features.columns import is_sparse
from infimum.models.clustering.centres._lloyd import Rows
from infimum.models.clustering.centres._seeding import (
    draw_rows,
    farthest_rows,
    spread_rows,
    trials_for,
)
from infimum.typing import Indices, Matrix

__all__ = ["DRAWN", "centres_of", "n_starts", "start_centres"]

DRAWN = ("k-means++", "random", "farthest-first")


def n_starts(owner: str, init: Any, n_init: Any, several: int = 10) -> int:
    """Return the number of starts: one where they would all be equal or all good."""
    if n_init == "auto":
        return several if isinstance(init, str) and init != "k-means++" else 1
    if not isinstance(n_init, str) and int(n_init) == n_init and n_init >= 1:
        if n_init > 1 and hasattr(init, "__array__"):
            warnings.warn(
                f"{owner}.init gives the centres, so that one start does for all "
                f"n_init={n_init}.",
                RuntimeWarning,
                stacklevel=5,
            )
            return 1
        return int(n_init)
    raise InvalidParameterError(
        f"{owner}.n_init must be 'auto' or a whole number of 1 or more, got {n_init!r}."
    )


def start_centres(
    owner: str, init: Any, k: int, rows: Rows, draw: RandomState
) -> Matrix:
    """Return k centres in the coordinates of the table.

    `init` is one of `DRAWN`; an array of centres; a label for each row, with negative
    ones for rows of which nothing is known; a clusterer, whose clusters are taken; or a
    function of the table, k and a random state that returns centres.
    """
    if isinstance(init, str):
        return rows.outward(rows.points(_drawn(owner, init, k, rows, draw)))
    if hasattr(init, "fit_predict"):
        return _of_labels(owner, clone(init).fit_predict(rows.X), k, rows)
    given = init(rows.X, k, random_state=draw) if callable(init) else init
    centres = given.toarray() if is_sparse(given) else np.asarray(given)
    if centres.ndim == 1 and len(centres) == rows.n:
        return _of_labels(owner, centres, k, rows)
    if centres.shape != (k, rows.d):
        raise DataError(
            f"{owner}.init must have a centre for each of {k} clusters and "
            f"{rows.d} features, got the shape {centres.shape}."
        )
    if not np.isfinite(centres).all():
        raise DataError(f"{owner}.init must have finite centres.")
    return centres.astype(np.float64)


def centres_of(rows: Rows, labels: Indices, k: int) -> Matrix:
    """Return the mean of the rows of each label, in the coordinates of the table."""
    sums, mass = rows.sums(np.asarray(labels, dtype=np.int32), k)
    return rows.outward(sums / np.maximum(mass, 1e-300)[:, None])


def _drawn(owner: str, init: str, k: int, rows: Rows, draw: RandomState) -> Indices:
    if init == "k-means++":
        return spread_rows(rows, k, draw, trials_for(k))
    if init == "random":
        return draw_rows(rows, k, draw)
    if init == "farthest-first":
        return farthest_rows(rows, k, draw)
    raise InvalidParameterError(
        f"{owner}.init must be one of {', '.join(map(repr, DRAWN))}, centres, labels, "
        f"a clusterer or a function, got {init!r}."
    )


def _of_labels(owner: str, labels: Any, k: int, rows: Rows) -> Matrix:
    """Return the means of labelled rows, whatever the labels are called."""
    labels = np.asarray(labels)
    known = labels >= 0
    names = np.unique(labels[known])
    if len(names) != k:
        raise DataError(
            f"{owner}.init must name {k} clusters, got labels of {len(names)}."
        )
    codes = np.where(known, np.searchsorted(names, labels), k)
    return centres_of(rows, codes, k + 1)[:k]
