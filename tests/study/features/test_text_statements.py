"""Texts, strings and web pages as vectors."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from infimum.errors import DataError, InvalidParameterError
from infimum.study.features import (
    STOP_WORDS,
    BagOfWords,
    SubstringCounts,
    WebPageFeatures,
)
from infimum.study.features import stem as take_stem


@pytest.mark.syllabus("S4A-050")
def test_a_bag_of_words_drops_stop_words_stems_and_counts():
    texts = ["The horses ran for you, the horse ran.", "A horse moved; horses moving!"]
    bag = BagOfWords()
    counts = bag.fit_transform(texts)
    assert list(bag.get_feature_names_out()) == ["horse", "move", "ran"]
    assert counts.toarray().tolist() == [[2, 0, 2], [2, 2, 0]]
    assert {"the", "a", "for", "you"} <= STOP_WORDS


@pytest.mark.syllabus("S4A-050")
def test_the_counts_are_those_of_scikit_learn_for_the_same_words():
    texts = ["to be or not to be", "that is the question", "", "be the question"]
    ours = BagOfWords(stop_words=None, stemmer=None, tokenizer=str.split)
    theirs = CountVectorizer(tokenizer=str.split, token_pattern=None)
    assert np.array_equal(
        ours.fit_transform(texts).toarray(), theirs.fit_transform(texts).toarray()
    )
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())
    new = ["be quick", "question the quick"]
    assert np.array_equal(
        ours.transform(new).toarray(), theirs.transform(new).toarray()
    )


@pytest.mark.syllabus("S4A-051")
def test_the_worked_table_of_three_sentences():
    texts = [
        "I like to play soccer.",
        "My soccer shoes are red.",
        "We moved to a new house.",
    ]
    bag = BagOfWords(stop_words={"i", "to", "my", "are", "we", "a", "new"}).fit(texts)
    counts = bag.transform(texts).toarray()
    rows = ["like", "play", "soccer", "shoe", "red", "move", "house"]
    assert set(bag.vocabulary_) == set(rows)
    table = counts[:, [bag.vocabulary_[word] for word in rows]]
    assert table.tolist() == [
        [1, 1, 1, 0, 0, 0, 0],
        [0, 0, 1, 1, 1, 0, 0],
        [0, 0, 0, 0, 0, 1, 1],
    ]


@pytest.mark.syllabus("S0A-039", "S0A-010")
def test_the_worked_table_of_the_fox_and_the_dog():
    texts = ["The quick brown fox jumped over the lazy dog.", "The dog hunts a fox."]
    bag = BagOfWords(stop_words=None, stemmer=None).fit(texts)
    words = "the quick brown fox jumped over lazy dog hunts a"
    order = [bag.vocabulary_[word] for word in words.split()]
    assert bag.transform(texts).toarray()[:, order].tolist() == [
        [2, 1, 1, 1, 1, 1, 1, 1, 0, 0],
        [1, 0, 0, 1, 0, 0, 0, 1, 1, 1],
    ]
    assert len(bag.vocabulary_) == 10


@pytest.mark.parametrize(
    "word, expected",
    [
        ("horses", "horse"),
        ("houses", "house"),
        ("classes", "class"),
        ("churches", "church"),
        ("boxes", "box"),
        ("flies", "fly"),
        ("ties", "tie"),
        ("tried", "try"),
        ("died", "die"),
        ("agreed", "agree"),
        ("feed", "feed"),
        ("moving", "move"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("falling", "fall"),
        ("related", "relate"),
        ("bus", "bus"),
        ("analysis", "analysis"),
        ("glass", "glass"),
        ("string", "string"),
        ("Zürichs", "zürichs"),
        ("is", "is"),
    ],
)
def test_the_stemmer_takes_off_inflections(word, expected):
    assert take_stem(word) == expected


def test_rare_and_common_terms_can_be_left_out():
    texts = ["red tea", "red milk", "red tea tea", "red wine"]
    plain = {"stop_words": None, "stemmer": None}
    assert set(BagOfWords(min_df=2, **plain).fit(texts).vocabulary_) == {"red", "tea"}
    assert "red" not in BagOfWords(max_df=0.9, **plain).fit(texts).vocabulary_
    assert "red" not in BagOfWords(max_df=3, **plain).fit(texts).vocabulary_
    kept = BagOfWords(max_features=2, **plain).fit(texts).vocabulary_
    assert list(kept) == ["red", "tea"]
    only = BagOfWords(binary=True, dtype=np.float32, **plain).fit_transform(texts)
    assert only.max() == 1
    assert only.dtype == np.float32


def test_a_bag_of_words_says_what_is_wrong():
    with pytest.raises(DataError, match="wrap it in a list"):
        BagOfWords().fit("one text")
    with pytest.raises(DataError, match="got bytes"):
        BagOfWords().fit([b"bytes"])
    with pytest.raises(DataError, match="no term left"):
        BagOfWords().fit(["the", "a", ""])
    with pytest.raises(InvalidParameterError, match="stop_words"):
        BagOfWords(stop_words="klingon").fit(["text"])
    with pytest.raises(InvalidParameterError, match=r"BagOfWords\.min_df"):
        BagOfWords(min_df=1.5).fit(["text"])
    with pytest.raises(InvalidParameterError, match=r"BagOfWords\.max_features"):
        BagOfWords(max_features=0).fit(["text"])


def occurrences(string, pattern, gaps):
    """Count index tuples that spell `pattern` and skip at most `gaps` characters."""
    return sum(
        "".join(string[i] for i in chosen) == pattern
        and chosen[-1] - chosen[0] + 1 <= len(pattern) + gaps
        for chosen in combinations(range(len(string)), len(pattern))
    )


@pytest.mark.syllabus("S4A-052")
@pytest.mark.parametrize("length, gaps", [(1, 0), (2, 0), (3, 0), (2, 1), (3, 2)])
def test_substrings_are_counted_with_and_without_gaps(length, gaps):
    strings = ["cat", "car", "cacao", "banana"]
    features = SubstringCounts(length, gaps=gaps)
    counts = features.fit_transform(strings).toarray()
    brute = [
        [occurrences(s, u, gaps) for u in features.get_feature_names_out()]
        for s in strings
    ]
    assert counts.tolist() == brute
    assert counts.sum(axis=0).min() >= 1
    # The inner product is the spectrum kernel: pairs of equal substrings.
    if gaps == 0:
        parts = [
            [s[i : i + length] for i in range(len(s) - length + 1)] for s in strings
        ]
        spectrum = [[sum(u == v for u in p for v in q) for q in parts] for p in parts]
        assert (counts @ counts.T).tolist() == spectrum


@pytest.mark.syllabus("S4A-052")
def test_cat_and_car_share_more_when_gaps_are_allowed():
    pair = ["cat", "car"]
    close, loose = SubstringCounts(2), SubstringCounts(2, gaps=1, decay=0.5)
    assert set(close.fit(pair).vocabulary_) == {"ca", "at", "ar"}
    Phi = loose.fit_transform(pair)
    assert set(loose.vocabulary_) == {"ca", "at", "ar", "ct", "cr"}
    assert Phi[0, loose.vocabulary_["ct"]] == 0.5  # one skipped character
    assert Phi[0, loose.vocabulary_["at"]] == 1.0


def test_substring_counts_say_what_is_wrong():
    with pytest.raises(InvalidParameterError, match=r"SubstringCounts\.length"):
        SubstringCounts(0).fit(["a"])
    with pytest.raises(InvalidParameterError, match=r"SubstringCounts\.decay"):
        SubstringCounts(decay=0.0).fit(["abc"])
    with pytest.raises(DataError, match="got int"):
        SubstringCounts().fit([7])


PAGE = """<html><head><title>Soccer</title><style>.team {color: red}</style></head>
<body><h1>Soccer news</h1><p>The <b>team</b> plays soccer; our Team's goal: win.</p>
<img src="soccer.png"><IMG src="team.png"/><script>var soccer = "team";</script></body>
</html>"""


@pytest.mark.syllabus("S4A-062")
def test_a_web_page_becomes_four_counts():
    pages = WebPageFeatures(("soccer", "team"))
    row = pages.fit_transform([PAGE, "no markup"])
    # soccer, news, the, team, plays, soccer, our, team's, goal, win: 10 words.
    assert row.tolist() == [[2, 1, 10, 2], [0, 0, 2, 0]]
    assert pages.transform([]).shape == (0, 4)
    names = ["soccer", "team", "n_words", "n_images"]
    assert list(pages.get_feature_names_out()) == names
    with pytest.raises(DataError, match="wrap it in a list"):
        pages.transform(PAGE)
    with pytest.raises(DataError, match="got NoneType"):
        pages.transform([None])
