"""Hinge against log-loss, and subgradient steps that minimise the hinge."""

import cvxpy
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as PeerLogistic

from infimum.data import two_gaussians
from infimum.data.designs import as_design
from infimum.losses import Hinge, Logistic
from infimum.models.linear import LinearSVC, LogisticRegression
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import InteriorPoint
from infimum.study.solvers import StochasticGradient, stop_early

N = 60


@pytest.fixture
def clouds():
    """Return two overlapping clouds with labels -1 and +1."""
    toy = two_gaussians(N, scale=1.0, random_state=4)
    return toy.X, 2.0 * toy.y - 1.0


def hinge_risk(X, y, strength):
    return LinearRisk(as_design(X), y, Hinge(), Ridge(strength), intercept=False)


@pytest.mark.syllabus("S2-037")
def test_the_likelier_label_is_the_sign_of_the_score(clouds):
    X, y = clouds
    model = LogisticRegression(fit_intercept=False).fit(X, (y + 1) / 2)
    likelier = model.predict_proba(X)[:, 1] >= 0.5
    np.testing.assert_array_equal(model.predict(X), likelier.astype(float))
    np.testing.assert_array_equal(likelier, X @ model.coef_[0] >= 0)


@pytest.mark.syllabus("S3-049")
def test_the_hinge_is_a_convex_upper_bound_of_the_mistakes():
    margins = np.linspace(-3, 3, 61)
    ones, loss = np.ones(61), Hinge()
    value = loss.value(ones, margins)
    assert np.all(value >= np.maximum(0.0, -margins))  # the perceptron's loss
    assert np.all(value >= (margins <= 0))  # the share of mistakes
    assert np.all(np.diff(value, 2) >= -1e-12)
    slopes = loss.derivative(ones, margins)
    assert np.all(slopes[margins < 1 - 1e-9] == -1.0)
    assert np.all(slopes[margins >= 1 + 1e-9] == 0.0)


@pytest.mark.syllabus("S2-072", "S3-050")
def test_eliminating_the_slacks_turns_the_soft_margin_into_hinge_plus_ridge(clouds):
    X, y = clouds
    lam = 0.8
    model = LinearSVC(C=1 / (2 * lam), loss="hinge", fit_intercept=False, tol=1e-9).fit(
        X, y
    )
    w, slack = cvxpy.Variable(2), cvxpy.Variable(N)
    problem = cvxpy.Problem(
        cvxpy.Minimize(cvxpy.sum_squares(w) / 2 + cvxpy.sum(slack) / (2 * lam)),
        [cvxpy.multiply(y, X @ w) >= 1 - slack, slack >= 0],
    )
    problem.solve(solver=cvxpy.CLARABEL)
    np.testing.assert_allclose(model.coef_[0], w.value, atol=1e-4)
    hinge = Hinge().value(y, X @ w.value)
    np.testing.assert_allclose(slack.value, hinge, atol=1e-5)
    # Σ hinge + λ‖w‖² is n times our risk with strength 2λ/n.
    ours = InteriorPoint(1e-10).solve(hinge_risk(X, y, 2 * lam / N)).certificate.primal
    assert N * ours == pytest.approx(2 * lam * problem.value, rel=1e-6)


@pytest.mark.syllabus("S2-073")
def test_regularised_logistic_regression_in_sums_is_scikit_learns(clouds):
    X, y = clouds
    lam = 0.8
    options = {"C": 1 / (2 * lam), "fit_intercept": False, "tol": 1e-10}
    model = LogisticRegression(**options).fit(X, y)
    peer = PeerLogistic(**options).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=1e-4)
    risk = LinearRisk(as_design(X), y, Logistic(), Ridge(2 * lam / N), intercept=False)
    w = model.coef_[0]
    total = np.logaddexp(0, -y * (X @ w)).sum() + lam * w @ w
    assert N * risk.value(np.append(w, 0.0)) == pytest.approx(total)


@pytest.mark.syllabus("S2-074")
def test_points_beyond_the_margin_matter_to_log_loss_only(clouds):
    X, y = clouds
    options = {"fit_intercept": False, "tol": 1e-10}
    machine = LinearSVC(loss="hinge", **options).fit(X, y)
    margins = y * machine.decision_function(X)
    beyond = margins > 1 + 1e-6
    assert beyond.sum() > 10
    assert np.all(Hinge().derivative(y, y * margins)[beyond] == 0.0)
    assert np.all(Logistic().derivative(y, y * margins) != 0.0)
    fewer = LinearSVC(loss="hinge", **options).fit(X[~beyond], y[~beyond])
    np.testing.assert_allclose(fewer.coef_, machine.coef_, atol=1e-4)
    logistic = LogisticRegression(**options).fit(X, y)
    without = LogisticRegression(**options).fit(X[~beyond], y[~beyond])
    assert np.abs(without.coef_ - logistic.coef_).max() > 0.1


@pytest.mark.syllabus("S3-054")
def test_subgradient_descent_need_not_descend_and_arrives_all_the_same(clouds):
    X, y = clouds
    risk = hinge_risk(X, y, 0.02)
    best = InteriorPoint(1e-9).solve(risk).certificate.primal
    descent = StochasticGradient(
        tolerance=1e-9,
        batch_size=N,
        step="inverse_root",
        rate=3.0,
        averaged=False,
        max_iterations=300,
    )
    values = stop_early(descent, risk, risk, patience=300).errors
    assert np.any(np.diff(values) > 0)
    found = descent.solve(risk)  # keeps the best point it passed
    assert found.certificate.primal - best <= 1e-2 * best
    assert min(record.primal for record in found.history) == found.certificate.primal


@pytest.mark.syllabus("S3-056")
def test_pegasos_is_a_single_sample_with_steps_of_one_over_strength_times_t(clouds):
    X, y = clouds
    lam = 0.1
    pegasos = StochasticGradient(
        batch_size=1, step="inverse", averaged=False, max_iterations=1, random_state=5
    )
    w = np.zeros(2)
    for t, j in enumerate(np.random.default_rng(5).permutation(N), start=1):
        eta, inside = 1 / (lam * t), y[j] * (w @ X[j]) < 1
        w = (1 - eta * lam) * w + (eta * y[j] * X[j] if inside else 0.0)
    np.testing.assert_allclose(
        pegasos.solve(hinge_risk(X, y, lam)).point[:-1], w, atol=1e-12
    )
    first = pegasos.solve(hinge_risk(X[:1], y[:1], lam)).point[:-1]
    np.testing.assert_allclose(first, y[0] * X[0] / lam)


@pytest.mark.syllabus("S3-056")
def test_many_passes_of_pegasos_approach_the_support_vector_machine(clouds):
    X, y = clouds
    lam = 0.1
    pegasos = StochasticGradient(1e-6, max_iterations=50, batch_size=1, step="inverse")
    risk = hinge_risk(X, y, lam)
    machine = LinearSVC(
        C=1 / (N * lam), loss="hinge", fit_intercept=False, tol=1e-9
    ).fit(X, y)
    least = risk.value(np.append(machine.coef_[0], 0.0))
    assert 0 <= pegasos.solve(risk).certificate.primal - least <= 1e-3
