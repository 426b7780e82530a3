"""Alignment kernel: all ways to edit one string into the other, added up."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from infimum.compiled.texts.alignments import sum_alignments
from infimum.kernels._kernel import size_of
from infimum.kernels._pairs import PairKernel
from infimum.kernels.strings._sequences import Codes, encode
from infimum.parameters import positive
from infimum.typing import Vector

__all__ = ["Alignments"]


class _Text(NamedTuple):
    codes: Codes
    logarithm: float


@dataclass(frozen=True)
class Alignments(PairKernel):
    r"""Sum over all alignments of two strings, normalised.

    .. math:: S(x, z) = \sum_{a} e^{-\text{price}(a)/\text{width}}, \qquad
              k(x, z) = \frac{S(x, z)}{\sqrt{S(x, x)\,S(z, z)}}

    An alignment pairs some letters of x with letters of z, in order; it pays
    `substitution` for each unequal pair and `gap` for each letter left alone. The
    cheapest alignment is the edit distance; the sum over all of them, unlike the
    minimum, is positive semi-definite. Small widths follow the cheapest.

    Examples
    --------
    >>> Alignments()(["kitten"], ["kitten", "sitting"]).round(3)
    array([[1.  , 0.16]])
    """

    _compiled: ClassVar[bool] = True

    width: float = field(default=1.0, metadata={"domain": positive})
    substitution: float = field(default=1.0, metadata={"domain": positive})
    gap: float = field(default=1.0, metadata={"domain": positive})

    def _sum(self, x: Codes, z: Codes) -> float:
        weights = np.exp(-np.array([self.substitution, self.gap]) / self.width)
        return float(sum_alignments(x, z, weights[0], weights[1]))

    def _prepare(self, X: Sequence[Any]) -> Sequence[_Text]:
        codes = encode(X, "Alignments")[0]
        return [_Text(text, self._sum(text, text)) for text in codes]

    def _pair(self, x: _Text, z: _Text) -> float:
        lengths = 0.5 * (x.logarithm + z.logarithm)
        return float(np.exp(self._sum(x.codes, z.codes) - lengths))

    def diagonal(self, X: Any) -> Vector:
        return np.ones(size_of(X))
