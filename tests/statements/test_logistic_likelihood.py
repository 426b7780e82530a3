"""From label noise to log-loss: likelihoods, gradients, Newton and reweighting."""

import numpy as np
import pytest
from scipy import special, stats
from scipy.optimize import newton as peer_newton
from sklearn.linear_model import LogisticRegression as PeerLogistic
from sklearn.metrics import log_loss

from infimum.data import bits_from_signs, linear_regression, signs_from_bits
from infimum.data.designs import as_design
from infimum.errors import DataError, IncompatibleError
from infimum.losses import Hinge, Logistic, Squared
from infimum.models.linear import LinearRegression, LogisticRegression
from infimum.objectives import LinearRisk, reweighted_least_squares
from infimum.penalties import NoPenalty, Ridge
from infimum.solvers import Newton as NewtonSolver
from infimum.solvers import choose
from infimum.study.convexity import (
    FixedStep,
    GradientDescent,
    NewtonMethod,
    Oracle,
    Quadratic,
    Softplus,
    newton_root,
    numeric_gradient,
    numeric_hessian,
)

N, M = 80, 3


@pytest.fixture
def bits(rng):
    """Return samples and labels 0 and 1 that no plane separates."""
    X = rng.normal(size=(N, M))
    y = (rng.random(N) < special.expit(X @ np.array([1.0, -2.0, 0.5]))).astype(float)
    return X, y


def likelihood(X, y):
    """Return minus the log-likelihood of labels 0 and 1, as a function of weights."""
    risk = LinearRisk(
        as_design(X), signs_from_bits(y), Logistic(), NoPenalty(), intercept=False
    )

    def at(w):
        return risk.evaluate(np.append(w, 0.0))

    return Oracle(
        lambda w: N * at(w).value,
        lambda w: N * at(w).gradient[:-1],
        lambda w: N * risk.hessian(at(w).bends)[:-1, :-1],
    )


@pytest.mark.syllabus("S2-023", "S2-024")
def test_squared_loss_is_the_log_likelihood_of_gaussian_noise(rng):
    toy = linear_regression(30, random_state=1)
    w, sigma = rng.normal(size=3), 0.7
    mean = toy.X @ w
    constant = np.log(sigma * np.sqrt(2 * np.pi))
    loss = Squared().value(toy.y, mean)
    np.testing.assert_allclose(
        np.exp(-loss / sigma**2 - constant), stats.norm.pdf(toy.y, mean, sigma)
    )
    e = toy.y - mean
    assert stats.norm.logpdf(toy.y, mean, sigma).sum() == pytest.approx(
        -30 * constant - e @ e / (2 * sigma**2)
    )


@pytest.mark.syllabus("S2-024")
def test_no_weights_are_likelier_than_those_of_least_squares(rng):
    toy = linear_regression(30, random_state=1)
    w = LinearRegression(fit_intercept=False).fit(toy.X, toy.y).coef_

    def log_likelihood(u):
        return stats.norm.logpdf(toy.y, toy.X @ u, 0.7).sum()

    for _ in range(50):
        assert log_likelihood(w) > log_likelihood(w + 0.1 * rng.normal(size=3))


@pytest.mark.syllabus("S2-025", "S2-026")
def test_predicted_probabilities_are_those_of_a_coin_and_sum_to_the_log_loss(bits):
    X, y = bits
    model = LogisticRegression(C=1.0, fit_intercept=False).fit(X, y)
    chance = model.predict_proba(X)[:, 1]
    coin = chance**y * (1 - chance) ** (1 - y)
    np.testing.assert_allclose(coin, stats.bernoulli.pmf(y, chance))
    scores = model.decision_function(X)
    np.testing.assert_allclose(
        np.exp(-Logistic().value(signs_from_bits(y), scores)), coin
    )
    total = (y * np.log(chance) + (1 - y) * np.log(1 - chance)).sum()
    assert -likelihood(X, y).value(model.coef_[0]) == pytest.approx(total)
    assert total == pytest.approx(-N * log_loss(y, chance))


