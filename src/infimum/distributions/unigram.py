"""Unigram: how probable words are, by their counts and a prior."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from infimum.distributions._given import numbers
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import check_domain, nonnegative, shown

__all__ = ["Unigram"]


@dataclass(frozen=True, eq=False)
class Unigram:
    r"""A bag-of-words language model, as likely as possible or smoothed.

    .. math:: p(w) = \frac{m_w + n \nu_w}{m + n}

    m_w counts a word, n is the strength of a Dirichlet prior and ν its mean, by default
    the same for every word of the vocabulary. n = 0 gives the relative frequencies,
    n = |vocabulary| Laplace's smoothing.

    Examples
    --------
    >>> model = Unigram.fit(["to be or not to be".split()], strength=5, vocabulary="x")
    >>> round(model.probability("be"), 3), round(model.probability("x"), 3)
    (0.273, 0.091)
    """

    counts: Mapping[str, float]
    strength: float = 0.0
    means: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        check_domain("Unigram.strength", self.strength, nonnegative)
        counts = numbers("Unigram.counts", list(self.counts.values()))
        if not counts.size or not (np.isfinite(counts) & (counts >= 0)).all():
            raise DataError("Unigram needs words, and counts that are not negative.")
        shares = numbers("Unigram.means", list((self.means or {"": 1.0}).values()))
        if not (shares >= 0).all() or not abs(shares.sum() - 1.0) <= 1e-9:
            raise InvalidParameterError(
                "Unigram.means must be non-negative numbers that sum to 1."
            )

    @classmethod
    def fit(
        cls,
        documents: Iterable[Iterable[str]],
        strength: float = 0.0,
        vocabulary: Iterable[str] = (),
        means: Mapping[str, float] | None = None,
    ) -> Unigram:
        """Count the words of documents; `vocabulary` adds words they do not have."""
        counts: Counter[str] = Counter()
        try:
            for document in documents:
                counts.update(document)
        except TypeError:
            raise DataError(
                "Unigram.fit takes documents, each a list of words, got "
                f"{shown(documents)}."
            ) from None
        for word in (*vocabulary, *(means or ())):
            counts.setdefault(word, 0)
        return cls(dict(counts), strength, means)

    @property
    def total(self) -> float:
        """The number of words seen."""
        return float(sum(self.counts.values()))

    def probability(self, word: str) -> float:
        """Return p(w); 0 for a word outside the vocabulary."""
        if word not in self.counts:
            return 0.0
        even = 1.0 / len(self.counts)
        prior = even if self.means is None else self.means.get(word, 0.0)
        whole = self.total + self.strength
        if whole == 0:
            raise DataError("Unigram has seen no word and has no prior.")
        return (self.counts[word] + self.strength * prior) / whole

    def log_probability(self, document: Iterable[str]) -> float:
        """Return Σ log p(w) over the words of a document.

        A word of probability 0 makes it -inf, and warns.
        """
        words = list(document)
        shares = {word: self.probability(word) for word in set(words)}
        missing = sorted(word for word, share in shares.items() if share == 0)
        if missing:
            warnings.warn(
                f"Unigram: {missing[0]!r} was never seen, so that the document has "
                "probability 0; a strength above 0 gives it some.",
                stacklevel=2,
            )
            return -np.inf
        return float(sum(np.log(shares[word]) for word in words))
