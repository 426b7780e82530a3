"""Sparse graphs with the nearest neighbour first."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import EfficiencyWarning

from infimum.errors import DataError

__all__ = ["sort_graph_by_row_values"]


def sort_graph_by_row_values(
    graph: Any,
    copy: bool = False,  # noqa: FBT001, FBT002
    warn_when_not_sorted: bool = True,  # noqa: FBT001, FBT002
) -> Any:
    """Return a sparse graph each row of which stores its smallest value first.

    Equal values stay in the order that they had.

    Parameters
    ----------
    graph : sparse matrix of shape (n_samples, n_samples)
    copy : bool, default=False
        Whether to leave the graph as it is and sort a copy; one that is not CSR has
        to be copied.
    warn_when_not_sorted : bool, default=True
        Whether to say in an `EfficiencyWarning` that there was something to do.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 3.0, 1.0], [3.0, 0.0, 2.0], [1.0, 2.0, 0.0]])
    >>> sort_graph_by_row_values(graph, warn_when_not_sorted=False).data
    array([1., 3., 2., 3., 1., 2.])
    """
    kinds = "csr", "csc", "coo", "lil"
    if getattr(graph, "format", None) not in kinds:
        raise DataError(
            f"sort_graph_by_row_values needs a sparse matrix ({', '.join(kinds)}), got "
            f"{getattr(graph, 'format', type(graph).__name__)}."
        )
    if graph.format == "csr" and is_sorted(graph):
        return graph
    if warn_when_not_sorted:
        warnings.warn(
            "The rows of a graph were not sorted by their values: "
            "sort_graph_by_row_values(graph, warn_when_not_sorted=False) sorts them "
            "once and for all.",
            EfficiencyWarning,
            stacklevel=2,
        )
    if graph.format != "csr" and not copy:
        raise DataError(
            f"sort_graph_by_row_values: a graph in the format {graph.format} cannot be "
            "sorted in place; copy=True makes a CSR matrix of it."
        )
    graph = graph.copy() if graph.format == "csr" and copy else graph.asformat("csr")
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    order = np.lexsort((graph.data, rows))  # stable, and row by row
    graph.data[:], graph.indices[:] = graph.data[order], graph.indices[order]
    graph.has_sorted_indices = False
    return graph


def is_sorted(graph: Any) -> bool:
    """Return whether no value of a CSR matrix is below the one before it in its row."""
    falls = np.flatnonzero(graph.data[1:] < graph.data[:-1]) + 1
    return bool(np.isin(falls, graph.indptr[1:-1]).all())
