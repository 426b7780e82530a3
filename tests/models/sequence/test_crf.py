"""Conditional random fields: sums over all labellings, proofs, weights, bad input."""

from itertools import pairwise, product

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.models.sequence import CRF
from infimum.models.warnings import UncertifiedWarning

LABELS = ("A", "B", "C")


def made(n, seed=0, longest=6):
    """Return sequences whose labels depend on a word, on a number and on each other."""
    rng = np.random.default_rng(seed)
    X, Y = [], []
    for _ in range(n):
        length, label, tokens, labels = (
            rng.integers(1, longest),
            rng.integers(3),
            [],
            [],
        )
        for _ in range(length):
            label = label if rng.random() < 0.5 else rng.integers(3)
            word = label if rng.random() < 0.7 else rng.integers(5)
            tokens.append({"word": f"w{word}", "size": float(rng.random()), "b": True})
            labels.append(LABELS[label])
        X.append(tokens)
        Y.append(labels)
    return X, Y


X, Y = made(40)


def score_of(model, tokens, labels):
    """Return the score of a labelling from the features alone."""
    states, moves = model.state_features_, model.transition_features_
    total = sum(moves.get(pair, 0.0) for pair in pairwise(labels))
    for token, label in zip(tokens, labels, strict=True):
        for key, value in token.items():
            name, amount = (f"{key}:{value}", 1.0) if isinstance(value, str) else (
                key, float(value)
            )  # fmt: skip
            total += amount * states.get((name, label), 0.0)
    return total


def test_answers_and_chances_are_those_of_all_labellings():
    model = CRF(c2=0.1, tol=1e-8).fit(X, Y)
    for tokens in X[:8]:
        every = list(product(model.classes_, repeat=len(tokens)))
        scores = np.array([score_of(model, tokens, labels) for labels in every])
        assert score_of(model, tokens, model.predict_single(tokens)) == pytest.approx(
            scores.max()
        )
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        found = model.predict_marginals_single(tokens)
        for t in range(len(tokens)):
            for label in model.classes_:
                here = [labels[t] == label for labels in every]
                assert found[t][label] == pytest.approx(chances[here].sum(), abs=1e-12)


@pytest.mark.parametrize("c1", [0.0, 0.3])
def test_the_proof_holds_and_the_objective_is_that_of_crfsuite(c1):
    model = CRF(c1=c1, c2=0.2, tol=1e-8).fit(X, Y)
    total = 0.0
    for tokens, labels in zip(X, Y, strict=True):
        every = product(model.classes_, repeat=len(tokens))
        scores = np.array([score_of(model, tokens, each) for each in every])
        top = scores.max()
        total += top + np.log(np.exp(scores - top).sum())
        total -= score_of(model, tokens, labels)
    w = model.coef_
    total += c1 * np.abs(w).sum() + 0.2 * float(w @ w)
    proof = model.certificate_
    assert proof.primal * len(X) == pytest.approx(total, rel=1e-10)
    assert proof.closed
    assert proof.dual <= proof.primal
    again = model.certify(X, Y)
    assert again.primal == pytest.approx(proof.primal)
    assert again.relative_gap <= 1e-7
    near = CRF(c1=c1, c2=0.2, tol=1e-2).fit(X, Y).certificate_
    assert near.dual <= proof.primal + 1e-12  # a bound of another run holds here too


def test_planes_of_several_points_prove_more_and_are_computed_again():
    best = CRF(c2=0.02, tol=1e-8).fit(X, Y).certificate_
    model = CRF(c2=0.02, tol=1e-2).fit(X, Y)
    again = model.certify(X, Y)
    assert again.dual == pytest.approx(model.certificate_.dual, rel=1e-9)
    assert len(model._proof_shares) > 1
    model._proof_points = 3.0 * model._proof_points  # other planes, valid all the same
    assert model.certify(X, Y).dual <= best.primal
    del model._proof_shares, model._proof_points
    assert model.certify(X, Y).dual < again.dual <= best.primal