@pytest.mark.syllabus("S2-027")
@pytest.mark.parametrize("a", [-30.0, -1.0, 0.0, 0.3, 5.0])
def test_the_sigmoid_is_its_own_derivative_times_what_is_left(a):
    at, minus = np.array([a]), np.array([-a])
    soft = Softplus()
    sigmoid = soft.gradient(at)[0]
    assert sigmoid == pytest.approx(1 / (1 + np.exp(-a)))
    assert sigmoid == special.expit(a)
    assert 1 - sigmoid == pytest.approx(soft.gradient(minus)[0], abs=1e-15)
    assert soft.hessian(at)[0, 0] == pytest.approx(sigmoid * (1 - sigmoid), abs=1e-15)
    slope = numeric_gradient(lambda t: float(soft.gradient(t)[0]), at)[0]
    assert slope == pytest.approx(sigmoid * (1 - sigmoid), abs=1e-8)


@pytest.mark.syllabus("S2-028")
def test_gradient_ascent_climbs_the_likelihood_to_newtons_answer(bits):
    X, y = bits
    function, alpha = likelihood(X, y), 4.0 / np.linalg.norm(X, 2) ** 2
    trace = GradientDescent(FixedStep(alpha), tolerance=1e-7).minimize(
        function, np.zeros(M)
    )
    for w, ahead in zip(trace.points[:5], trace.points[1:6], strict=True):
        g = special.expit(X @ w)
        np.testing.assert_allclose(ahead, w + alpha * X.T @ (y - g))
    rounding = 1e-14 * trace.values[0]  # of sums whose order is the processor's
    assert np.all(np.diff(trace.values) <= rounding)
    newton = NewtonMethod().minimize(function, np.zeros(M))
    np.testing.assert_allclose(trace.point, newton.point, atol=1e-6)


@pytest.mark.syllabus("S2-029", "S2-032")
def test_the_likelihood_has_the_gradient_and_the_hessian_of_the_text(bits, rng):
    X, y = bits
    function, w = likelihood(X, y), rng.normal(size=M)
    g = special.expit(X @ w)
    jacobian = -function.gradient(w)
    np.testing.assert_allclose(jacobian, X.T @ (y - g))
    np.testing.assert_allclose(
        jacobian, -numeric_gradient(function.value, w), rtol=1e-4, atol=1e-5
    )
    hessian = -function.hessian(w)
    np.testing.assert_allclose(hessian, -X.T * (g * (1 - g)) @ X)
    np.testing.assert_allclose(
        hessian, -numeric_hessian(function, w), rtol=1e-4, atol=1e-5
    )
    assert np.all(np.linalg.eigvalsh(hessian) <= 0)


@pytest.mark.syllabus("S2-030")
def test_newton_in_one_variable_finds_roots_and_extrema():
    root = newton_root(lambda t: t * t - 2, lambda t: 2 * t, 1.0)
    assert root == pytest.approx(np.sqrt(2), abs=1e-12)
    assert root == pytest.approx(peer_newton(lambda t: t * t - 2, 1.0))
    # An extremum of cosh(t - 1) is a root of its derivative.
    extremum = newton_root(lambda t: np.sinh(t - 1), lambda t: np.cosh(t - 1), 0.0)
    assert extremum == pytest.approx(1.0)
    with pytest.raises(DataError, match="horizontal tangent at 0"):
        newton_root(lambda t: t * t + 1, lambda t: 2 * t, 0.0)
    with pytest.raises(DataError, match="no root within 100 steps"):
        newton_root(lambda t: t * t + 1, lambda t: 2 * t, 0.3)


@pytest.mark.syllabus("S2-031")
def test_one_newton_step_solves_a_quadratic(rng):
    A = rng.normal(size=(6, 3))
    bowl = Quadratic(A.T @ A, rng.normal(size=3))
    start = rng.normal(size=3)
    trace = NewtonMethod(FixedStep(1.0)).minimize(bowl, start)
    step = np.linalg.solve(bowl.hessian(start), bowl.gradient(start))
    np.testing.assert_allclose(trace.points[1], start - step)
    np.testing.assert_allclose(trace.points[1], bowl.minimizer)


