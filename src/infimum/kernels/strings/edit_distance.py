"""Edit distance kernel: fewer corrections, more alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.compiled.texts.edit_distance import edit_distance
from infimum.kernels._pairs import PairKernel
from infimum.kernels.strings._sequences import encode
from infimum.parameters import positive
from infimum.typing import Matrix

__all__ = ["EditDistance"]


@dataclass(frozen=True)
class EditDistance(PairKernel):
    r"""Similarity that fades with the edit distance; **may be indefinite**.

    .. math:: k(x, z) = \exp\big(-d(x, z)/\text{width}\big)

    d is the least total price of the substitutions, insertions and deletions that
    turn x into z (Levenshtein's distance when both prices are 1). The edit distance is
    no distance of a Hilbert space, so ``definite`` is False; `Alignments` adds up all
    ways to edit instead of taking the cheapest, and is a kernel.

    Examples
    --------
    >>> EditDistance().distances(["kitten"], ["sitting"])
    array([[3.]])
    """

    _compiled: ClassVar[bool] = True

    width: float = field(default=1.0, metadata={"domain": positive})
    substitution: float = field(default=1.0, metadata={"domain": positive})
    gap: float = field(default=1.0, metadata={"domain": positive})

    @property
    def definite(self) -> bool:
        """False: the edit distance is not of negative type."""
        return False

    def distances(self, X: Any, Z: Any = None) -> Matrix:
        """Return the matrix of edit distances."""
        things = list(X)
        others = things if Z is None else list(Z)
        codes = self._prepare([*things, *others])
        rows = [
            [edit_distance(x, z, *self._prices) for z in codes[len(things) :]]
            for x in codes[: len(things)]
        ]
        return np.array(rows).reshape(len(things), len(others))

    @property
    def _prices(self) -> tuple[float, float]:
        return float(self.substitution), float(self.gap)

    def _prepare(self, X: Sequence[Any]) -> Sequence[Any]:
        return encode(X, "EditDistance")[0]

    def _pair(self, x: Any, z: Any) -> float:
        return float(np.exp(-edit_distance(x, z, *self._prices) / float(self.width)))
