"""The door for graphs that may be directed: matrices, or graphs with named nodes."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models.graph._weights import LARGEST, real_numbers
from infimum.typing import Vector

__all__ = ["accept_graph", "place_of", "same_back"]

#: Weights that differ from those of the way back by no more than this share are equal.
SLACK = 1e-12


def accept_graph(owner: str, W: Any) -> tuple[Any, list[Any] | None]:
    """Admit weights from row to column, none negative; return them and the names.

    A graph of networkx is read by its own methods; the weight of an edge without one
    is 1. A CSR matrix of doubles is not copied.
    """
    names = None
    if hasattr(W, "adjacency") and hasattr(W, "is_directed"):
        weights, names = _read(owner, W)
    else:
        given = real_numbers(owner, W)
        if given.ndim != 2 or given.shape[0] != given.shape[1]:  # noqa: PLR2004
            raise DataError(
                f"{owner} reads a square weight matrix, got shape {given.shape}."
            )
        weights = sparse.csr_array(given, dtype=np.float64)
    if not weights.shape[0]:
        raise DataError(f"{owner} needs a graph with at least one vertex.")
    _check(owner, weights.data)
    return weights, names


def place_of(owner: str, node: Any, names: list[Any] | None, n: int) -> int:
    """Return the row of a node, given by its name or number."""
    if names is not None:
        if node in names:
            return names.index(node)
        raise DataError(f"{owner}: the graph has no node {node!r}.")
    if isinstance(node, int | np.integer) and -n <= node < n:
        return int(node) % n
    raise DataError(f"{owner}: a vertex is a number in [0, {n}), got {node!r}.")


def same_back(weights: Any) -> bool:
    """Tell whether a graph is undirected: as heavy on the way back."""
    off = abs(weights - weights.T)
    return not off.nnz or bool(off.max() <= SLACK * weights.data.max(initial=0.0))


def _read(owner: str, graph: Any) -> tuple[Any, list[Any]]:
    names = list(graph)
    place = {name: i for i, name in enumerate(names)}
    rows, columns, entries = [], [], []
    for here, there, weight in graph.edges(data="weight", default=1.0):
        rows.append(place[here])
        columns.append(place[there])
        entries.append(weight)
        if not graph.is_directed() and here != there:
            rows.append(place[there])
            columns.append(place[here])
            entries.append(weight)
    try:
        data: Vector = np.array(entries, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{owner}: a weight is not a number.") from None
    shape = (len(names), len(names))
    weights = sparse.csr_array((data, (rows, columns)), shape=shape)
    return weights, names


def _check(owner: str, entries: Vector) -> None:
    if not entries.size:
        return
    low, high = float(entries.min()), float(entries.max())
    if not np.isfinite(low) or not np.isfinite(high):
        raise DataError(f"{owner}: a weight is not finite.")
    if low < 0:
        raise DataError(f"{owner}: weights cannot be negative, got {low:.3g}.")
    if high > LARGEST:
        raise DataError(
            f"{owner} takes weights up to {LARGEST:.0e}, got {high:.3g}: scale them."
        )
