"""Models of whole-sample losses: strangers' optima, proofs, weights, bad input."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import f1_score, ndcg_score, roc_auc_score
from sklearn.svm import LinearSVC

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.models.ranking import LinearRanker, OrdinalSVC, ScoreMaximizer

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3))
SCORE = X @ [1.0, -0.5, 0.2] + 0.3 * RNG.standard_normal(40)
LEVELS = np.digitize(SCORE, [-0.5, 0.6])
SIGNS = (SCORE > 0.8).astype(int)
QUERIES = np.repeat(np.arange(8), 5)


def test_an_ordinal_machine_is_one_of_pair_differences():
    model = OrdinalSVC(C=3.0, tol=1e-7).fit(X, LEVELS)
    i, j = np.nonzero(LEVELS[:, None] < LEVELS[None, :])
    gaps = X[j] - X[i]
    w = cp.Variable(3)
    loss = cp.sum(cp.pos(1 - gaps @ w)) / len(gaps)
    aim = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w) + 3.0 * loss))
    aim.solve()
    np.testing.assert_allclose(model.coef_, w.value, atol=1e-3)
    assert model.certificate_.primal * 3.0 == pytest.approx(aim.value, rel=1e-5)
    turn = np.where(np.arange(len(gaps)) % 2, -1, 1)
    peer = LinearSVC(C=3.0 / len(gaps), loss="hinge", fit_intercept=False, tol=1e-9)
    peer.set_params(max_iter=200_000).fit(gaps * turn[:, None], turn)
    np.testing.assert_allclose(model.coef_, peer.coef_[0], atol=1e-2)
    assert model.score(X, LEVELS) > 0.7
    assert (np.diff(model.thresholds_) >= 0).all()


MODELS = {
    "ordinal": (OrdinalSVC(C=3.0), LEVELS, {}),
    "f1": (ScoreMaximizer("f1", C=30.0), SIGNS, {}),
    "roc": (ScoreMaximizer("roc_auc", C=30.0), SIGNS, {}),
    "top": (ScoreMaximizer("precision@5", C=30.0), SIGNS, {}),
    "ndcg": (LinearRanker(C=5.0), LEVELS, {"qid": QUERIES}),
    "precision": (LinearRanker("precision", k=2, C=5.0), LEVELS, {"qid": QUERIES}),
    "mrr": (LinearRanker("mrr", C=5.0), LEVELS, {"qid": QUERIES}),
    "utility": (LinearRanker("utility", C=5.0), LEVELS, {"qid": QUERIES}),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_proof_is_rebuilt_and_returns_from_a_file(name, tmp_path):
    model, y, given = MODELS[name]
    model = clone(model).fit(X, y, **given)
    proof = model.certificate_
    assert proof.closed
    again = model.certify(X, y, **given)
    assert again.primal == pytest.approx(proof.primal, rel=1e-9)
    assert again.gap <= 2e-3 * again.scale
    infimum.save(model, tmp_path / "one.infimum")
    loaded = infimum.load(tmp_path / "one.infimum")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.certify(X, y, **given).closed


def test_each_score_is_raised():
    f1 = ScoreMaximizer("f1", C=100.0).fit(X, SIGNS)
    assert f1_score(SIGNS, f1.predict(X)) > 0.8
    assert f1.certificate_.primal >= 1 - f1_score(SIGNS, f1.predict(X)) - 1e-9
    roc = ScoreMaximizer("roc_auc", C=100.0).fit(X, SIGNS)
    assert roc_auc_score(SIGNS, roc.decision_function(X)) > 0.95
    ranker = LinearRanker(C=50.0).fit(X, LEVELS, qid=QUERIES)
    gains = [
        ndcg_score([2.0 ** LEVELS[q] - 1], [ranker.predict(X[q])])
        for q in QUERIES.reshape(8, 5) * 5 + np.arange(5)
        if LEVELS[q].max() > LEVELS[q].min()
    ]
    assert ranker.score(X, LEVELS, qid=QUERIES) == pytest.approx(np.mean(gains))
    assert np.mean(gains) > 0.9


def test_weights_are_repetition_of_samples_and_queries():
    weights = RNG.integers(0, 3, 40)
    rows = np.repeat(np.arange(40), weights)
    one = OrdinalSVC(tol=1e-7).fit(X, LEVELS, sample_weight=weights)
    other = OrdinalSVC(tol=1e-7).fit(X[rows], LEVELS[rows])
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-3)
    copies = np.concatenate([np.flatnonzero(QUERIES == 0), np.arange(40)])
    names = np.concatenate([np.full(5, 99), QUERIES])
    twice = np.array([2, *[1] * 7])
    one = LinearRanker(tol=1e-6).fit(X, LEVELS, qid=QUERIES, query_weight=twice)
    other = LinearRanker(tol=1e-6).fit(X[copies], LEVELS[copies], qid=names)
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-3)


def test_bad_input_gets_one_sentence():
    with pytest.raises(DataError, match="different relevance"):
        LinearRanker().fit(X, np.ones(40), qid=QUERIES)
    with pytest.raises(DataError, match="different relevance"):
        LinearRanker().fit(X, LEVELS, qid=np.arange(40))
    with pytest.raises(DataError, match="at least 0"):
        LinearRanker().fit(X, LEVELS - 1)
    with pytest.raises(DataError, match="query for each"):
        LinearRanker().fit(X, LEVELS, qid=QUERIES[:5])
    with pytest.raises(InvalidParameterError, match="precision@k"):
        ScoreMaximizer("recall").fit(X, SIGNS)
    with pytest.raises(DataError, match="k is 99"):
        ScoreMaximizer("precision@99").fit(X, SIGNS)
