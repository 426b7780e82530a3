"""Mismatch kernel: n-grams that may be misspelt."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import Any, ClassVar

import numpy as np

from infimum.compiled.texts.mismatches import count_mismatches
from infimum.errors import DataError
from infimum.kernels._pairs import PairKernel
from infimum.kernels.strings._sequences import encode
from infimum.parameters import whole
from infimum.typing import Vector

__all__ = ["Mismatch"]


@dataclass(frozen=True)
class Mismatch(PairKernel):
    r"""Substrings of one length, found up to a few wrong letters.

    .. math:: k(x, z) = \sum_{|s| = \text{length}} \#_ε(x, s)\,\#_ε(z, s)

    where :math:`\#_ε(x, s)` counts the windows of x that differ from s in at most ε
    letters, and s runs over all words of the alphabet. How many s are near both of two
    windows depends only on the number of letters in which these differ, so the words
    are never listed: a pair costs :math:`O(|x|·|z|)`.

    Parameters
    ----------
    length : int, default=5
    mismatches : int, default=1
        ε; 0 is the spectrum kernel.
    alphabet : int, default=26
        How many letters there are; 4 for DNA, 20 for proteins.

    Examples
    --------
    >>> Mismatch(2, mismatches=1, alphabet=2)(["ab"], ["aa", "ba"])
    array([[2., 2.]])
    """

    _compiled: ClassVar[bool] = True

    length: int = field(default=5, metadata={"domain": whole(1)})
    mismatches: int = field(default=1, metadata={"domain": whole(0)})
    alphabet: int = field(default=26, metadata={"domain": whole(1)})

    @cached_property
    def _common(self) -> Vector:
        """How many words are near both of two windows that differ in d letters."""
        k, near, letters = int(self.length), int(self.mismatches), int(self.alphabet)
        return np.array([_words_near_both(d, k, near, letters) for d in range(k + 1)])

    def _prepare(self, X: Sequence[Any]) -> Sequence[Any]:
        codes, letters = encode(X, "Mismatch")
        if letters > self.alphabet:
            raise DataError(
                f"Mismatch.alphabet is {self.alphabet}, but the strings have "
                f"{letters} different letters: say how many there can be."
            )
        return codes

    def _pair(self, x: Any, z: Any) -> float:
        return float(count_mismatches(x, z, int(self.length)) @ self._common)


def _words_near_both(apart: int, length: int, near: int, letters: int) -> float:
    """Count the words within `near` of two words that differ in `apart` letters.

    Where the two differ, a word may side with the first (i times), with the second (j
    times) or with neither; where they agree, it may leave both (t times).
    """
    total = 0
    for i in range(apart + 1):
        for j in range(apart - i + 1):
            neither = apart - i - j
            ways = comb(apart, i) * comb(apart - i, j) * max(0, letters - 2) ** neither
            spare = near - max(apart - i, apart - j)
            total += ways * sum(
                comb(length - apart, t) * (letters - 1) ** t
                for t in range(min(spare, length - apart) + 1)
            )
    return float(total)
