"""Two ways of computing a Gram matrix of things that are not vectors."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["CountingKernel", "PairKernel"]


class PairKernel(Kernel):
    """A kernel computed pair by pair, each thing prepared once."""

    #: Whether a pair is compared in machine code, on any core.
    _compiled: ClassVar[bool] = False

    def _prepare(self, X: Sequence[Any]) -> Sequence[Any]:
        """Return the things of both collections in the form `_pair` wants them."""
        return X

    @abstractmethod
    def _pair(self, x: Any, z: Any) -> float:
        """Return k(x, z) of two prepared things."""

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        things = list(X)
        n = len(things)
        both = list(self._prepare(things if Z is None else [*things, *Z]))
        rows, columns = both[:n], (both if Z is None else both[n:])
        out = np.zeros((n, len(columns)))

        def fill(i: int) -> None:
            some = columns[: i + 1] if Z is None else columns
            out[i, : len(some)] = [self._pair(rows[i], z) for z in some]

        self._each(n, fill)
        return out if Z is not None else np.asarray(out + np.tril(out, -1).T)

    def _each(self, n: int, fill: Callable[[int], None]) -> None:
        if not self._compiled:
            for i in range(n):
                fill(i)
            return
        from infimum.compiled.threads import in_parts

        def fill_some(part: slice) -> None:
            for i in range(n)[part]:
                fill(i)

        in_parts(n, fill_some)

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
