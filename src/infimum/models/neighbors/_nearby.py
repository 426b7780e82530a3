"""What is near to each of many queries, in one piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from infimum.typing import Indices, Mask, Vector

__all__ = ["Nearby"]

#: Neighbours of a query from which on they are sorted by themselves.
MANY = 64
#: Neighbours that are worked on at a time.
BLOCK = 2**20


class Nearby(NamedTuple):
    """Distances and names of what is near, query by query, by name in each."""

    #: Where each query begins, and where the last one ends.
    starts: Indices
    distances: Vector
    names: Indices

    @classmethod
    def of(cls, found: Sequence[tuple[Vector, Indices]]) -> Nearby:
        """Return what was found for each query, joined."""
        counts = [len(names) for _, names in found]
        return cls.counted(
            np.array(counts, dtype=np.intp),
            np.concatenate([far for far, _ in found]),
            np.concatenate([names for _, names in found]),
        )

    @classmethod
    def counted(cls, counts: Indices, distances: Vector, names: Indices) -> Nearby:
        """Return what is near to queries that have so many neighbours each."""
        starts = np.zeros(len(counts) + 1, dtype=np.intp)
        np.cumsum(counts, out=starts[1:])
        return cls(starts, distances, names)

    @property
    def counts(self) -> Indices:
        """How many neighbours each query has."""
        return np.diff(self.starts)

    @property
    def queries(self) -> Indices:
        """The query of each neighbour."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    def only(self, kept: Mask) -> Nearby:
        """Return some of the neighbours."""
        counts = np.bincount(self.queries[kept], minlength=len(self.starts) - 1)
        return self.counted(counts, self.distances[kept], self.names[kept])

    def nearest_first(self) -> Nearby:
        """Return the neighbours of each query by distance, then by name."""
        if len(self.names) < MANY * (len(self.starts) - 1):
            order = np.lexsort((self.distances, self.queries))
        else:
            order = np.arange(len(self.names))
            for a, b in pairwise(self.starts.tolist()):
                order[a:b] = a + np.argsort(self.distances[a:b], kind="stable")
        return self._replace(distances=self.distances[order], names=self.names[order])

    def blocks(self) -> Iterator[tuple[slice, Nearby]]:
        """Yield consecutive queries, with no more than about a million neighbours."""
        first, count = 0, len(self.starts) - 1
        while first < count:
            here = int(self.starts[first])
            last = int(np.searchsorted(self.starts, here + BLOCK, side="right")) - 1
            last = max(last, first + 1)
            some = slice(here, int(self.starts[last]))
            starts = self.starts[first : last + 1] - here
            part = Nearby(starts, self.distances[some], self.names[some])
            yield slice(first, last), part
            first = last

    def lists(self, entries: Any) -> Any:
        """Return entries, one for each neighbour, as an array of each query's."""
        out = np.empty(len(self.starts) - 1, dtype=object)
        out[:] = [entries[a:b] for a, b in pairwise(self.starts.tolist())]
        return out