@pytest.mark.syllabus("S2-033")
@pytest.mark.parametrize("penalty", [NoPenalty(), Ridge(0.05)], ids=["none", "ridge"])
def test_a_reweighted_least_squares_fit_is_a_newton_step(penalty, bits):
    X, y = bits
    risk = LinearRisk(as_design(X), signs_from_bits(y), Logistic(), penalty)
    point = np.array([0.3, -0.2, 0.1, 0.05])
    for _ in range(6):
        here = risk.evaluate(point)
        fit = reweighted_least_squares(here)
        g = special.expit(here.scores)
        R = g * (1 - g)
        np.testing.assert_allclose(fit.y, here.scores + (y - g) / R)
        np.testing.assert_allclose(fit.weights, R / R.sum())
        newton = point - np.linalg.solve(risk.hessian(here.bends), here.gradient)
        point = choose(fit)(1e-14).solve(fit).point
        np.testing.assert_allclose(point, newton, atol=1e-6)
    optimum = NewtonSolver(1e-12).solve(risk).point
    np.testing.assert_allclose(point, optimum, atol=1e-5)


@pytest.mark.syllabus("S2-033")
def test_reweighting_ends_where_scikit_learn_does_and_survives_sure_samples(bits):
    X, y = bits
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    peer = PeerLogistic(C=np.inf, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=1e-3)
    risk = LinearRisk(as_design(X), signs_from_bits(y), Logistic(), Ridge(0.1))
    certain = risk.evaluate(np.array([400.0, -300.0, 0.0, 0.0]))
    assert certain.bends.min() == 0.0  # the text's z would be infinite
    assert np.isfinite(reweighted_least_squares(certain).y).all()


@pytest.mark.syllabus("S2-033")
def test_separable_data_are_answered_with_a_proof_when_regularised():
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([0, 0, 1, 1])
    model = LogisticRegression(C=1e4).fit(X, y)
    assert model.certificate_.closed
    assert np.isfinite(model.coef_).all()


def test_a_kinked_loss_has_no_reweighted_form(bits):
    X, y = bits
    risk = LinearRisk(as_design(X), signs_from_bits(y), Hinge(), Ridge(0.1))
    with pytest.raises(IncompatibleError, match="Hinge with Ridge has no reweighted"):
        reweighted_least_squares(risk.evaluate(risk.origin()))


@pytest.mark.syllabus("S2-034")
def test_bits_and_signs_convert_back_and_forth():
    bits = np.array([0.0, 1.0, 1.0, 0.0])
    assert signs_from_bits(bits).tolist() == [-1.0, 1.0, 1.0, -1.0]
    np.testing.assert_array_equal(bits_from_signs(signs_from_bits(bits)), bits)
    with pytest.raises(DataError, match="labels 0 and 1 only, found 2"):
        signs_from_bits([0, 1, 2])


@pytest.mark.syllabus("S2-035")
def test_the_symmetric_posterior_sums_to_one(bits):
    X, y = bits
    model = LogisticRegression().fit(X, signs_from_bits(y))
    f = model.decision_function(X)
    posterior = {s: np.exp(-Logistic().value(np.full(N, s), f)) for s in (-1.0, 1.0)}
    np.testing.assert_allclose(posterior[1.0] + posterior[-1.0], 1.0)
    np.testing.assert_allclose(posterior[-1.0], 1 / (1 + np.exp(f)))
    np.testing.assert_allclose(
        model.predict_proba(X), np.column_stack([posterior[-1.0], posterior[1.0]])
    )


@pytest.mark.syllabus("S2-036")
def test_log_loss_is_the_negative_bernoulli_log_likelihood(bits, rng):
    X, y = bits
    w = 100 * rng.normal(size=M)  # scores so large that exp would overflow or vanish
    f = X @ w
    total = Logistic().value(signs_from_bits(y), f).sum()
    assert total == pytest.approx(np.logaddexp(0.0, -signs_from_bits(y) * f).sum())
    bernoulli = y * special.log_expit(f) + (1 - y) * special.log_expit(-f)
    assert total == pytest.approx(-bernoulli.sum())
