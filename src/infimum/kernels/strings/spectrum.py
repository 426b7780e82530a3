"""Spectrum kernel: strings compared by their n-grams."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infimum.kernels._pairs import CountingKernel
from infimum.kernels.strings._sequences import accept_sequence
from infimum.parameters import whole

__all__ = ["Spectrum"]


@dataclass(frozen=True)
class Spectrum(CountingKernel):
    r"""Number of common substrings of one length, with multiplicity.

    .. math:: k(x, z) = \sum_{|s| = \text{length}} \#(x, s)\,\#(z, s)

    where #(x, s) counts the places at which s occurs in x. Lengths 3 to 6 serve for
    texts and proteins. Symbols may be letters or, in a tuple, words.

    Examples
    --------
    >>> Spectrum(2)(["banana"], ["ananas"])
    array([[8.]])
    """

    length: int = field(default=3, metadata={"domain": whole(1)})

    def count(self, thing: Any) -> Mapping[Any, float]:
        """Return the substrings of one string with their numbers of occurrences."""
        text, k = accept_sequence(thing, "Spectrum"), int(self.length)
        return Counter(text[i : i + k] for i in range(len(text) - k + 1))
