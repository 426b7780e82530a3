"""Bag of words: texts compared by the words they share."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from infimum.errors import DataError
from infimum.kernels._pairs import CountingKernel

__all__ = ["BagOfWords"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_END_OF_SENTENCE = re.compile(r"[.!?。！？]+\s*")


@dataclass(frozen=True)
class BagOfWords(CountingKernel):
    r"""Number of words that two texts share, with multiplicity.

    .. math:: k(x, z) = \sum_{\text{words } t} \#(x, t)\,\#(z, t)

    Words are runs of letters and digits, whatever their case. The richer form counts
    the pairs of different words that occur in one sentence.

    Parameters
    ----------
    pairs : bool, default=False
        Whether to count pairs of words in a sentence instead of words.
    ignored : frozenset of str, default=empty
        Words, in lower case, that do not count.

    Examples
    --------
    >>> BagOfWords()(["To be, or not to be."], ["not to"])
    array([[3.]])
    """

    pairs: bool = False
    ignored: frozenset[str] = frozenset()

    def count(self, thing: Any) -> Mapping[Any, float]:
        """Return the words of one text, or pairs of words, with their counts."""
        if not isinstance(thing, str):
            raise DataError(f"BagOfWords expects texts, got {type(thing).__name__}.")
        if not self.pairs:
            return Counter(self._words(thing))
        sentences = map(self._words, _END_OF_SENTENCE.split(thing))
        return Counter(
            pair for words in sentences for pair in combinations(sorted({*words}), 2)
        )

    def _words(self, text: str) -> list[str]:
        found = _WORD.findall(text.casefold())
        return [word for word in found if word not in self.ignored]
