"""Many sequences are tagged by a way of their own: it says what the plain way says."""

from collections import defaultdict

import numpy as np
import pytest

import infimum
from infimum.compiled.threads import overlapped
from infimum.data.doors import NameTable, TokenTexts, Vocabulary
from infimum.errors import DataError
from infimum.models.sequence import CRF
from infimum.models.sequence._tagging import ENOUGH_TOKENS, FieldReader

WORDS = (
    *("", "a", "ab", "a:b", "b:", ":", "abcdefg", "abcdefgh", "abcdefghi"),
    *(
        "abcdefghabcdefgh",
        "abcdefghabcdefgi",
        "é",
        "日本語日本語",
        "\U0001f600",
        "\ud83d",
    ),
    *("x" * 40, "x" * 41, " ", "\n", "\x01\x01", "\x80" * 8, "0", "True"),
)


def made(count, seed, number=0.5):
    """Return sequences of dicts alike in their keys, with words of all kinds."""
    rng = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(count):
        size = int(rng.integers(1, 12))
        words = [WORDS[k] for k in rng.integers(len(WORDS), size=size)]
        said = [f"w{k}" for k in rng.zipf(1.3, size=size)]
        X.append(
            [
                {
                    "k": a,
                    "k:a": b,
                    "size": number if k % 2 else float(rng.normal()),
                    "truth": bool(k % 2),
                    "count": k,
                    "é": a,
                }
                for k, (a, b) in enumerate(zip(words, said, strict=True))
            ]
        )
        y.append([f"L{k}" for k in rng.integers(4, size=size)])
    return X, y


X, Y = made(800, 0)
MODEL = CRF(c2=0.1, tol=1e-2).fit(X[:150], Y[:150])


def plainly(model, sequences):
    """Return the labels by the way of few sequences."""
    step = 20
    assert step * 12 < ENOUGH_TOKENS
    parts = (sequences[a : a + step] for a in range(0, len(sequences), step))
    return [labels for part in parts for labels in model.predict(part)]


def quickly(model, sequences):
    """Return the labels by the quick way, or None."""
    return model._reader().tags(sequences, model.coef_, model.classes_)


def test_many_sequences_get_the_labels_that_few_get():
    assert quickly(MODEL, X) == plainly(MODEL, X) == MODEL.predict(X)


def test_tokens_may_have_their_keys_in_any_order():
    turned = [[dict(reversed(token.items())) for token in tokens] for tokens in X]
    mixed = [(X if k % 3 else turned)[k] for k in range(len(X))]
    assert quickly(MODEL, mixed) == MODEL.predict(X)


def test_names_are_found_by_all_their_bytes():
    names = sorted({f"{key}:{word}" for key in ("k", "k:", "é") for word in WORDS})
    vocabulary, table = Vocabulary(names), NameTable(names)
    tokens = [{"k": a, "k:": b, "é": a + b} for a in WORDS for b in WORDS]
    texts = TokenTexts.of(tokens)
    slow = vocabulary.read("", [tokens], grow=False)
    ends, ids = np.zeros(len(tokens) + 1, int), np.zeros(3 * len(tokens), np.int32)
    values = np.zeros(len(ids))
    from infimum.compiled.chains.field_parts import Tokens
    from infimum.compiled.texts.name_table import read_names

    tables = table.tables(texts.keys, texts.kinds)
    found = Tokens(ends, ids, values)
    count = read_names(texts.letters, texts.numbers, tables, found)
    assert count == len(slow.ids) < len(ids)
    np.testing.assert_array_equal(ends, slow.tokens)
    np.testing.assert_array_equal(ids[:count], slow.ids)
    np.testing.assert_array_equal(values[:count], slow.values)


@pytest.mark.parametrize(
    "change",
    [
        {"k": "with\0nothing"},
        {"k": 7.0},
        {"k": ["a", "b"]},
        {"k": b"ab"},
        {"size": "word"},
        {"size": np.float64(0.5)},
        {"size": {"in": "ab"}},
        {"more": "ab"},
    ],
)
def test_what_is_not_alike_goes_the_plain_way(change):
    odd = [list(tokens) for tokens in X]
    odd[555][0] = odd[555][0] | change
    assert quickly(MODEL, odd) is None
    assert MODEL.predict(odd) == plainly(MODEL, odd)


def test_a_token_that_lacks_a_key_or_makes_it_up_goes_the_plain_way():
    for token in ({"k": "a"}, defaultdict(str, {"k": "a"})):
        odd = [*X[:-1], [token]]
        assert quickly(MODEL, odd) is None
        assert MODEL.predict(odd) == plainly(MODEL, odd)
    assert token == {"k": "a"}


def test_generators_and_other_sequences_go_the_plain_way():
    expected = MODEL.predict(X)
    assert MODEL.predict(iter(X)) == expected
    assert MODEL.predict([tuple(tokens) for tokens in X]) == expected
    assert MODEL.predict(tuple(map(iter, X))) == expected


@pytest.mark.parametrize("size", [np.nan, np.inf, 10**400])
def test_numbers_beyond_any_are_refused(size):
    odd = [*X[:-1], [X[0][0] | {"size": size}]]
    with pytest.raises((DataError, OverflowError)):
        MODEL.predict(odd)


def test_an_empty_sequence_is_named():
    with pytest.raises(DataError, match="sequence 700 is empty"):
        MODEL.predict([*X[:700], [], *X[700:]])


def test_words_of_a_kind_of_their_own_count_as_what_they_hold():
    class Word(str):
        def __format__(self, _):
            return "other"

    owned = [[token | {"k": Word(token["k"])} for token in tokens] for tokens in X]
    assert MODEL.predict(owned) == MODEL.predict(X) == plainly(MODEL, owned)
    with pytest.raises(DataError, match="values"):
        MODEL.predict([*X[:-1], [X[0][0] | {"k": object()}]])


def test_a_model_that_is_fitted_again_or_changed_says_the_new_thing():
    model = CRF(c2=0.1, tol=1e-2).fit(X[:50], Y[:50])
    model.predict(X)
    model.coef_ *= -1.0
    assert model.predict(X) == plainly(model, X)
    model.fit(X[:60], [["L1"] * len(labels) for labels in Y[:60]])
    assert {label for labels in model.predict(X) for label in labels} == {"L1"}


def test_a_saved_model_tags_alike(tmp_path):
    MODEL.predict(X)
    infimum.save(MODEL, tmp_path / "model")
    assert infimum.load(tmp_path / "model").predict(X) == MODEL.predict(X)


def test_overlapped_work_keeps_its_order_and_raises_what_was_raised():
    assert overlapped(50, float, lambda x: x + 1) == [k + 1.0 for k in range(50)]
    assert overlapped(5, lambda k: None if k == 3 else k, lambda x: x) is None

    def work(x):
        if x == 7:
            raise ValueError("seven")
        return x

    with pytest.raises(ValueError, match="seven"):
        overlapped(20, int, work)
    with pytest.raises(ZeroDivisionError):
        overlapped(20, lambda k: 1 // (9 - k), work)


def test_the_quick_way_is_the_one_that_predict_takes(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("the plain way")

    monkeypatch.setattr(Vocabulary, "read", fail)
    assert MODEL.predict(X)
    monkeypatch.setattr(FieldReader, "tags", lambda *_: None)
    with pytest.raises(AssertionError, match="the plain way"):
        MODEL.predict(X)
