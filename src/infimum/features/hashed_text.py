"""Free text as hashed n-grams: every word, pair and piece of a word has a bucket."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["hashed_ngrams", "of_length_one"]

#: Pieces of words have so many letters, the spaces around the word counted.
SHORTEST, LONGEST = 3, 5


def hashed_ngrams(texts: Sequence[str | None], n_buckets: int) -> Any:
    """Return a CSR matrix of hashed n-grams, a row of length 1 a text.

    Words, pairs of neighbouring words and pieces of three to five letters fall into
    `n_buckets` columns by a fixed hash function, each with a sign of its own, so that
    what meets by chance in a bucket cancels in the mean (Weinberger et al., ICML 2009).
    A sum s counts as sign(s) log(1 + |s|); rows are then scaled to length 1, those of
    empty texts are zero. Upper and lower case are the same.

    Examples
    --------
    >>> from infimum.features.hashed_text import hashed_ngrams
    >>> same, too, other = hashed_ngrams(["A cat!", "a cat", "two dogs"], 512)
    >>> float((same @ too.T).toarray()[0, 0].round(9))
    1.0
    """
    # The machine code is loaded when the first text is met.
    from infimum.compiled.texts.text_hashes import count_buckets, fill_buckets

    letters, starts = _letters(texts)
    sizes = count_buckets(letters, starts, n_buckets, SHORTEST, LONGEST)
    places = np.concatenate([[0], np.cumsum(sizes)])
    columns = np.empty(places[-1], dtype=np.int64)
    values = np.empty(places[-1])
    fill_buckets(letters, starts, n_buckets, SHORTEST, LONGEST, places, columns, values)
    shape = (len(texts), n_buckets)
    matrix = sparse.csr_matrix((_damped(values), columns, places), shape=shape)
    matrix.eliminate_zeros()
    return of_length_one(matrix)


def _letters(texts: Sequence[str | None]) -> tuple[Any, Any]:
    """Return the code points of all texts, 32 between words, and where each starts."""
    lowered = [(text or "").lower() for text in texts]
    lengths = [len(text) for text in lowered]
    joined = "".join(lowered)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    plain = np.full(int(codes.max(initial=0)) + 1, 32, dtype=np.int64)
    for sign in set(joined):
        if sign.isalnum():
            plain[ord(sign)] = ord(sign)
    return plain[codes], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _damped(values: Any) -> Any:
    return np.sign(values) * np.log1p(np.abs(values))


def of_length_one(matrix: Any) -> Any:
    """Scale the rows of a CSR matrix to length 1, in place; those of zeros stay."""
    squares = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
    lengths = np.sqrt(np.where(squares > 0, squares, 1.0))
    matrix.data /= np.repeat(lengths, np.diff(matrix.indptr))
    return matrix
