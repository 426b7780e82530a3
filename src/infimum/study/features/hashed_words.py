"""Texts as rows of a fixed width, without a vocabulary to learn."""

from collections.abc import Iterable
from typing import Any, Self

from sklearn.base import BaseEstimator, TransformerMixin

from infimum.errors import DataError
from infimum.features.hashed_text import hashed_ngrams
from infimum.parameters import check_domain, whole

__all__ = ["HashedText"]


class HashedText(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Texts described by the buckets that their words and pieces of words fall into.

    Nothing is learnt and nothing is kept, so that a stream of texts may bring words
    that no one has seen, and a text has the same row whoever else is in the batch. See
    `infimum.features.hashed_text.hashed_ngrams` for what is counted.

    Parameters
    ----------
    n_features : int, default=2**14
        Buckets. The fewer there are, the more words share one.

    Examples
    --------
    >>> rows = HashedText(512).transform(["Win a prize!", "see you at lunch"])
    >>> rows.shape, rows.format
    ((2, 512), 'csr')

    References
    ----------
    Weinberger, Dasgupta, Langford, Smola & Attenberg (2009), ICML.
    """

    def __init__(self, n_features: int = 2**14) -> None:
        self.n_features = n_features

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Return self: there is nothing to learn."""
        check_domain("HashedText.n_features", self.n_features, whole(1))
        return self

    def partial_fit(self, X: Any = None, y: Any = None) -> Self:
        """Return self, for those who teach in batches."""
        return self.fit()

    def transform(self, X: Iterable[Any]) -> Any:
        """Return a CSR matrix, a row of length 1 a text (0 for an empty one)."""
        check_domain("HashedText.n_features", self.n_features, whole(1))
        if isinstance(X, str):
            raise DataError("HashedText reads a collection of texts, got one text.")
        texts = list(X)
        strange = next((t for t in texts if not isinstance(t, str | None)), None)
        if strange is not None:
            raise DataError(f"HashedText reads texts, got {type(strange).__name__}.")
        return hashed_ngrams(texts, int(self.n_features))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags
