"""Hashed n-grams beside a slow and plain account of what they are."""

from itertools import pairwise

import numpy as np
import pytest

from infimum.features.hashed_text import hashed_ngrams

MASK = 2**64 - 1


def fnv(letters, start):
    name = 0xCBF29CE484222325 ^ start
    for letter in letters:
        name = ((name ^ ord(letter)) * 0x100000001B3) & MASK
    return name


def expected(text, n_buckets):
    """Return the row of one text, from its words in Python."""
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    names, sums = [], np.zeros(n_buckets)
    for word in words:
        names.append(fnv(word, 1))
        padded = f" {word} "
        names += [
            fnv(padded[i : i + size], 3)
            for size in (3, 4, 5)
            for i in range(len(padded) - size + 1)
        ]
    for left, right in pairwise(words):
        before = (fnv(left, 1) * 0x100000001B3) & MASK
        names.append(((before ^ fnv(right, 1) ^ 2) * 0x100000001B3) & MASK)
    for name in names:
        mixed = ((name ^ (name >> 33)) * 0xFF51AFD7ED558CCD) & MASK
        mixed ^= mixed >> 33
        sums[mixed % n_buckets] += 1 if mixed >> 63 else -1
    damped = np.sign(sums) * np.log1p(np.abs(sums))
    return damped / (np.linalg.norm(damped) or 1.0)


@pytest.mark.parametrize("n_buckets", [7, 64, 1000])
def test_buckets_hold_words_pairs_and_pieces(n_buckets):
    texts = ["The cat, the dog", "", None, "Łódź 東京 straße!", "a", "  ...  "]
    matrix = hashed_ngrams(texts, n_buckets)
    for row, text in zip(matrix.toarray(), texts, strict=True):
        np.testing.assert_allclose(row, expected(text or "", n_buckets), atol=1e-12)
    assert matrix.has_sorted_indices


def test_a_text_has_the_same_row_whatever_stands_around_it():
    alone = hashed_ngrams(["one small step"], 256).toarray()[0]
    among = hashed_ngrams(["x", "one small step", "y"], 256).toarray()[1]
    np.testing.assert_array_equal(alone, among)


def test_misspelt_and_related_words_stay_near():
    texts = ["defective engine", "defectiv engines", "sunny garden"]
    near = hashed_ngrams(texts, 4096)
    likeness = (near @ near.T).toarray()
    assert likeness[0, 1] > 0.4 > 10 * abs(likeness[0, 2])


def test_no_text_at_all_is_an_empty_matrix():
    assert hashed_ngrams([], 16).shape == (0, 16)
    assert hashed_ngrams([None, ""], 16).nnz == 0
