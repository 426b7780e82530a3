"""Mean embedding: bags of things compared by the average of their members."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.kernels._kernel import Kernel, size_of
from infimum.typing import Matrix, Vector

__all__ = ["MeanEmbedding"]

#: Members met at a time.
MANY = 10_000


@dataclass(frozen=True)
class MeanEmbedding(Kernel):
    r"""Average similarity of the members of two bags.

    .. math:: k(A, B) = \frac{1}{|A|\,|B|} \sum_{a ∈ A} \sum_{b ∈ B} κ(a, b)

    The inner product of the means of the two bags in the feature space of κ. The
    distance that belongs to it is the maximum mean discrepancy of two samples. Bags
    may be of any size; an empty one is the origin.

    Parameters
    ----------
    kernel : Kernel
        κ, on the members.
    mean : bool, default=True
        Whether to average or, with False, to add up.

    Examples
    --------
    >>> from infimum.kernels import Linear
    >>> MeanEmbedding(Linear())([[[1.0], [3.0]]], [[[5.0]]])
    array([[10.]])
    """

    kernel: Kernel
    mean: bool = True

    @property
    def definite(self) -> bool:
        """Whether the kernel on the members is positive semi-definite."""
        return self.kernel.definite

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = _bags(X)
        right = left if Z is None else _bags(Z)
        out = np.zeros((len(left), len(right)))
        # All members of many bags at a time: one call of the kernel for each of few.
        for places, members, starts in _groups(right):
            for row, bag in zip(out, left, strict=True):
                if size_of(bag):
                    sums = np.sum(self.kernel(bag, members), axis=0, dtype=np.float64)
                    row[places] = np.add.reduceat(sums, starts)
        if self.mean:
            out /= np.multiply.outer(_sizes(left), _sizes(right))
        return out if Z is not None else np.tril(out) + np.tril(out, -1).T

    def diagonal(self, X: Any) -> Vector:
        return np.array([self([bag])[0, 0] for bag in X], dtype=np.float64)


def _bags(X: Any) -> list[Any]:
    return [list(bag) if isinstance(bag, set | frozenset) else bag for bag in X]


def _sizes(bags: list[Any]) -> Vector:
    return np.array([max(1, size_of(bag)) for bag in bags], dtype=np.float64)


def _groups(bags: list[Any]) -> Iterator[tuple[list[int], Any, list[int]]]:
    """Yield the places of some bags, their members, and where each bag begins."""
    places: list[int] = []
    starts: list[int] = []
    size = 0
    for place, bag in enumerate(bags):
        if size_of(bag) == 0:
            continue
        places.append(place)
        starts.append(size)
        size += size_of(bag)
        if size >= MANY:
            yield places, _joined([bags[i] for i in places]), starts
            places, starts, size = [], [], 0
    if places:
        yield places, _joined([bags[i] for i in places]), starts


def _joined(bags: list[Any]) -> Any:
    if all(sparse.issparse(bag) for bag in bags):
        return sparse.vstack(bags, format="csr")
    if all(isinstance(bag, np.ndarray) for bag in bags):
        return np.concatenate(bags)
    return [member for bag in bags for member in bag]
