"""Kernels on strings against brute force over all substrings and subsequences."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from infimum.compiled.texts.suffix_automaton import match_substrings
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import (
    Alignments,
    AllSubstrings,
    BagOfWords,
    BoundedRange,
    Composed,
    Convolution,
    Delta,
    EditDistance,
    GappedSubsequences,
    Linear,
    Mismatch,
    Spectrum,
    check_definite,
    is_subsequence,
    is_substring,
    occurrence_weight,
    splits,
)

STRINGS = ["", "a", "abba", "banana", "ananas", "naïve", "aaaa", "🙂a🙂", "bananaban"]


def random_strings(rng, count, longest, letters="abé"):
    sizes = rng.integers(0, longest + 1, count)
    return ["".join(rng.choice([*letters], size)) for size in sizes]


def substrings(text, lengths=range(1, 99)):
    return Counter(
        text[i : i + k] for k in lengths for i in range(max(0, len(text) - k + 1))
    )


def alike(substring):
    return 1.0


def inner(first, second, weight=alike):
    return sum(first[s] * second[s] * weight(s) for s in first if s in second)


def gram(things, features, weight=alike):
    maps = [features(thing) for thing in things]
    return np.array([[inner(a, b, weight) for b in maps] for a in maps])


@pytest.mark.syllabus("S0B-125")
def test_substrings_are_contiguous_and_subsequences_need_not_be():
    assert is_subsequence("abc", "adbc")
    assert not is_subsequence("acb", "adbc")
    assert is_substring("adb", "adbc")
    assert not is_substring("adc", "adbc")
    assert is_subsequence("adc", "adbc")
    assert is_substring("", "adbc")
    assert is_subsequence("", "")
    assert not is_substring("a", "")


@pytest.mark.syllabus("S0B-126")
def test_any_weight_of_substrings_makes_a_kernel():
    def rarity(s):  # the inverse frequency of occurrence
        return 1.0 / sum(substrings(text)[s] for text in STRINGS)

    kernel = BoundedRange(20, weight=rarity)
    assert kernel(STRINGS) == pytest.approx(gram(STRINGS, substrings, rarity))
    with pytest.raises(InvalidParameterError, match="not negative"):
        BoundedRange(2, weight=lambda s: -len(s))(STRINGS)


@pytest.mark.syllabus("S0B-127")
@pytest.mark.parametrize("letters", ["a", "ab", "abcdé🙂"])
def test_all_substrings_agree_with_brute_force(letters, rng):
    strings = [*STRINGS, *random_strings(rng, 12, 20, letters)]
    weights = rng.uniform(0, 2, size=30)
    arbitrary = AllSubstrings(lambda length: weights[length])
    expected = gram(strings, substrings, lambda s: weights[len(s)])
    assert arbitrary(strings) == pytest.approx(expected)
    assert arbitrary.diagonal(strings) == pytest.approx(expected.diagonal())
    assert arbitrary(strings[:4], strings[4:]) == pytest.approx(expected[:4, 4:])
    halved = gram(strings, substrings, lambda s: 0.5 ** len(s))
    assert AllSubstrings(0.5)(strings) == pytest.approx(halved)


@pytest.mark.syllabus("S0B-127")
@pytest.mark.parametrize("letters", [1, 2, 20])
def test_all_substrings_cost_a_number_of_steps_linear_in_the_lengths(letters, rng):
    for n in (100, 1000, 10_000):
        text, other = rng.integers(0, letters, (2, n))
        cumulative = np.arange(n + 1.0)
        starts, out = np.array([0, n]), np.zeros(1)
        states, edges, steps = match_substrings(
            text, letters, cumulative, other, starts, out
        )
        assert states <= 2 * n
        assert edges <= 3 * n
        assert steps <= 2 * n
        assert out[0] > 0


def test_all_substrings_are_the_same_whether_steps_are_tabulated_or_looked_up(rng):
    kernel = AllSubstrings(0.7)
    strings = random_strings(rng, 30, 40, "acgt")
    together = kernel(strings)  # many letters to read: a table pays
    apart = [[kernel([x], [z])[0, 0] for z in strings[:6]] for x in strings[:6]]
    assert together[:6, :6] == pytest.approx(np.array(apart), rel=1e-13)


def test_weights_of_lengths_must_not_be_negative():
    with pytest.raises(InvalidParameterError, match="not negative"):
        AllSubstrings(lambda length: 1.0 - length)(STRINGS)
    with pytest.raises(InvalidParameterError, match=r"AllSubstrings\.weight"):
        AllSubstrings(-1.0)


@pytest.mark.syllabus("S0B-128")
def test_the_spectrum_kernel_is_a_product_of_counts_of_n_grams():
    for length in (1, 2, 3, 5):
        expected = gram(STRINGS, lambda s, k=length: substrings(s, [k]))
        assert np.array_equal(Spectrum(length)(STRINGS), expected)
        only = AllSubstrings(lambda size, k=length: float(size == k))
        assert only(STRINGS) == pytest.approx(expected)
    up_to = gram(STRINGS, lambda s: substrings(s, range(2, 5)))
    assert np.array_equal(BoundedRange(4, shortest=2)(STRINGS), up_to)


@pytest.mark.syllabus("S0B-129")
@pytest.mark.parametrize("length, mismatches", [(1, 0), (2, 1), (3, 1), (3, 2), (3, 3)])
def test_the_mismatch_kernel_counts_words_near_to_both(length, mismatches, rng):
    strings = random_strings(rng, 6, 12, "abc")
    words = ["".join(word) for word in product("abc", repeat=length)]

    def near(text):
        windows = [text[i : i + length] for i in range(len(text) - length + 1)]
        return {
            word: sum(
                sum(a != b for a, b in zip(word, window, strict=True)) <= mismatches
                for window in windows
            )
            for word in words
        }

    kernel = Mismatch(length, mismatches, alphabet=3)
    assert np.array_equal(kernel(strings), gram(strings, near))
    if mismatches == 0:
        assert np.array_equal(kernel(strings), Spectrum(length)(strings))
    with pytest.raises(DataError, match="4 different letters"):
        kernel(["abcd"])


def occurrences(text, length, decay):
    found = Counter()
    for places in combinations(range(len(text)), length):
        word = "".join(text[i] for i in places)
        found[word] += decay ** (places[-1] - places[0] + 1)
    return found


@pytest.mark.syllabus("S0B-130")
@pytest.mark.parametrize("decay", [0.4, 1.0])
def test_gapped_subsequences_agree_with_all_choices_of_positions(decay, rng):
    strings = [*STRINGS, *random_strings(rng, 5, 9)]
    total = 0.0
    for length in (1, 2, 3):
        expected = gram(strings, lambda s, k=length: occurrences(s, k, decay))
        kernel = GappedSubsequences(length, decay=decay)
        assert kernel(strings) == pytest.approx(expected)
        total = total + expected
    assert GappedSubsequences(3, decay, shorter=True)(strings) == pytest.approx(total)


@pytest.mark.syllabus("S0B-131")
def test_abc_occurs_three_times_in_abcebc():
    assert occurrence_weight("abc", "abcebc") == 3.0
    for decay in (0.5, 0.9):
        expected = decay**3 + 2 * decay**6
        assert occurrence_weight("abc", "abcebc", decay) == pytest.approx(expected)
        value = GappedSubsequences(3, decay)(["abc"], ["abcebc"])[0, 0]
        assert value == pytest.approx(decay**3 * expected)
    assert occurrence_weight("abc", "abcebc", 0.5) == 0.15625


@pytest.mark.syllabus("S0B-123", "S0B-124")
def test_strings_are_compared_by_their_decompositions():
    assert splits("abc", 2) == [("a", "bc"), ("ab", "c")]
    assert splits("a", 2) == splits("", 1) == []
    kernel = Convolution(lambda text: splits(text, 2), (Spectrum(1), Delta()))
    heads, tails = Spectrum(1), Delta()

    def brute(x, z):
        pairs = product(splits(x, 2), splits(z, 2))
        return sum(
            heads([a], [c])[0, 0] * tails([b], [d])[0, 0] for (a, b), (c, d) in pairs
        )

    expected = np.array([[brute(x, z) for z in STRINGS] for x in STRINGS])
    assert kernel(STRINGS) == pytest.approx(expected)
    assert check_definite(kernel, STRINGS)
    with pytest.raises(DataError, match="2 parts"):
        Convolution(lambda text: splits(text, 3), (Delta(), Delta()))(STRINGS)


@pytest.mark.syllabus("S0B-118", "S4A-140")
def test_texts_are_bags_of_words_or_of_pairs_in_a_sentence():
    text = "The cat sat. The mat sat; the cat!"
    assert BagOfWords().count(text) == {"the": 3, "cat": 2, "sat": 2, "mat": 1}
    assert BagOfWords(pairs=True).count(text) == {
        ("cat", "the"): 2,
        ("cat", "sat"): 2,
        ("sat", "the"): 2,
        ("cat", "mat"): 1,
        ("mat", "sat"): 1,
        ("mat", "the"): 1,
    }
    corpus = [text, "A cat.", "Été: sat", ""]
    vocabulary = ["the", "cat", "sat", "mat", "a", "été"]
    explicit = Composed(
        Linear(), lambda t: [BagOfWords().count(t).get(w, 0) for w in vocabulary]
    )
    assert BagOfWords()(corpus) == pytest.approx(explicit(corpus))
    with pytest.raises(DataError, match="texts"):
        BagOfWords()([b"no"])


def test_edit_distances_are_known_and_no_kernel():
    words = ["kitten", "sitting", "", "saturday", "sunday"]
    distances = EditDistance().distances(words)
    assert distances[0, 1] == 3
    assert distances[3, 4] == 3
    assert distances[2].tolist() == [6, 7, 0, 8, 6]
    assert EditDistance(2.0)(words) == pytest.approx(np.exp(-distances / 2))
    assert EditDistance(gap=0.5).distances(["ab"], ["c"])[0, 0] == 1.5
    assert not EditDistance().definite
    bits = ["".join(word) for k in (1, 2, 3) for word in product("ab", repeat=k)]
    assert not check_definite(EditDistance(4.0), bits)
    assert check_definite(Alignments(4.0), bits)


def test_alignments_add_up_all_ways_to_pair_letters(rng):
    substitution, gap = np.exp(-0.7 / 1.3), np.exp(-0.4 / 1.3)

    def total(x, z):
        return sum(
            substitution ** sum(a != b for a, b in zip(xs, zs, strict=True))
            * gap ** (len(x) + len(z) - 2 * size)
            for size in range(min(len(x), len(z)) + 1)
            for xs in combinations(x, size)
            for zs in combinations(z, size)
        )

    strings = random_strings(rng, 5, 5)
    sums = np.array([[total(x, z) for z in strings] for x in strings])
    lengths = np.sqrt(sums.diagonal())
    kernel = Alignments(1.3, substitution=0.7, gap=0.4)
    assert kernel(strings) == pytest.approx(sums / np.outer(lengths, lengths))
    long = "ab" * 3000
    assert kernel([long], [long])[0, 0] == pytest.approx(1.0)
    assert np.isfinite(kernel(["", "a"], [long])).all()


def test_sequences_of_words_are_strings_too_and_numbers_are_not():
    words = [("to", "be"), ("not", "to", "be"), [1, 2, 1]]
    assert Spectrum(2)(words).tolist() == [[1, 1, 0], [1, 2, 0], [0, 0, 2]]
    assert AllSubstrings()(words[:2]).tolist() == [[3, 3], [3, 6]]
    assert AllSubstrings()([b"ab"], ["ab"])[0, 0] == 0  # bytes are numbers, not letters
    for kernel in (Spectrum(), AllSubstrings(), GappedSubsequences(), EditDistance()):
        with pytest.raises(DataError, match="expects strings"):
            kernel([3.5])
