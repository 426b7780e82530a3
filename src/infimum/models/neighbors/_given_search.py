"""A search among distances that are given: all of them, or those of near ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._ranking import smallest
from infimum.typing import Indices, Matrix

__all__ = ["GivenSearch"]


@dataclass(frozen=True)
class GivenSearch:
    """Queries that bring their distances: a table, or a sparse graph of neighbours.

    What a graph does not store is further away than what it does; a stored 0 is a
    distance of 0.
    """

    owner: str

    def nearest(self, queries: Any, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest samples, the nearest first."""
        if not bool(sparse.issparse(queries)):
            return smallest(np.asarray(queries, dtype=np.float64), count)
        stored = np.diff(queries.indptr)
        if stored.min() < count:
            raise DataError(
                f"{self.owner}: row {int(stored.argmin())} of the precomputed graph "
                f"stores {int(stored.min())} neighbours, {count} are asked for."
            )
        rows = np.repeat(np.arange(len(stored)), stored)
        order = np.lexsort((queries.indices, queries.data, rows))
        first = order[queries.indptr[:-1, None] + np.arange(count)]
        distances = np.asarray(queries.data[first], dtype=np.float64)
        return distances, queries.indices[first].astype(np.intp)

    def within(self, queries: Any, radius: float) -> Nearby:
        """Return distances and names of all within a radius, by name."""
        if not bool(sparse.issparse(queries)):
            rows = np.asarray(queries, dtype=np.float64)
            near = [np.flatnonzero(row <= radius) for row in rows]
            pairs = zip(rows, near, strict=True)
            return Nearby.of([(row[names], names) for row, names in pairs])
        found = []
        for start, stop in zip(queries.indptr[:-1], queries.indptr[1:], strict=True):
            distances, names = queries.data[start:stop], queries.indices[start:stop]
            inside = np.flatnonzero(distances <= radius)
            kept = inside[np.argsort(names[inside])]
            found.append(
                (distances[kept].astype(np.float64), names[kept].astype(np.intp))
            )
        return Nearby.of(found)
