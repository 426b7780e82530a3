"""The proportional odds model: against a stranger, against two classes, with proof."""

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse

from infimum.errors import InvalidParameterError
from infimum.models.linear import LogisticRegression, OrdinalLogisticRegression
from infimum.models.warnings import UncertifiedWarning
from infimum.persistence import load, save


@pytest.fixture
def grades():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 4))
    score = X @ [1.5, -1.0, 0.5, 0.0] + rng.logistic(size=200)
    return X, np.digitize(score, [-1.5, 0.0, 2.0]) + 1


def test_the_optimum_is_that_of_a_stranger(grades):
    X, y = grades
    model = OrdinalLogisticRegression(C=0.7, tol=1e-6).fit(X, y)
    w, theta = cp.Variable(4), cp.Variable(3)
    cost, limits = 0, []
    for k in range(1, 5):
        f = X[y == k] @ w
        if k < 4:
            cost += cp.sum(cp.logistic(f - theta[k - 1]))
        if k > 1:
            cost += cp.sum(cp.logistic(theta[k - 2] - f))
        if 1 < k < 4:
            # -log(1 - e^-d), the price of a narrow step, by log(e^-d + e^t) <= 0.
            t = cp.Variable()
            gap = theta[k - 2] - theta[k - 1]
            cost -= np.sum(y == k) * t
            limits.append(cp.log_sum_exp(cp.hstack([gap, t])) <= 0)
    problem = cp.Problem(cp.Minimize(0.7 * cost + cp.sum_squares(w) / 2), limits)
    best = problem.solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(model.coef_, w.value, atol=1e-4)
    np.testing.assert_allclose(model.thresholds_, theta.value, atol=1e-4)
    assert model.certificate_.primal * 0.7 * 200 == pytest.approx(best, rel=1e-6)


def test_the_bound_is_below_every_point(grades):
    X, y = grades
    proof = OrdinalLogisticRegression(tol=1e-6).fit(X, y).certificate_
    assert proof.closed
    assert 0 <= proof.relative_gap < 1e-10
    with pytest.warns(UncertifiedWarning, match="NOT proved"):
        early = OrdinalLogisticRegression(tol=1e-6, max_iter=2).fit(X, y)
    assert early.certificate_.dual <= proof.primal
    assert early.certificate_.primal >= proof.dual


def test_two_classes_are_logistic_regression(grades):
    X, y = grades
    ours = OrdinalLogisticRegression(tol=1e-7).fit(X, y > 2)
    other = LogisticRegression(tol=1e-7).fit(X, y > 2)
    np.testing.assert_allclose(ours.coef_, other.coef_[0], atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, other.intercept_, atol=1e-5)


def test_odds_of_passing_a_threshold_are_proportional(grades):
    X, y = grades
    model = OrdinalLogisticRegression().fit(X, y)
    below = np.cumsum(model.predict_proba(X), axis=1)[:, :3]
    logit = np.log(below / (1 - below))
    moved = logit[:1] - logit
    np.testing.assert_allclose(moved[:, 0], moved[:, 2], atol=1e-8)
    assert (np.diff(model.thresholds_) > 0).all()


def test_the_median_is_off_by_fewer_steps_than_the_likeliest(grades):
    X, y = grades
    model = OrdinalLogisticRegression().fit(X, y)
    likely = model.predict_proba(X)
    steps = np.abs(model.classes_[:, None] - model.classes_)
    answers = model.set_params(answer="median").predict(X)
    expected = likely @ steps
    chosen = expected[np.arange(200), answers - 1]
    np.testing.assert_allclose(chosen, expected.min(axis=1), atol=1e-12)


def test_sparse_rows_weights_and_files(grades, tmp_path):
    X, y = grades
    counts = np.arange(200) % 3
    model = OrdinalLogisticRegression(tol=1e-7).fit(X, y, counts)
    again = OrdinalLogisticRegression(tol=1e-7).fit(
        sparse.csr_matrix(np.repeat(X, counts, axis=0)), np.repeat(y, counts)
    )
    np.testing.assert_allclose(again.coef_, model.coef_, atol=1e-7)
    save(model, tmp_path / "m.infimum")
    loaded = load(tmp_path / "m.infimum")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    proof = loaded.certify(X, y, counts)
    assert proof.primal == pytest.approx(model.certificate_.primal, rel=1e-12)
    assert proof.closed


@pytest.mark.parametrize(
    "wrong", [{"C": 0.0}, {"C": np.inf}, {"answer": "mean"}, {"max_iter": 0}], ids=str
)
def test_senseless_settings_are_refused(grades, wrong):
    with pytest.raises(InvalidParameterError, match=next(iter(wrong))):
        OrdinalLogisticRegression(**wrong).fit(*grades)
