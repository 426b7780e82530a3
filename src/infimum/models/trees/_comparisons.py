"""Comparisons of distances: from vectors, precomputed distances, or a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.data.doors import check_fitted, rows, samples
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Indices, Mask

__all__ = ["admit_queries", "admit_things", "comparisons"]

#: Entries of a block of vectors that are compared at once.
BLOCK = 1 << 20
_RULE: dict[str, Any] = {"moderate": True, "accept_sparse": False}


def admit_things(model: Any, X: Any) -> Any:
    """Let the things to learn from in: rows, square distances, or any collection."""
    if callable(model.metric):
        things = X if hasattr(X, "shape") else list(X)
        if len(things) == 0:
            raise DataError(f"{type(model).__name__} needs samples, got none.")
        return things
    _check_metric(model)
    table = rows(model, X, **_RULE).X
    if model.metric == "precomputed" and table.shape[0] != table.shape[1]:
        raise DataError(
            f"{type(model).__name__}: precomputed distances must be square, got "
            f"{table.shape[0]} × {table.shape[1]}."
        )
    return table


def admit_queries(model: Any, X: Any) -> Any:
    """Let queries in: rows, their distances to the samples, or any collection."""
    if callable(model.metric):
        check_fitted(model)
        return X if hasattr(X, "shape") else list(X)
    return samples(model, X, **_RULE)


def comparisons(
    metric: Any, known: Any, queries: Any
) -> Callable[[Indices, Indices, Indices], Mask]:
    """Return the function that compares queries with pairs of samples."""
    if callable(metric):

        def ask(rows: Indices, first: Indices, second: Indices) -> Mask:
            answers = (
                bool(metric(queries[i], known[a], known[b]))
                for i, a, b in zip(rows, first, second, strict=True)
            )
            return np.fromiter(answers, dtype=np.bool_, count=len(rows))

        return ask
    if metric == "precomputed":
        return lambda rows, first, second: np.asarray(
            queries[rows, first] < queries[rows, second]
        )
    measure = _MEASURES[metric]

    def compare(rows: Indices, first: Indices, second: Indices) -> Mask:
        out = np.empty(len(rows), dtype=np.bool_)
        step = max(1, BLOCK // max(1, queries.shape[1]))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            asked = queries[rows[part]]
            near = measure(asked - known[first[part]])
            out[part] = near < measure(asked - known[second[part]])
        return out

    return compare


#: Anything that grows with the distance will do.
_MEASURES: dict[str, Callable[[Any], Any]] = {
    "euclidean": lambda apart: np.einsum("ij,ij->i", apart, apart),
    "manhattan": lambda apart: np.abs(apart).sum(axis=1),
    "chebyshev": lambda apart: np.abs(apart).max(axis=1),
}


def _check_metric(model: Any) -> None:
    known = (*_MEASURES, "precomputed")
    if model.metric not in known:
        raise InvalidParameterError(
            f"{type(model).__name__}.metric must be one of "
            f"{', '.join(map(repr, known))}, or a function of x, a and b, got "
            f"{model.metric!r}."
        )
