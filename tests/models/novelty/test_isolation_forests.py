"""Isolation forests: who is alone after few questions is an anomaly."""

import numpy as np
import pytest
from sklearn.ensemble import IsolationForest as Theirs
from sklearn.metrics import roc_auc_score

from infimum.errors import InvalidParameterError
from infimum.models.novelty import IsolationForest
from infimum.models.novelty._isolation_trees import questions_of


@pytest.fixture
def rows(rng):
    familiar = rng.normal(size=(600, 3))
    strange = rng.uniform(-7.0, 7.0, size=(30, 3))
    return np.vstack([familiar, strange]), np.repeat([1, 0], [600, 30])


def test_the_search_in_a_random_tree_takes_what_the_recursion_says():
    # c(n) is the mean depth of a gap in a binary tree of n - 1 random keys: whichever
    # of them comes first, the gap then lies among the i or the n - i on its side.
    search = [0.0, 0.0]
    for n in range(2, 40):
        below = sum(2.0 * i / n * search[i] for i in range(1, n)) / (n - 1)
        search.append(1.0 + below)
    np.testing.assert_allclose(questions_of(np.arange(40.0)), search, atol=1e-12)


def test_strangers_are_found_as_well_as_scikit_learn_finds_them(rows):
    X, familiar = rows
    ours, theirs = (
        np.mean(
            [
                roc_auc_score(familiar, kind(random_state=s).fit(X).score_samples(X))
                for s in range(4)
            ]
        )
        for kind in (IsolationForest, Theirs)
    )
    assert ours > theirs - 0.01
    mine = IsolationForest(random_state=0).fit(X)
    other = Theirs(random_state=0).fit(X)
    told = mine.score_samples(X), other.score_samples(X)
    assert np.corrcoef(*told)[0, 1] > 0.97
    assert told[0].mean() == pytest.approx(told[1].mean(), abs=0.02)
    assert mine.offset_ == other.offset_ == -0.5
    assert mine.max_samples_ == other.max_samples_ == 256


def test_a_share_of_the_samples_is_outside_if_asked_for(rows):
    X, _ = rows
    model = IsolationForest(contamination=0.05, random_state=0).fit(X)
    assert np.mean(model.predict(X) == -1) == pytest.approx(0.05, abs=0.003)
    np.testing.assert_allclose(
        model.decision_function(X), model.score_samples(X) - model.offset_
    )


def test_weights_are_copies(rows, rng):
    X, _ = rows
    weights = rng.integers(0, 3, size=len(X))
    settings = {"max_samples": 64, "random_state": 3, "n_estimators": 20}
    ours = IsolationForest(**settings).fit(X, sample_weight=weights)
    copies = IsolationForest(**settings).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(ours.score_samples(X), copies.score_samples(X))
    for samples in ours.estimators_samples_:
        assert len(samples) == 64
        assert (np.bincount(samples, minlength=len(X)) <= weights).all()


def test_trees_ask_only_for_the_features_they_drew(rows):
    X, _ = rows
    model = IsolationForest(max_features=2, bootstrap=True, random_state=0).fit(X)
    for tree, features in zip(model.trees_, model.estimators_features_, strict=True):
        assert len(features) == 2
        assert set(tree.feature[tree.feature >= 0]) <= set(features)
    assert model.trees_[0].depth <= 8


def test_a_second_fit_adds_trees(rows):
    X, _ = rows
    model = IsolationForest(n_estimators=4, warm_start=True, random_state=1).fit(X)
    first = list(model.trees_)
    model.set_params(n_estimators=6).fit(X)
    assert model.trees_[:4] == first
    assert len(model.trees_) == 6
    with pytest.raises(InvalidParameterError, match="at least the 6 trees"):
        model.set_params(n_estimators=2).fit(X)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"contamination": 0.7}, "contamination must be"),
        ({"max_samples": "many"}, "max_samples must be a whole number"),
        ({"max_features": 0}, "max_features must be a whole number"),
    ],
)
def test_settings_are_refused_in_one_sentence(setting, words, rows):
    with pytest.raises(InvalidParameterError, match=words):
        IsolationForest(**setting).fit(rows[0])


def test_the_trees_are_models_that_count_questions(rows):
    X, _ = rows
    model = IsolationForest(n_estimators=20, random_state=0)
    assert not hasattr(model, "estimators_")
    model.fit(X)
    counts = np.mean([tree.predict(X) for tree in model.estimators_], axis=0)
    scores = -(2.0 ** -(counts / questions_of(np.array([256.0]))[0]))
    np.testing.assert_allclose(scores, model.score_samples(X), rtol=1e-12)
    assert [tree._grown for tree in model.estimators_] == model.trees_
