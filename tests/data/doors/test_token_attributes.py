"""Tokens of many kinds are read as the rule of one pair after the other reads them."""

from collections import OrderedDict, defaultdict

import numpy as np
import pytest

from infimum.data.doors import Vocabulary
from infimum.errors import DataError

RNG = np.random.default_rng(0)


def word_and_truth(k):
    return {"word": f"w{k % 17}", "title": k % 3 == 0, "bias": 1.0, "none": 0}


def of_two_kinds(k):
    token = {"word": f"w{k % 5}", "before": f"w{k % 7}"}
    if k % 10 == 0:
        token["start"] = True
    return token


def as_many_keys_and_others(k):
    return {"word": "a", "left": f"l{k}"} if k % 2 else {"right": "r", "word": f"w{k}"}


def keys_of_its_own(k):
    return {f"is {k}": True, f"after {k // 2}": "x"}


def empty_at_times(k):
    return {} if k % 4 == 1 else {"word": f"w{k % 9}"}


def made_up(k):
    token = defaultdict(str, word=f"w{k % 6}")
    token["here" if k % 2 else "there"] = "yes"
    return token


def ordered(k):
    pairs = [("word", f"w{k % 6}"), ("end", k % 2 == 0)]
    return OrderedDict(pairs[:: 1 if k % 3 else -1])


def numbers_within(k):
    return {"word": f"w{k % 6}", "size": 0.5 * k, "both": ["a", "b"], "in": {"x": 2}}


KINDS = [
    word_and_truth,
    of_two_kinds,
    as_many_keys_and_others,
    keys_of_its_own,
    empty_at_times,
    made_up,
    ordered,
    numbers_within,
]


def meaning(rows, names):
    """Return the attributes of each token with their values, in any order."""
    found = []
    for a, b in zip(rows.tokens, rows.tokens[1:], strict=False):
        pairs = zip(rows.ids[a:b], rows.values[a:b], strict=True)
        found.append({names[k]: float(value) for k, value in pairs if value != 0.0})
    return found


def plainly(token):
    """Return what a token says, by the rule for a single pair."""
    found = {}
    for key, value in token.items():
        if isinstance(value, str):
            found[f"{key}:{value}"] = 1.0
        elif isinstance(value, dict):
            found |= {f"{key}:{inner}": float(much) for inner, much in value.items()}
        elif isinstance(value, list):
            found |= {f"{key}:{word}": 1.0 for word in value}
        elif value != 0:
            found[key] = float(value)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [7, 400])
def test_attributes_are_those_of_the_pairs(kind, count):
    tokens = [kind(k) for k in range(count)]
    before = [dict(token) for token in tokens]
    X = [tokens[: count // 3], tokens[count // 3 :]]
    vocabulary = Vocabulary()
    first = vocabulary.read("CRF", X, grow=True)
    assert meaning(first, vocabulary.names) == [*map(plainly, tokens)]
    again = vocabulary.read("CRF", X, grow=True)
    assert meaning(again, vocabulary.names) == [*map(plainly, tokens)]
    assert tokens == before  # asking for a key has not made one


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_known_is_left_out(kind):
    known = [kind(k) for k in range(80)]
    tokens = [kind(k) for k in range(40, 400)]
    vocabulary = Vocabulary()
    vocabulary.read("CRF", [known], grow=True)
    names = vocabulary.names
    reader = Vocabulary(names)
    wanted = [
        {name: value for name, value in plainly(token).items() if name in names}
        for token in tokens
    ]
    for _ in range(2):
        found = reader.read("CRF", [tokens], grow=False)
        assert meaning(found, names) == wanted
        assert reader.names == names
    assert meaning(reader.read("CRF", [tokens[:3]], grow=False), names) == wanted[:3]


def test_names_are_numbered_as_they_appear():
    tokens = [of_two_kinds(k) for k in range(200)]
    vocabulary = Vocabulary()
    vocabulary.read("CRF", [tokens], grow=True)
    wanted = dict.fromkeys(name for token in tokens for name in plainly(token))
    assert vocabulary.names == list(wanted)


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ({"a": np.nan}, "finite"),
        ({3: "b"}, "strings as keys"),
        ({"a": object()}, "takes words, numbers"),
        ("word", "a dict or list"),
    ],
)
def test_one_bad_token_among_many_is_named(token, words):
    tokens = [word_and_truth(k) for k in range(200)]
    tokens[150] = token
    with pytest.raises(DataError, match=words):
        Vocabulary().read("CRF", [tokens], grow=True)
