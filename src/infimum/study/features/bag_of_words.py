"""Texts as word counts, without the words that carry no meaning."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.study.features.stemming import stem
from infimum.study.features.term_counts import TermCounts

__all__ = ["STOP_WORDS", "BagOfWords"]

_ENGLISH = """
a about above after again all also am an and any are as at be because been before
being below between both but by can cannot could did do does doing down during each
few for from further had has have having he her here hers herself him himself his
how i if in into is it its itself just me more most my myself no nor not now of off
on once only or other our ours ourselves out over own same she should so some such
than that the their theirs them themselves then there these they this those through
to too under until up very was we were what when where which while who whom why will
with would you your yours yourself yourselves
"""
#: English words that say how a sentence is built, not what it is about.
STOP_WORDS = frozenset(_ENGLISH.split())


class BagOfWords(TermCounts):
    r"""Texts described by how often each word occurs, whatever the order.

    .. math:: Φ_t(\text{text}) = \text{number of occurrences of the term } t

    Words are found by a pattern, lower-cased, dropped when they are stop words, and
    reduced to their stems; terms that occur in too few or too many texts are dropped.

    Parameters
    ----------
    stop_words : "english", None or a collection of str, default="english"
        Words to leave out, compared before stemming.
    stemmer : callable or None, default=``stem``
        Maps a word to its term; None keeps the words as they are.
    tokenizer : callable or None, default=None
        Maps a text to its words; None finds runs of letters, digits and apostrophes.
    lowercase : bool, default=True
        Whether upper and lower case are the same word.
    min_df, max_df : int or float, default=1 and 1.0
        Fewest and most texts a term may occur in; a float is a share of all texts.
    max_features : int or None, default=None
        Keep only so many terms, the most frequent ones.
    binary : bool, default=False
        Whether to record only that a term occurs.
    dtype : dtype, default=float64
        Type of the counts.

    Attributes
    ----------
    vocabulary_ : dict
        Term to column, in alphabetical order.

    Examples
    --------
    >>> bag = BagOfWords().fit(["The horse runs.", "Horses ran for you."])
    >>> bag.get_feature_names_out()
    array(['horse', 'ran', 'run'], dtype=object)
    """

    def __init__(
        self,
        *,
        stop_words: str | Collection[str] | None = "english",
        stemmer: Callable[[str], str] | None = stem,
        tokenizer: Callable[[str], list[str]] | None = None,
        lowercase: bool = True,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        binary: bool = False,
        dtype: Any = np.float64,
    ) -> None:
        self.stop_words = stop_words
        self.stemmer = stemmer
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.binary = binary
        self.dtype = dtype

    def count(self, thing: Any) -> Mapping[str, float]:
        """Return the terms of one text with their numbers of occurrences."""
        if not isinstance(thing, str):
            raise DataError(
                f"BagOfWords expects texts (str), got {type(thing).__name__}: "
                "decode bytes and fill missing texts with ''."
            )
        text = thing.lower() if self.lowercase else thing
        words = Counter(
            _words(text) if self.tokenizer is None else self.tokenizer(text)
        )
        for stopped in self._stopped() & words.keys():
            del words[stopped]
        if self.stemmer is None:
            return words
        terms: Counter[str] = Counter()
        for word, number in words.items():
            terms[self.stemmer(word)] += number
        return terms

    def _stopped(self) -> Collection[str] | Any:
        if self.stop_words is None:
            return frozenset()
        if not isinstance(self.stop_words, str):
            return frozenset(self.stop_words)
        if self.stop_words == "english":
            return STOP_WORDS
        raise InvalidParameterError(
            "BagOfWords.stop_words must be 'english', None or a collection of words, "
            f"got {self.stop_words!r}."
        )


_words = re.compile(r"[^\W_]+(?:'[^\W_]+)*").findall
