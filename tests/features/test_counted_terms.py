"""Terms of texts, counted in blocks, against one text after the other."""

import re
import time
from collections import Counter
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from infimum.features import TableEncoder, counted_terms
from infimum.features.counted_terms import count_terms, count_words, texts_by_term

_SIGNS = [
    "a",
    "B",
    "7",
    "_",
    "é",
    "É",
    "ß",
    "İ",
    "Σ",
    "中",
    "٣",
    "²",
    "Ⅷ",
    "́",
    "‿",
    "🙂",
]
_GAPS = [" ", "-", ".", "\n", "", " ", "'"]


def drawn_texts(seed, count=60):
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(_SIGNS, rng.integers(0, 3))) for _ in range(12)]
    texts = [
        "".join(f"{rng.choice(words)}{rng.choice(_GAPS)}" for _ in range(size))
        for size in rng.integers(0, 9, count)
    ]
    return pl.Series("said", [None if rng.random() < 0.1 else text for text in texts])


def bags(column, *, pairs):
    found = []
    for text in column.to_list():
        words = re.findall(r"\w+", (text or "").lower())
        found.append(Counter(words + pairs * list(map(" ".join, pairwise(words)))))
    return found


@pytest.mark.parametrize("letters", [1, 40, 10**6])
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_blocks_of_any_size_count_what_one_text_after_the_other_counts(
    seed, pairs, letters, monkeypatch
):
    monkeypatch.setattr(counted_terms, "_LETTERS", letters)
    column = drawn_texts(seed)
    slow = bags(column, pairs=pairs)
    texts = Counter(term for bag in slow for term in bag)
    ranked = sorted(texts, key=lambda term: (-texts[term], term))
    found = texts_by_term(column, pairs=pairs)
    assert found["term"].to_list() == ranked
    assert found["texts"].to_list() == [texts[term] for term in ranked]
    terms = [*ranked[::3], "never met", "not, met"]
    counts = count_terms(column, terms)
    assert counts.has_canonical_format
    assert counts.toarray().tolist() == [[bag[t] for t in terms] for bag in slow]
    if not pairs:
        assert count_words(column).tolist() == [bag.total() for bag in slow]


@pytest.mark.parametrize("texts", [[], [None, None], ["", "..."]])
def test_texts_without_words_have_no_terms(texts):
    column = pl.Series("said", texts, dtype=pl.String)
    assert texts_by_term(column, pairs=True).height == 0
    assert count_terms(column, ["a", "a b"]).toarray().tolist() == [[0, 0]] * len(texts)
    assert count_words(column).tolist() == [0.0] * len(texts)


def test_many_texts_are_counted_faster_than_one_by_one():
    rng = np.random.default_rng(0)
    words = rng.choice([f"word{k}" for k in range(40)], (20_000, 12))
    column = pl.Series("said", [" ".join(row) for row in words])

    def used(work):
        began = time.process_time()
        work()
        return time.process_time() - began

    slow = min(used(lambda: bags(column, pairs=True)) for _ in range(3))
    fast = min(used(lambda: texts_by_term(column, pairs=True)) for _ in range(3))
    assert fast < slow


@pytest.mark.parametrize("view", ["linear", "trees"])
def test_encoded_texts_do_not_hang_on_the_size_of_blocks(view, monkeypatch):
    frame = drawn_texts(3, 200).to_frame()
    made = []
    for letters in (50, 10**6):
        monkeypatch.setattr(counted_terms, "_LETTERS", letters)
        encoder = TableEncoder({"said": "text"}, view=view, sparse_output=False)
        made.append(encoder.fit_transform(frame))
    assert np.array_equal(*made, equal_nan=True)
