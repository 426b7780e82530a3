"""Linear classification and logistic regression, in the words of the lecture."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import expit
from sklearn.linear_model import LogisticRegression as Reference
from sklearn.pipeline import make_pipeline, make_union

from infimum.data.designs import as_design
from infimum.data.synthetic import two_gaussians
from infimum.losses import Absolute, Logistic, Poisson, Squared
from infimum.models.linear import LinearSVC, LogisticRegression, RiskMinimizer
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty
from infimum.solvers import Newton
from infimum.study.features import QuadraticMonomials, Standardizer


@pytest.fixture
def clouds():
    """Return two overlapping clouds with labels -1 and +1."""
    toy = two_gaussians(120, scale=1.0, random_state=4)
    return toy.X, np.where(toy.y == 1, 1, -1)


@pytest.mark.syllabus("S4A-092")
@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=repr)
def test_a_linear_classifier_is_the_side_of_a_hyperplane(model, clouds):
    X, y = clouds
    model.fit(X, y)
    w, b = model.coef_[0], model.intercept_[0]
    scores = X @ w + b
    assert np.array_equal(model.predict(X), np.sign(scores))
    # The distance to the plane is |⟨w, x⟩ + b|/‖w‖: step that far along w.
    feet = X - np.outer(scores / (w @ w), w)
    assert feet @ w + b == pytest.approx(0, abs=1e-10)
    distances = np.linalg.norm(X - feet, axis=1)
    assert distances == pytest.approx(np.abs(scores) / np.linalg.norm(w))
    model.coef_, model.intercept_ = 7 * model.coef_, 7 * model.intercept_
    assert np.array_equal(model.predict(X), np.sign(scores))


@pytest.mark.syllabus("S4A-100")
def test_the_logistic_loss_in_both_bases():
    margin = np.linspace(-6, 6, 241)
    natural = Logistic().value(np.ones_like(margin), margin)
    binary = natural / np.log(2)
    assert natural == pytest.approx(np.log(1 + np.exp(-margin)))
    assert binary == pytest.approx(np.log2(1 + np.exp(-margin)))
    assert (binary >= (margin <= 0)).all()  # an upper bound of the 0-1 loss
    assert binary[120] == 1
    assert (np.diff(natural, 2) > 0).all()  # convex
    assert natural[140] > 0.3  # right, but close to the plane: punished still
    slope = np.diff(natural)[:5] / np.diff(margin)[:5]
    assert slope == pytest.approx(-1, abs=0.01)  # linear on the wrong side
    far = Logistic().value(np.ones(2), np.array([-1e3, 1e3]))
    assert far.tolist() == [1000.0, 0.0]


@pytest.mark.syllabus("S4A-101")
def test_probabilities_are_the_logistic_function_of_the_score(clouds):
    X, y = clouds
    model = LogisticRegression().fit(X, y)
    f = X @ model.coef_[0] + model.intercept_[0]
    shares = model.predict_proba(X)
    assert shares[:, 1] == pytest.approx(1 / (1 + np.exp(-f)))
    assert shares[:, 0] == pytest.approx(expit(-f))
    assert shares.sum(axis=1) == pytest.approx(1)


@pytest.mark.syllabus("S4A-102")
def test_the_empirical_logistic_risk_is_convex_and_newton_minimises_it(clouds, rng):
    X, y = clouds
    risk = LinearRisk(as_design(X), y.astype(float), Logistic(), NoPenalty())
    solution = Newton(tolerance=1e-12).solve(risk)
    assert risk.gradient(solution.point) == pytest.approx(0, abs=1e-7)
    theirs = Reference(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, y)
    expected = [*theirs.coef_[0], *theirs.intercept_]
    assert solution.point == pytest.approx(expected, abs=1e-4)
    for point in 3 * rng.standard_normal((20, 3)):
        bends = Logistic().hessian(risk.y, risk.scores(point))
        assert np.linalg.eigvalsh(risk.hessian(bends)).min() > -1e-12


@pytest.mark.syllabus("S4A-102")
def test_the_newton_error_is_squared_in_every_step(clouds):
    X, y = clouds
    risk = LinearRisk(as_design(X), y.astype(float), Logistic(), NoPenalty())
    best = Newton(tolerance=1e-14).solve(risk).point
    point, errors = np.zeros(3), []
    for _ in range(8):
        bends = Logistic().hessian(risk.y, risk.scores(point))
        point = point - np.linalg.solve(risk.hessian(bends), risk.gradient(point))
        errors.append(np.linalg.norm(point - best))
    assert errors[-1] < 1e-7
    steps = [(a, b) for a, b in pairwise(errors) if a < 0.5 and b > 1e-7]
    assert len(steps) >= 2
    assert all(after < 5 * before**2 for before, after in steps)


@pytest.mark.syllabus("S4A-102")
def test_on_separable_classes_the_weights_run_away():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    y = np.array([-1, -1, 1, 1])
    sizes, risks = [], []
    for strength in (1e-1, 1e-3, 1e-5):
        model = RiskMinimizer("logistic", "ridge", strength=strength).fit(X, y)
        sizes.append(np.linalg.norm(model.coef_))
        risks.append(Logistic().value(y, model.decision_function(X)).mean())
    assert sizes[0] < 0.5 * sizes[1] < 0.5 * sizes[2]
    assert risks[-1] < 1e-3


@pytest.mark.syllabus("S4A-103")
@pytest.mark.parametrize("strength", [0.3, 0.01])
def test_logistic_regression_with_the_squared_length(strength, clouds):
    X, y = clouds
    n = len(y)
    # (1/n) Σ ln(1 + exp(-yf)) + λ‖w‖²: C = 1/(2nλ).
    model = LogisticRegression(C=1 / (2 * n * strength), tol=1e-5).fit(X, y)
    f = model.decision_function(X)
    gradient = -(X.T @ (y * expit(-y * f))) / n + 2 * strength * model.coef_[0]
    assert gradient == pytest.approx(0, abs=1e-4)

    def objective(point):
        losses = Logistic().value(y, X @ point[:2] + point[2])
        return losses.mean() + strength * (point[:2] @ point[:2])

    best = optimize.minimize(objective, np.zeros(3), tol=1e-10)
    found = [*model.coef_[0], *model.intercept_]
    assert found == pytest.approx(best.x, abs=1e-3)


@pytest.mark.syllabus("S4A-103")
def test_logistic_regression_with_the_one_norm_meets_its_conditions(clouds, rng):
    X, y = clouds
    X = np.hstack([X, rng.standard_normal((120, 6))])
    n, strength = len(y), 0.06
    # (1/n) Σ ln(1 + exp(-yf)) + λ‖w‖₁: C = 1/(nλ).
    model = LogisticRegression(C=1 / (n * strength), l1_ratio=1.0, tol=1e-4)
    w = model.fit(X, y).coef_[0]
    correlation = X.T @ (y * expit(-y * model.decision_function(X))) / n
    assert (np.abs(correlation) <= strength + 1e-4).all()
    used = w != 0
    assert correlation[used] == pytest.approx(strength * np.sign(w[used]), abs=1e-4)
    assert 0 < used.sum() < 8


@pytest.mark.syllabus("S4A-105")
@pytest.mark.parametrize(
    "loss, density",
    [
        (Squared(), stats.norm.logpdf),
        (Absolute(), stats.laplace.logpdf),
        (Logistic(), lambda y, f: np.log(expit(np.where(y > 0, f, -f)))),
        (Poisson(), lambda y, f: stats.poisson.logpmf(y, np.exp(f))),
    ],
    ids=["gaussian", "laplace", "logistic", "poisson"],
)
def test_every_conditional_model_gives_a_loss_that_makes_likelihood_a_risk(
    loss, density, rng
):
    y = rng.standard_normal(30)
    if isinstance(loss, Logistic):
        y = np.sign(y)
    if isinstance(loss, Poisson):
        y = np.abs(np.round(3 * y))
    candidates = rng.standard_normal((12, 30))
    risks = np.array([loss.value(y, f).sum() for f in candidates])
    surprise = np.array([-density(y, f).sum() for f in candidates])
    # -log P(y | f) and ℓ(y, f) differ by what does not depend on f.
    assert surprise - surprise[0] == pytest.approx(risks - risks[0])
    assert np.argmin(risks) == np.argmin(surprise)


@pytest.mark.syllabus("S0A-009")
def test_after_standardising_the_units_of_a_classifier_do_not_matter(clouds):
    X, y = clouds
    other = X * [0.453, 1.8] + [0.0, 32.0]  # pounds to kilograms, Celsius to Fahrenheit
    bare = LogisticRegression(C=0.01)
    assert not np.allclose(
        bare.fit(X, y).decision_function(X), bare.fit(other, y).decision_function(other)
    )
    safe = make_pipeline(Standardizer("variance"), LogisticRegression(C=0.01, tol=1e-6))
    here = safe.fit(X, y).decision_function(X)
    assert here == pytest.approx(safe.fit(other, y).decision_function(other), abs=1e-6)


@pytest.mark.syllabus("S2-063")
def test_quadratic_features_make_conic_boundaries(rng):
    X = rng.uniform(-2, 2, (300, 2))
    radius = X[:, 0] ** 2 + 4 * X[:, 1] ** 2
    X, y = X[np.abs(radius - 3) > 0.3], (radius > 3)[np.abs(radius - 3) > 0.3]
    plain = LogisticRegression(C=100.0).fit(X, y)
    features = make_union("passthrough", QuadraticMonomials())
    conic = make_pipeline(features, LogisticRegression(C=100.0)).fit(X, y)
    assert features.fit_transform(X[:1]).tolist() == [
        [a, b, a * a, a * b, b * b] for a, b in X[:1].tolist()
    ]
    assert plain.score(X, y) < 0.9
    assert conic.score(X, y) == 1.0
    # The boundary is an ellipse whose axes are those of the truth.
    w = conic[-1].coef_[0]
    assert w[4] / w[2] == pytest.approx(4, rel=0.3)
    assert abs(w[3]) < 0.3 * w[2]
