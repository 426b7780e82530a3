"""The page about spam: its code runs, and what it says of it is so."""

import re
from pathlib import Path

import numpy as np
import pytest

from infimum.data import draw_letters
from infimum.errors import DataError, InvalidParameterError
from infimum.models.online import Perceptron, SGDClassifier, predict_then_learn
from infimum.study.features import HashedText

PAGE = Path(__file__).parents[3] / "docs" / "spam.md"


def test_the_page_shows_the_numbers_of_its_own_code():
    """One of its learners is run again; all would take seconds."""
    line = re.search(r"^SGDClassifier .*$", PAGE.read_text("utf8"), re.M).group(0)
    shown = [float(number) for number in re.findall(r"([\d.]+) %", line)]
    texts, labels = draw_letters(2000, turn=0.5, seed=0)
    settings = {"learning_rate": "constant", "eta0": 1.0, "penalty": None}
    model = SGDClassifier("log_loss", **settings)
    rows = HashedText(2**14).transform(texts)
    score = predict_then_learn(model, rows, labels, batch=10)
    recent = 100 * score.recent(100)
    found = [100 * score.mean, recent[989], recent[990:1300].max(), recent[-1]]
    np.testing.assert_allclose(found, shown, atol=0.06)


def test_a_text_has_the_same_row_alone_and_among_others():
    texts, _ = draw_letters(20, seed=3)
    together = HashedText(256).fit(texts).transform(texts)
    for i, text in enumerate(texts):
        alone = HashedText(256).transform([text])
        np.testing.assert_array_equal(alone.toarray()[0], together[[i]].toarray()[0])
    assert HashedText(8).partial_fit().transform(["", None]).nnz == 0


def test_what_is_no_collection_of_texts_is_refused():
    with pytest.raises(DataError, match="one text"):
        HashedText().transform("hello")
    with pytest.raises(DataError, match="reads texts, got"):
        HashedText().transform(["a", 3])
    with pytest.raises(InvalidParameterError, match="n_features"):
        HashedText(0).transform(["a"])


def test_letters_tell_their_kind_and_their_time():
    texts, labels = draw_letters(400, turn=0.5, share=0.3, seed=1)
    assert texts == draw_letters(400, turn=0.5, share=0.3, seed=1)[0]
    assert 0.2 < (labels == "spam").mean() < 0.4
    crypto = np.array(["crypto" in text or "wallet" in text for text in texts])
    assert not crypto[:200].any()
    assert crypto[200:].any()
    rows = HashedText(2**10).transform(texts)
    learnt = Perceptron().fit(rows[:200], labels[:200])
    assert learnt.score(rows[:200], labels[:200]) > 0.95
    assert learnt.score(rows[200:], labels[200:]) < 0.95