def test_readers_of_a_model_are_those_of_its_last_fit():
    model = CRF(c2=0.1).fit(X[:10], Y[:10])
    unknown = [[{"word": "later", "no": False}, {"word": "w1"}]]
    before = model.predict_marginals(unknown)
    assert before == model.predict_marginals(unknown)
    model.fit([*X[:10], *unknown], [*Y[:10], ["A", "B"]])
    assert "word:later" in model.attributes_
    assert model.predict_marginals(unknown) != before
    one = CRF(c2=0.1).fit(X[:10], Y[:10])
    assert one.predict_marginals(unknown) == before


def test_no_weights_below_the_bound():
    model = CRF(c2=0.5, tol=1e-3).fit(X, Y)
    bound, rng = model.certificate_.dual, np.random.default_rng(0)
    best = model.coef_
    for size in (0.0, 0.01, 0.1, 1.0):
        model.coef_ = best + size * rng.standard_normal(len(best))
        assert model.certify(X, Y).primal >= bound


@pytest.mark.parametrize("c1", [0.0, 0.2])
def test_a_weight_is_a_repetition(c1):
    weights = np.array([2, 0, 3, 1] * 10)
    rows = np.repeat(np.arange(40), weights)
    one = CRF(c1=c1, c2=0.2, tol=1e-10, all_possible_states=True)
    other = clone(one).fit([X[i] for i in rows], [Y[i] for i in rows])
    with_weights = one.fit(X, Y, sample_weight=weights)
    found = with_weights.state_features_
    for key, value in other.state_features_.items():
        assert found.get(key, 0.0) == pytest.approx(value, abs=1e-3)
    assert one.certificate_.primal == pytest.approx(other.certificate_.primal, rel=1e-7)


def test_all_forms_of_input_say_the_same():
    rows = [[[1.0, 0.5], [0.0, 2.0]], [[3.0, 1.0]]]
    labels = [[0, 1], [0]]
    arrays = [np.array(each) for each in rows]
    dicts = [[{"0": a, "1": b} for a, b in each] for each in rows]
    one, other = CRF().fit(arrays, labels), CRF().fit(dicts, labels)
    np.testing.assert_allclose(one.coef_, other.coef_)
    assert one.predict(arrays) == other.predict(dicts)
    third = CRF().fit((iter(each) for each in dicts), iter(labels))
    np.testing.assert_allclose(third.coef_, other.coef_)
    names = CRF().fit([[["a", "b"], ["c"]]], [["x", "y"]])
    assert names.attributes_ == ["a", "b", "c"]
    nested = [[{"n": {"deep": "v", "x": 2.0}, "set": ["p", "q"], "no": False}]]
    found = CRF().fit(nested, [["x"]])
    assert found.attributes_ == ["n:deep:v", "n:x", "set:p", "set:q", "no"]


def test_searches_and_folds_work_unchanged():
    found = GridSearchCV(CRF(tol=1e-2), {"c2": [0.1, 100.0]}, cv=KFold(4)).fit(X, Y)
    assert found.best_params_ == {"c2": 0.1}
    assert cross_val_score(CRF(c2=0.1), X, Y, cv=3).mean() > 0.6


def test_features_are_those_seen_often_enough():
    few = CRF(min_freq=20).fit(X, Y)
    many = CRF(all_possible_states=True, all_possible_transitions=True).fit(X, Y)
    assert len(few.coef_) < len(CRF().fit(X, Y).coef_) <= len(many.coef_)
    assert len(many.coef_) == len(many.attributes_) * 3 + 9


@pytest.mark.parametrize("algorithm", ["lbfgs", "l2sgd", "ap", "pa", "arow"])
def test_every_algorithm_learns(algorithm):
    model = CRF(algorithm, max_iterations=20, tol=1e-2).fit(X, Y)
    assert model.score(X, Y) > 0.6
    assert hasattr(model, "certificate_") == (algorithm in ("lbfgs", "l2sgd"))


