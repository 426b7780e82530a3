"""Empirical risk minimisation, its two errors, and what a penalty changes."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.pipeline import make_pipeline

from infimum.data.designs import as_design
from infimum.losses import Absolute, Squared
from infimum.models.linear import LinearRegression, Ridge
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty
from infimum.solvers import LBFGS, Newton, ProximalGradient
from infimum.study.features import FeatureMap, PolynomialBasis
from infimum.theory import bias_variance


def polynomial(degree):
    """Return least squares over the polynomials up to a degree."""
    if degree == 0:
        return LinearRegression(fit_intercept=True)
    return make_pipeline(PolynomialBasis(degree), LinearRegression(tol=1e-13))


def fitted(degree, x, y, weight=None):
    model = polynomial(degree)
    X = np.zeros_like(x) if degree == 0 else x
    name = "sample_weight" if degree == 0 else "linearregression__sample_weight"
    return model.fit(X, y, **{name: weight})


@pytest.mark.syllabus("S4A-038")
@pytest.mark.parametrize("loss", [Squared(), Absolute()], ids=repr)
def test_over_a_finite_class_the_minimiser_has_the_least_average_loss(loss, rng):
    x = rng.uniform(-1, 1, 60)
    y = np.exp(x) + 0.1 * rng.standard_normal(60)
    candidates = FeatureMap([np.sin, np.exp, np.cos, np.ceil, lambda v: 1 + v])
    risks = loss.value(y[:, None], candidates.fit_transform(x)).mean(axis=0)
    chosen = candidates.functions[int(np.argmin(risks))]
    assert chosen is np.exp  # the truth, because the noise is small
    for function, risk in zip(candidates.functions, risks, strict=True):
        own = np.mean([loss.value(b, function(a)) for a, b in zip(x, y, strict=True)])
        assert risk == pytest.approx(own)


@pytest.mark.syllabus("S4A-038")
@pytest.mark.parametrize("solver", [ProximalGradient, Newton, LBFGS])
def test_over_a_parametrised_class_descent_finds_the_closed_form(solver, rng):
    X, y = rng.standard_normal((60, 4)), rng.standard_normal(60)
    risk = LinearRisk(as_design(X), y, Squared(), NoPenalty())
    solution = solver(tolerance=1e-12).solve(risk)
    closed = LinearRegression().fit(X, y)
    assert solution.point[:-1] == pytest.approx(closed.coef_, abs=1e-5)
    assert solution.point[-1] == pytest.approx(closed.intercept_, abs=1e-5)


class Law:
    """A law on eleven points with known mean η and noise, hence with known risks."""

    x = np.linspace(-1, 1, 11)[:, None]
    share = np.arange(1.0, 12) / 66
    noise = 0.3

    @property
    def eta(self):
        return np.sin(3 * self.x[:, 0])

    def risk(self, f):
        return self.share @ (f - self.eta) ** 2 + self.noise**2

    def draw(self, n, rng):
        rows = rng.choice(11, size=n, p=self.share)
        return self.x[rows], self.eta[rows] + self.noise * rng.standard_normal(n)

    def in_class(self, degree, x=None, y=None):
        """Return the predictions on all points of the best polynomial for a sample."""
        points = self.x if degree else np.zeros_like(self.x)
        if x is None:
            return fitted(degree, self.x, self.eta, self.share).predict(points)
        return fitted(degree, x, y).predict(points)


@pytest.mark.syllabus("S4A-039")
def test_excess_risk_is_estimation_error_plus_approximation_error(rng):
    law, n = Law(), 40
    bayes = law.risk(law.eta)
    assert bayes == pytest.approx(law.noise**2)
    degrees = [0, 1, 2, 3, 5, 8]
    samples = [law.draw(n, rng) for _ in range(25)]
    approximation, estimation = [], []
    for degree in degrees:
        best = law.risk(law.in_class(degree))
        learnt = np.array([law.risk(law.in_class(degree, *s)) for s in samples])
        assert (learnt - best >= -1e-12).all()  # no member of F beats f~
        total = (learnt - best) + (best - bayes)
        assert total == pytest.approx(learnt - bayes)
        approximation.append(best - bayes)
        estimation.append(np.median(learnt - best))
    # The approximation error depends on F alone and falls as F grows; the estimation
    # error grows with F: underfitting on the left, overfitting on the right.
    assert (np.diff(approximation) <= 1e-12).all()
    assert approximation[0] > estimation[0]
    assert approximation[-1] < 1e-6 < estimation[-1]
    assert estimation[-1] > 2 * estimation[0]
    exact = law.risk(law.in_class(10))
    assert exact == pytest.approx(bayes, abs=1e-8)


@pytest.mark.syllabus("S4A-040", "S1-028", "S2-017")
def test_squared_error_is_variance_plus_squared_bias(rng):
    law, repetitions = Law(), 60
    x, n = np.repeat(law.x, 4, axis=0), 44
    noises = law.noise * rng.standard_normal((repetitions, n))
    bias, variance = [], []
    degrees = (0, 1, 3, 6)
    for degree in degrees:
        sets = [(x, np.sin(3 * x[:, 0]) + e) for e in noises]
        fits = np.array([law.in_class(degree, *sample) for sample in sets])
        error = ((fits - law.eta) ** 2).mean(axis=0)
        parts = bias_variance(
            polynomial(degree) if degree else DummyRegressor(),
            sets,
            law.x,
            lambda z: np.sin(3 * z[:, 0]),
            law.noise,
        )
        assert parts.error == pytest.approx(error + law.noise**2)
        # At every x, exactly.
        assert error == pytest.approx(parts.variance + parts.squared_bias)
        bias.append(parts.squared_bias.mean())
        variance.append(parts.variance.mean())
    # Bias falls with the complexity of the class, variance rises: σ²(D + 1)/n here.
    assert bias[0] > bias[1] > bias[2]
    assert bias[3] < bias[1]
    assert variance == sorted(variance)
    expected = law.noise**2 * (np.array(degrees) + 1) / n
    assert variance == pytest.approx(expected, rel=4 * np.sqrt(2 / repetitions))


@pytest.mark.syllabus("S4A-041")
def test_a_penalty_leads_from_the_least_risk_to_the_least_penalty(rng):
    X, y = rng.standard_normal((30, 5)), rng.standard_normal(30)
    models = [Ridge(alpha=a).fit(X, y) for a in (1e-9, 0.1, 1, 10, 100, 1e9)]
    plain = LinearRegression().fit(X, y)
    assert models[0].coef_ == pytest.approx(plain.coef_, abs=1e-8)  # λ → 0
    assert models[-1].coef_ == pytest.approx(0, abs=1e-6)  # λ → ∞: argmin Ω
    assert models[-1].predict(X) == pytest.approx(y.mean(), abs=1e-6)
    risks = [np.mean((y - model.predict(X)) ** 2) for model in models]
    sizes = [model.coef_ @ model.coef_ for model in models]
    assert risks == sorted(risks)
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.syllabus("S4A-007")
def test_a_line_underfits_a_parabola_and_a_wild_polynomial_overfits_it(rng):
    n, repetitions = 12, 60
    new = np.linspace(-1, 1, 200)[:, None]

    def truth(x):
        return 1 + x[:, 0] - 2 * x[:, 0] ** 2

    train, test = np.zeros((2, 3, repetitions))
    for repetition in range(repetitions):
        x = np.sort(rng.uniform(-1, 1, n))[:, None]
        y = truth(x) + 0.3 * rng.standard_normal(n)
        for position, degree in enumerate((1, 2, n - 1)):
            model = fitted(degree, x, y)
            train[position, repetition] = np.mean((y - model.predict(x)) ** 2)
            error = np.mean((truth(new) - model.predict(new)) ** 2)
            test[position, repetition] = error + 0.3**2
    line, parabola, wild = np.median(train, axis=1)
    assert line > parabola > wild
    assert wild < 1e-6  # through every point
    line, parabola, wild = np.median(test, axis=1)
    assert parabola < line
    assert parabola < wild


@pytest.mark.syllabus("S4A-004")
def test_nothing_beats_the_constant_when_the_target_is_pure_noise(rng):
    x, y = rng.uniform(0, 1, (100, 1)), rng.uniform(0, 1, 100)
    new, y_new = rng.uniform(0, 1, (20_000, 1)), rng.uniform(0, 1, 20_000)
    least = 1 / 12  # the variance of the uniform law
    margin = 4 * np.std((y_new - 0.5) ** 2) / np.sqrt(len(y_new))
    assert np.mean((y_new - 0.5) ** 2) == pytest.approx(least, abs=margin)
    interpolated = np.interp(new[:, 0], np.sort(x[:, 0]), y[np.argsort(x[:, 0])])
    guesses = [fitted(degree, x, y).predict(new) for degree in (1, 3, 9)]
    for guess in (*guesses, interpolated):
        assert np.mean((y_new - guess) ** 2) > least - margin
    assert np.mean((y_new - interpolated) ** 2) > 1.4 * least  # about 5/3 of it


@pytest.mark.syllabus("S4A-036", "S4A-037", "S4A-021")
def test_the_conditional_mean_minimises_the_squared_risk_of_every_law(rng):
    # A joint law of x in {0, …, 4} and y in {-1, 0, 2}, as a table that sums to 1.
    joint, values = rng.dirichlet(np.ones(15)).reshape(5, 3), np.array([-1.0, 0, 2])
    eta = joint @ values / joint.sum(axis=1)
    cells = np.repeat(np.eye(5), 3, axis=0)
    outcomes = np.tile(values, 5)
    model = LinearRegression(fit_intercept=False)
    learnt = model.fit(cells, outcomes, joint.ravel()).coef_
    assert learnt == pytest.approx(eta)  # least squares over all functions of x

    def risk(f):
        squares = 2 * Squared().value(outcomes, np.repeat(f, 3))
        assert squares == pytest.approx((outcomes - np.repeat(f, 3)) ** 2)
        return joint.ravel() @ squares

    for f in rng.standard_normal((50, 5)):
        distance = joint.sum(axis=1) @ (f - eta) ** 2
        assert risk(f) == pytest.approx(distance + risk(eta))  # the cross term is 0
        assert risk(f) > risk(eta)
