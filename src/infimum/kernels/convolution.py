"""Convolution kernel: structures compared by all their parts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels._kernel import Kernel
from infimum.kernels._pairs import PairKernel
from infimum.typing import Matrix

__all__ = ["Convolution", "splits"]

#: One way to take a thing apart: P parts.
Parts = Sequence[Any]


@dataclass(frozen=True, eq=False)
class Convolution(PairKernel):
    r"""A kernel on structures, from a way to take them apart and kernels on the parts.

    .. math:: k(x, z) = \sum_{r ∈ R(x)} \sum_{s ∈ R(z)} \prod_{p=1}^P k_p(r_p, s_p)

    R(x) is finite: all the ways in which x decomposes into P parts. Strings decompose
    into beginnings and ends, trees into a root and its subtrees, and so on.

    Parameters
    ----------
    decomposition : callable
        R: maps a thing to its decompositions, each a sequence of P parts.
    parts : tuple of Kernel
        k₁, …, k_P.

    Examples
    --------
    >>> from infimum.kernels import Delta
    >>> halves = Convolution(lambda text: splits(text, 2), (Delta(), Delta()))
    >>> halves(["abc"], ["abc", "abd"])
    array([[2., 0.]])
    """

    decomposition: Callable[[Any], Iterable[Parts]]
    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidParameterError("Convolution.parts must hold a kernel.")

    @property
    def definite(self) -> bool:
        """Whether every kernel on parts is positive semi-definite."""
        return all(part.definite for part in self.parts)

    def _prepare(self, X: Sequence[Any]) -> list[list[list[Any]]]:
        return [self._columns(list(self.decomposition(x))) for x in X]

    def _columns(self, ways: list[Parts]) -> list[list[Any]]:
        size = len(self.parts)
        if any(len(way) != size for way in ways):
            raise DataError(
                f"Convolution of {size} kernels needs decompositions into {size} parts."
            )
        return [[way[p] for way in ways] for p in range(size)]

    def _pair(self, x: list[list[Any]], z: list[list[Any]]) -> float:
        if not x[0] or not z[0]:
            return 0.0
        product: Matrix = np.ones((len(x[0]), len(z[0])))
        for part, left, right in zip(self.parts, x, z, strict=True):
            product = product * part(left, right)
        return float(product.sum())


def splits(sequence: Sequence[Any], parts: int) -> list[tuple[Any, ...]]:
    """Return all ways to cut a sequence into so many pieces, none of them empty.

    Examples
    --------
    >>> splits("abc", 2)
    [('a', 'bc'), ('ab', 'c')]
    """
    cuts = combinations(range(1, len(sequence)), parts - 1)
    return [
        tuple(
            sequence[start:stop]
            for start, stop in zip((0, *cut), (*cut, len(sequence)), strict=True)
        )
        for cut in cuts
        if len(sequence) >= parts
    ]