def test_more_sequences_move_a_model_and_bring_new_labels():
    model = CRF(c2=0.1).partial_fit(X[:20], Y[:20])
    before = model.score(X[20:], Y[20:])
    model.partial_fit(X[20:], Y[20:])
    assert model.score(X[20:], Y[20:]) >= before - 0.02
    model.partial_fit([[{"word": "new"}]], [["D"]])
    assert "D" in model.classes_
    assert "word:new" in model.attributes_
    assert model.score(X, Y) > 0.5


def test_a_model_returns_from_its_file(tmp_path):
    model = CRF(c2=0.1).fit(X, Y)
    infimum.save(model, tmp_path / "field.infimum")
    again = infimum.load(tmp_path / "field.infimum")
    assert again.predict(X) == model.predict(X)
    assert again.certify(X, Y).primal == pytest.approx(model.certificate_.primal)


@pytest.mark.parametrize("min_freq", [0, 2, 3])
def test_weights_count_where_pairs_are_counted(min_freq):
    """Negative values lower a frequency, and what has no weight has no labels."""
    X = [[{"a": -1.0, "w": "x"}], [{"a": 2.0}, {"w": "y"}], [{"a": 1.0}, {"w": "z"}]]
    y, weights = [["A"], ["A", "B"], ["C", "D"]], np.array([3, 1, 0])
    rows = np.repeat(np.arange(3), weights)
    model = CRF(min_freq=min_freq, tol=1e-10).fit(X, y, sample_weight=weights)
    other = CRF(min_freq=min_freq, tol=1e-10)
    other.fit([X[k] for k in rows], [y[k] for k in rows])
    assert model.classes_ == other.classes_ == ["A", "B"]
    assert model.attributes_ == other.attributes_
    np.testing.assert_array_equal(model._states, other._states)
    np.testing.assert_array_equal(model._moves, other._moves)
    np.testing.assert_allclose(model.coef_, other.coef_, atol=1e-4)
    again = model.certify(X, y, sample_weight=weights)
    assert again.dual == pytest.approx(model.certificate_.dual, rel=1e-12)


def test_huge_weights_lose_no_digits():
    model = CRF(c2=1e-7, tol=1e-3)
    tokens = [[{"a": 1000.0}, {"b": 500.0}, {"a": -800.0}]] * 2 + [[{"b": 300.0}] * 2]
    model.fit(tokens, [["x", "y", "x"]] * 2 + [["x", "y"]])
    assert np.isfinite(model.coef_).all()
    model.coef_ = 50.0 * model.coef_ / np.abs(model.coef_).max()
    chances = model.predict_marginals(tokens)
    assert sum(chances[0][0].values()) == pytest.approx(1.0)


def test_without_a_penalty_nothing_is_proved_and_that_is_said():
    with pytest.warns(UncertifiedWarning, match="raise c2"):
        CRF(c2=0.0, max_iterations=5).fit(X, Y)


@pytest.mark.parametrize(
    ("tokens", "labels", "words"),
    [
        ([], [], "one sequence or more"),
        ([[]], [[]], "sequence 0 is empty"),
        ([[{"a": 1.0}]], [["x", "y"]], "1 tokens and 2 labels"),
        ([[{"a": 1.0}]], [["x"], ["y"]], "labels for 1 sequences, got 2"),
        ([[{"a": np.nan}]], [["x"]], "finite values"),
        ([[{"a": object()}]], [["x"]], "words, numbers"),
        ([[{3: "a"}]], [["x"]], "strings as keys"),
        (["word"], [["x"]], "no list of tokens"),
        ([["word"]], [["x"]], "dict or list"),
    ],
)
def test_bad_sequences_get_one_sentence(tokens, labels, words):
    with pytest.raises(DataError, match=words):
        CRF().fit(tokens, labels)


def test_bad_settings_and_other_data_get_one_sentence():
    with pytest.raises(InvalidParameterError, match=r"CRF\.c2"):
        CRF(c2=-1.0).fit(X, Y)
    with pytest.raises(NotFittedError):
        CRF().predict(X)
    with pytest.raises(DataError, match="not the sequences of the fit"):
        CRF().fit(X, Y).certify(*made(9, seed=5, longest=3))
    with pytest.raises(DataError, match="both X_dev"):
        CRF().fit(X, Y, X_dev=X)
