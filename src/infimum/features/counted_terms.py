"""Words of texts and pairs of neighbouring words, counted without a loop over texts.

Texts are taken in blocks of so many letters, so that what a block needs is bounded
however long the column is. A word is a run of letters, digits and underscores in lower
case, as the `re` module finds it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from infimum.typing import Vector

__all__ = ["count_terms", "count_words", "texts_by_term"]

#: A word; the same signs as those of the `re` module.
_WORD = r"[\p{L}\p{N}_]+"
#: Letters of a block of texts: some hundred megabytes while it is counted.
_LETTERS = 20_000_000

Codes = NDArray[np.int64]


class _Block(NamedTuple):
    """The words of some texts: how many each has, all in a row as codes, their names.

    A pair of words is named `first * len(words) + second`.
    """

    lengths: Codes
    codes: Codes
    words: pl.Series

    def matrix(self, codes: Codes, lengths: Codes) -> Any:
        """Return how often each text has each code, as CSR of canonical form."""
        starts = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(lengths), max(len(self.words), 1) ** 2)
        counts = sparse.csr_matrix((np.ones(len(codes)), codes, starts), shape=shape)
        counts.sum_duplicates()
        return counts

    def pairs(self) -> tuple[Codes, Codes]:
        """Return the codes of the pairs of neighbours, and how many each text has."""
        text = np.repeat(np.arange(len(self.lengths)), self.lengths)
        inside = text[1:] == text[:-1]
        found = self.codes[:-1] * len(self.words) + self.codes[1:]
        return found[inside], np.maximum(self.lengths - 1, 0)


def count_words(column: pl.Series) -> Vector:
    """Return how many words every text has.

    Examples
    --------
    >>> count_words(pl.Series(["a cat, a dog", None])).tolist()
    [4.0, 0.0]
    """
    counts = _lowered(column).str.count_matches(_WORD)
    return np.asarray(counts.to_numpy(), dtype=np.float64)


def texts_by_term(column: pl.Series, *, pairs: bool) -> pl.DataFrame:
    """Return every word, and pair if asked for, with the number of texts it is in.

    The most frequent are first, equals in the order of the alphabet.

    Examples
    --------
    >>> found = texts_by_term(pl.Series(["a cat", "a dog", "a cat"]), pairs=True)
    >>> found["term"].to_list()
    ['a', 'a cat', 'cat', 'a dog', 'dog']
    >>> found["texts"].to_list(), found["pair"].to_list()
    ([3, 2, 2, 1, 1], [False, True, False, True, False])
    """
    parts = [pl.DataFrame(schema={"term": str, "texts": pl.Int64, "pair": bool})]
    for block in _blocks(column):
        used, texts = _texts(block.matrix(block.codes, block.lengths))
        parts.append(_part(block.words.gather(used), texts, pair=False))
        if pairs:
            used, texts = _texts(block.matrix(*block.pairs()))
            first, second = np.divmod(used, max(len(block.words), 1))
            names = pl.DataFrame(
                {"a": block.words.gather(first), "b": block.words.gather(second)}
            ).select(pl.concat_str("a", "b", separator=" "))
            parts.append(_part(names.to_series(), texts, pair=True))
    whole = pl.concat(parts).group_by("term", "pair").agg(pl.col("texts").sum())
    return whole.sort(["texts", "term"], descending=[True, False])


def count_terms(column: pl.Series, terms: Sequence[str]) -> Any:
    """Return how often every text has each of the words and pairs, as CSR.

    Examples
    --------
    >>> texts = pl.Series(["a cat, a dog", None, "a cat a cat"])
    >>> count_terms(texts, ["cat", "a cat"]).toarray().tolist()
    [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]]
    """
    pairs = [term for term in terms if " " in term]
    places = {term: place for place, term in enumerate(terms)}
    found = []
    for block in _blocks(column):
        words = block.words.to_list()
        width = len(words)
        known = np.array([places.get(word, -1) for word in words], dtype=np.int64)
        counts = _chosen(block, known[block.codes], block.lengths, len(terms))
        if pairs:
            code = {word: place for place, word in enumerate(words)}
            ends = [each.split(" ") for each in pairs]
            met = {
                code[a] * width + code[b]: places[f"{a} {b}"]
                for a, b in ends
                if a in code and b in code
            }
            codes, lengths = block.pairs()
            counts += _chosen(block, _looked_up(codes, met), lengths, len(terms))
        found.append(counts)
    empty = sparse.csr_matrix((0, len(terms)))
    return sparse.vstack([empty, *found], format="csr")


def _chosen(block: _Block, places: Codes, lengths: Codes, width: int) -> Any:
    """Return the counts of those that have a place."""
    text = np.repeat(np.arange(len(lengths)), lengths)
    kept = places >= 0
    sizes = np.bincount(text[kept], minlength=len(lengths))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    shape = (len(lengths), width)
    ones = np.ones(int(kept.sum()))
    counts = sparse.csr_matrix((ones, places[kept], starts), shape=shape)
    counts.sum_duplicates()
    return counts


def _looked_up(codes: Codes, met: dict[int, int]) -> Codes:
    """Return the places of codes, -1 for those that have none."""
    if not met:
        return np.full(len(codes), -1)
    keys = np.array(sorted(met), dtype=np.int64)
    places = np.array([met[key] for key in keys.tolist()], dtype=np.int64)
    at = np.minimum(np.searchsorted(keys, codes), len(keys) - 1)
    return np.where(keys[at] == codes, places[at], -1)


def _texts(counts: Any) -> tuple[Codes, Codes]:
    """Return the codes that occur and the number of rows each is in."""
    return np.unique(counts.indices.astype(np.int64), return_counts=True)


def _part(names: pl.Series, texts: Codes, *, pair: bool) -> pl.DataFrame:
    part = {"term": names.cast(pl.String), "texts": pl.Series(texts, dtype=pl.Int64)}
    return pl.DataFrame(part).with_columns(pair=pl.lit(pair))


def _blocks(column: pl.Series) -> Iterator[_Block]:
    """Yield the words of the texts, some of them at a time."""
    texts = _lowered(column)
    ends = np.cumsum(texts.str.len_chars().to_numpy().astype(np.int64))
    start = 0
    while start < len(texts):
        before = ends[start - 1] if start else 0
        stop = int(np.searchsorted(ends, before + _LETTERS, side="right"))
        stop = max(stop, start + 1)
        yield _block(texts[start:stop])
        start = stop


def _block(texts: pl.Series) -> _Block:
    lists = texts.str.extract_all(_WORD)
    lengths = lists.list.len().to_numpy().astype(np.int64)
    flat = lists.filter(lists.list.len() > 0).explode().rename("word")
    words = flat.unique(maintain_order=True)
    places = pl.DataFrame({"word": words}).with_row_index("code")
    # A join finds codes faster than a mapping of as many words as there are.
    known = pl.DataFrame(flat).join(
        places, on="word", how="left", maintain_order="left"
    )
    return _Block(lengths, known["code"].to_numpy().astype(np.int64), words)


def _lowered(column: pl.Series) -> pl.Series:
    return column.cast(pl.String).fill_null("").str.to_lowercase()
