"""Worked example: a filter that learns from its user, letter by letter."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import HashingVectorizer

from infimum.errors import DataError
from infimum.models.online import (
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    SGDClassifier,
    StreamScore,
    predict_then_learn,
)

HAM = [
    "meeting",
    "report",
    "lunch",
    "project",
    "review",
    "budget",
    "family",
    "train",
    "notes",
    "thanks",
]
SPAM = [
    "winner",
    "free",
    "prize",
    "credit",
    "click",
    "offer",
    "cheap",
    "pills",
    "money",
    "urgent",
]
NEW_SPAM = [
    "crypto",
    "wallet",
    "bonus",
    "token",
    "airdrop",
    "profit",
    "invest",
    "double",
    "coins",
    "signal",
]
SHARED = [
    "the",
    "a",
    "you",
    "we",
    "is",
    "to",
    "of",
    "and",
    "for",
    "now",
    "today",
    "please",
]


def letters(rng, n, spam_words=SPAM):
    """Return letters of 12 words, a third of them telling, and which are spam."""
    spam = rng.uniform(size=n) < 0.4
    texts = []
    for bad in spam:
        telling = rng.choice(spam_words if bad else HAM, size=4)
        texts.append(" ".join([*telling, *rng.choice(SHARED, size=8)]))
    return texts, np.where(spam, "spam", "ham")


def hashed(texts):
    return HashingVectorizer(n_features=2**12, alternate_sign=False).transform(texts)


@pytest.mark.syllabus("S0B-066", "S0B-067")
@pytest.mark.parametrize(
    "model",
    [Perceptron(), PassiveAggressiveClassifier(), SGDClassifier("log_loss")],
    ids=repr,
)
def test_a_filter_learns_from_its_user(model, rng):
    texts, labels = letters(rng, 400)
    score = predict_then_learn(model, hashed(texts), labels)
    assert len(score.losses) == 399
    assert score.losses[:100].sum() >= score.losses[-100:].sum()
    assert score.losses[-100:].mean() <= 0.02
    assert score.mean == (score.predictions != labels[1:]).mean() < 0.1
    fresh = type(model)(**model.get_params())
    fresh.partial_fit(hashed(texts[:1]), labels[:1], classes=["ham", "spam"])
    wrong = 0
    for text, label in zip(texts[1:], labels[1:], strict=True):
        row = hashed([text])
        wrong += int(fresh.predict(row)[0] != label)
        fresh.learn_one(row, label)
    assert wrong == score.losses.sum()


def test_a_changed_law_shows_in_the_recent_loss_and_is_learnt_again(rng):
    old, new = letters(rng, 300), letters(rng, 300, NEW_SPAM)
    texts, labels = old[0] + new[0], np.concatenate([old[1], new[1]])
    score = predict_then_learn(Perceptron(), hashed(texts), labels)
    recent = score.recent(30)
    assert recent[270:298].max() < 0.1
    assert recent[298:340].max() > 0.15
    assert recent[-50:].max() < 0.1


def test_batches_are_judged_before_they_are_learnt(rng):
    X = rng.normal(size=(60, 2))
    y = X @ [1.0, -2.0]
    settings = {"C": 10.0, "fit_intercept": False}
    score = predict_then_learn(PassiveAggressiveRegressor(**settings), X, y, batch=20)
    by_hand = PassiveAggressiveRegressor(**settings).partial_fit(X[:20], y[:20])
    np.testing.assert_array_equal(score.predictions[:20], by_hand.predict(X[20:40]))
    assert len(score.losses) == 40
    assert score.losses[20:].mean() <= score.losses[:20].mean() + 0.1
    with pytest.raises(DataError, match="one target per row"):
        predict_then_learn(Perceptron(), X, y[:5])


def test_recent_losses_are_means_over_a_window():
    score = StreamScore(np.zeros(4), np.array([1.0, 0.0, 0.0, 1.0]))
    assert score.recent(2).tolist() == [1.0, 0.5, 0.0, 0.5]
    assert score.mean == 0.5
