"""Two ways of computing a Gram matrix of things that are not vectors."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from infimum.kernels._base import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["CountingKernel", "PairKernel"]


class PairKernel(Kernel):
    """A kernel computed pair by pair, each thing prepared once."""

    def _prepare(self, X: Sequence[Any]) -> Sequence[Any]:
        """Return the things of both collections in the form `_pair` wants them."""
        return X

    @abstractmethod
    def _pair(self, x: Any, z: Any) -> float:
        """Return k(x, z) of two prepared things."""

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        things = list(X)
        n = len(things)
        if Z is not None:
            both = self._prepare([*things, *Z])
            rows = [[self._pair(x, z) for z in both[n:]] for x in both[:n]]
            return np.array(rows, dtype=np.float64).reshape(n, len(both) - n)
        things = list(self._prepare(things))
        out = np.zeros((n, n))
        for i, x in enumerate(things):
            out[i, : i + 1] = [self._pair(x, z) for z in things[: i + 1]]
        return np.asarray(out + np.tril(out, -1).T)

    def diagonal(self, X: Any) -> Vector:
        things = self._prepare(list(X))
        return np.array([self._pair(x, x) for x in things], dtype=np.float64)


class CountingKernel(Kernel):
    """A kernel that is the inner product of explicit counts, one map per thing."""

    @abstractmethod
    def count(self, thing: Any) -> Mapping[Hashable, float]:
        """Return the features of one thing that are not 0, with their values."""

    def _count_all(self, things: Sequence[Any]) -> Sequence[Mapping[Hashable, float]]:
        return [self.count(thing) for thing in things]

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        things = list(X)
        n = len(things)
        table = _table(self._count_all(things if Z is None else [*things, *Z]))
        left, right = table[:n], (table if Z is None else table[n:])
        return np.asarray((left @ right.T).toarray())

    def diagonal(self, X: Any) -> Vector:
        counts = self._count_all(list(X))
        squares = [sum(v * v for v in features.values()) for features in counts]
        return np.array(squares, dtype=np.float64)


def _table(counts: Sequence[Mapping[Hashable, float]]) -> Any:
    columns: dict[Hashable, int] = {}
    places = [columns.setdefault(name, len(columns)) for row in counts for name in row]
    values = np.array([v for row in counts for v in row.values()], dtype=np.float64)
    starts = np.cumsum([0, *map(len, counts)])
    return sparse.csr_array(
        (values, np.array(places, dtype=np.int64), starts),
        shape=(len(counts), max(1, len(columns))),
    )
