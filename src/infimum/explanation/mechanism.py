"""Explanation by mechanism: the neighbours that voted, the questions a tree asked."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import IncompatibleError
from infimum.evaluation import Record
from infimum.typing import Indices, Matrix

__all__ = ["NeighborVotes", "neighbor_votes"]


@dataclass(frozen=True)
class NeighborVotes(Record):
    """The training rows that decided about each row, nearest first, and their votes."""

    rows: Indices
    distances: Matrix
    labels: NDArray[Any]


def neighbor_votes(model: Any, X: Any, y: ArrayLike) -> NeighborVotes:
    """Return the neighbours whose labels make a nearest-neighbour prediction.

    Parameters
    ----------
    model : fitted estimator with `kneighbors`
    X : rows to explain
    y : array-like
        The labels, or targets, of the rows the model was fitted on.

    Examples
    --------
    >>> from infimum.explanation import neighbor_votes
    >>> from infimum.models.neighbors import KNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [9.0], [2.0]], ["a", "a", "b", "b"]
    >>> votes = neighbor_votes(KNeighborsClassifier(3).fit(X, y), [[0.2]], y)
    >>> votes.rows.tolist(), votes.labels.tolist()
    ([[0, 1, 3]], [['a', 'a', 'b']])
    """
    if not hasattr(model, "kneighbors"):
        raise IncompatibleError(
            f"{type(model).__name__} has no kneighbors: its neighbours do not vote."
        )
    distances, rows = model.kneighbors(X)
    return NeighborVotes(rows, distances, np.asarray(y)[rows])
