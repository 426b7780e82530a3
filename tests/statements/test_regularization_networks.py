"""Tikhonov regularisation with any loss: risks, targets, the representer theorem."""

import numpy as np
import pytest
from scipy import linalg, optimize

from infimum.data import linear_regression, two_gaussians
from infimum.data.designs import as_design
from infimum.errors import DataError, IncompatibleError
from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Quantile,
    Squared,
    SquaredHinge,
)
from infimum.models.linear import LinearSVC, LogisticRegression, Ridge, RiskMinimizer
from infimum.models.linear.closed_form import _ridge_system
from infimum.objectives import LinearRisk, expansion, gram_root
from infimum.penalties import Lasso, NoPenalty
from infimum.penalties import Ridge as RidgePenalty
from infimum.solvers import choose
from infimum.study.features import FeatureMap, QuadraticMonomials

LOSSES = [
    Squared(),
    Absolute(),
    Huber(0.5),
    Quantile(0.3),
    EpsilonInsensitive(0.2),
    Logistic(),
    Hinge(),
    SquaredHinge(),
]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
GRID = np.linspace(-2, 2, 4001)


def tikhonov(X, y, loss, strength):
    """State (1/n) Σ loss + strength·‖w‖², or half of it for squares.

    Our ridge penalty carries a half, and so does our squared loss.
    """
    penalty = RidgePenalty(strength if isinstance(loss, Squared) else 2 * strength)
    return LinearRisk(as_design(X), y, loss, penalty, intercept=False)


def solved(risk):
    return choose(risk)(tolerance=1e-12).solve(risk)


def targets_for(loss, rng, n):
    signs = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    return signs if loss.target == "sign" else rng.standard_normal(n)


@pytest.mark.syllabus("S1-066")
def test_the_empirical_risk_approaches_the_expected_risk():
    w, truth = np.array([0.5, -1.0, 0.0]), np.array([1.0, -2.0, 0.5])
    noise = 0.7
    expected = noise**2 + np.sum((w - truth) ** 2)  # E(y - wᵀx)², as x ~ N(0, I)
    deviations = []
    for n in (100, 5_000, 250_000):
        toy = linear_regression(n, coefficients=truth, noise=noise, random_state=1)
        problem = as_design(toy.X), toy.y, Squared(), NoPenalty()
        risk = LinearRisk(*problem, intercept=False)
        empirical = 2 * risk.evaluate(np.append(w, 0.0)).empirical
        deviations.append(abs(empirical - expected))
        # The loss is expected·χ², so one standard deviation is expected·√(2/n).
        assert deviations[-1] < 4 * expected * np.sqrt(2 / n)
    assert deviations[-1] < deviations[0] / 10


@pytest.mark.syllabus("S1-067", "S1-055")
def test_three_ways_to_the_functions_of_degree_two(rng):
    X, new = rng.standard_normal((30, 2)), rng.standard_normal((50, 2))
    y, strength = X[:, 0] * X[:, 1] + 0.1 * rng.standard_normal(30), 0.05
    # 1. linear functions of features that a transformer makes
    monomials = QuadraticMonomials("isometric").fit(X)
    model = Ridge(alpha=30 * strength, fit_intercept=False)
    first = model.fit(monomials.transform(X), y).predict(monomials.transform(new))
    # 2. a feature map given by functions
    phi = FeatureMap(
        [lambda x: x[0] ** 2, lambda x: np.sqrt(2) * x[0] * x[1], lambda x: x[1] ** 2]
    )
    second = model.fit(phi.fit_transform(X), y).predict(phi.transform(new))
    # 3. the kernel alone: Φ(x)ᵀΦ(z) = (xᵀz)²
    assert phi.kernel(X) == pytest.approx((X @ X.T) ** 2)
    risk = tikhonov(gram_root((X @ X.T) ** 2), y, Squared(), strength)
    c = expansion(risk, solved(risk).slopes)
    third = (new @ X.T) ** 2 @ c
    assert first == pytest.approx(second, abs=1e-9)
    assert first == pytest.approx(third, abs=1e-6)


@pytest.mark.syllabus("S1-068", "S1-053")
@pytest.mark.parametrize("name", ["squared", "logistic", "hinge", "huber", "absolute"])
def test_one_scheme_takes_every_loss_and_proves_its_minimum(name, rng):
    toy = two_gaussians(80, random_state=5)
    y = 2.0 * toy.y - 1.0
    model = RiskMinimizer(name, "ridge", strength=0.1, fit_intercept=False, tol=1e-9)
    model.fit(toy.X, y)
    assert model.certificate_.closed
    primals = [record.primal for record in model.history_]
    assert (np.diff(primals) <= 1e-12).all()
    risk = tikhonov(toy.X, y, model._part(), 0.1 if name == "squared" else 0.05)
    w = np.ravel(model.coef_)
    least = risk.value(np.append(w, 0.0))
    assert least == pytest.approx(model.certificate_.primal)
    for change in 0.1 * rng.standard_normal((50, 2)):
        assert risk.value(np.append(w + change, 0.0)) > least


@pytest.mark.syllabus("S1-053", "S1-068")
def test_the_scheme_contains_ridge_logistic_regression_and_the_svm():
    toy = two_gaussians(60, random_state=2)
    y, n, strength = 2.0 * toy.y - 1.0, 60, 0.02
    plain = {"fit_intercept": False}
    for loss, model in [
        (Squared(), Ridge(alpha=n * strength, **plain)),
        (Logistic(), LogisticRegression(C=1 / (2 * strength * n), tol=1e-6, **plain)),
        (Hinge(), LinearSVC(loss="hinge", C=1 / (2 * strength * n), tol=1e-9, **plain)),
    ]:
        risk = tikhonov(toy.X, y, loss, strength)
        w = np.ravel(model.fit(toy.X, y).coef_)
        best = solved(risk).certificate
        reached = risk.value(np.append(w, 0.0))
        assert best.dual - 1e-15 <= reached <= best.primal + 1e-6
        assert w == pytest.approx(solved(risk).point[:-1], abs=1e-3)


@pytest.mark.syllabus("S1-069", "S1-056")
@each_loss
def test_the_minimiser_is_a_combination_of_the_samples(loss, rng):
    X = rng.standard_normal((12, 30))
    risk = tikhonov(X, targets_for(loss, rng, 12), loss, 0.1)
    solution = solved(risk)
    w = solution.point[:-1]
    c = expansion(risk, solution.slopes)
    assert w == pytest.approx(X.T @ c, abs=1e-5)
    inside = X.T @ np.linalg.lstsq(X.T, w, rcond=None)[0]
    assert w == pytest.approx(inside, abs=1e-5)  # w lies in the row space
    new = rng.standard_normal((5, 30))
    assert new @ w == pytest.approx((new @ X.T) @ c, abs=1e-4)


@pytest.mark.syllabus("S1-069")
@each_loss
def test_a_component_orthogonal_to_the_samples_only_lengthens_the_weights(loss, rng):
    X = rng.standard_normal((8, 15))
    risk = tikhonov(X, targets_for(loss, rng, 8), loss, 0.1)
    w, strength = X.T @ rng.standard_normal(8), risk.penalty.strength
    for direction in linalg.null_space(X).T:
        here = risk.evaluate(np.append(w, 0.0))
        there = risk.evaluate(np.append(w + 3.0 * direction, 0.0))
        assert there.empirical == pytest.approx(here.empirical)
        assert there.value - here.value == pytest.approx(strength / 2 * 3.0**2)


@pytest.mark.syllabus("S1-070", "S1-057")
def test_the_smaller_of_the_two_systems_is_solved(rng, monkeypatch):
    sizes, original = [], _ridge_system.cho_factor
    monkeypatch.setattr(
        _ridge_system,
        "cho_factor",
        lambda matrix, **options: (
            sizes.append(len(matrix)),
            original(matrix, **options),
        )[1],
    )
    X, y = rng.standard_normal((10, 50)), rng.standard_normal(10)
    wide = Ridge(alpha=2.0, fit_intercept=False).fit(X, y).coef_
    # Ten copies of the same samples are the same problem, with n above d.
    copies = np.repeat(X, 10, axis=0), np.repeat(y, 10)
    tall = Ridge(alpha=20.0, fit_intercept=False).fit(*copies).coef_
    assert sizes == [10, 50]
    assert wide == pytest.approx(tall, abs=1e-10)
    primal = np.linalg.solve(X.T @ X + 2.0 * np.eye(50), X.T @ y)
    dual = X.T @ np.linalg.solve(X @ X.T + 2.0 * np.eye(10), y)
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    spectral = Vt.T @ (s / (s**2 + 2.0) * (U.T @ y))
    for form in (primal, dual, spectral):
        assert wide == pytest.approx(form, abs=1e-10)


@pytest.mark.syllabus("S1-071")
@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8, 0.99])
def test_the_target_of_the_squared_loss_is_the_conditional_mean(p):
    target = Squared().best_constant(np.array([1.0, -1.0]), np.array([p, 1 - p]))
    risks = p * (1 - GRID) ** 2 + (1 - p) * (1 + GRID) ** 2
    assert target == pytest.approx(2 * p - 1)
    assert target == pytest.approx(GRID[risks.argmin()], abs=1e-3)
    # Its sign is the more probable class.
    assert np.sign(target) == np.sign(p - 0.5)
    values, chances = np.array([0.0, 1.0, 5.0]), np.array([0.5, 0.3, 0.2])
    assert Squared().best_constant(values, chances) == pytest.approx(1.3)


@pytest.mark.syllabus("S1-072")
@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8, 0.99])
def test_the_target_of_the_logistic_loss_is_the_log_odds(p):
    target = Logistic().best_constant(np.array([1.0, -1.0]), np.array([p, 1 - p]))
    assert target == pytest.approx(np.log(p / (1 - p)))
    assert np.exp(target) / (1 + np.exp(target)) == pytest.approx(p)
    found = optimize.minimize_scalar(
        lambda a: p * np.log1p(np.exp(-a)) + (1 - p) * np.log1p(np.exp(a))
    )
    assert target == pytest.approx(found.x, abs=1e-4)


@pytest.mark.syllabus("S1-073", "S1-009")
@each_loss
def test_the_inner_risk_is_minimised_for_any_loss(loss):
    y, p = np.array([1.0, -1.0]), 0.8
    chances = np.array([p, 1 - p])
    target = loss.best_constant(y, chances)

    def inner(a):
        return chances @ loss.value(y, np.full(2, a))

    assert inner(target) <= min(map(inner, GRID[::20])) + 1e-9
    known = {"Squared": 0.6, "Logistic": np.log(4), "Hinge": 1.0, "SquaredHinge": 0.6}
    if type(loss).__name__ in known:
        assert target == pytest.approx(known[type(loss).__name__])


@pytest.mark.syllabus("S1-060")
def test_a_kernel_matrix_must_be_symmetric_and_positive_semi_definite(rng):
    X = rng.standard_normal((12, 3))
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    for gram in (X @ X.T, (X @ X.T + 1) ** 2, np.exp(-squared / 2)):
        root = gram_root(gram)
        assert root @ root.T == pytest.approx(gram, abs=1e-10)
    with pytest.raises(DataError, match="positive semi-definite"):
        gram_root(-squared)
    with pytest.raises(DataError, match="symmetric"):
        gram_root(np.triu(X @ X.T))
    with pytest.raises(DataError, match="square"):
        gram_root(X)


def test_only_a_penalty_on_the_length_puts_the_weights_among_the_samples(rng):
    X, y = rng.standard_normal((5, 3)), rng.standard_normal(5)
    risk = LinearRisk(as_design(X), y, Squared(), Lasso(0.1))
    with pytest.raises(IncompatibleError, match="ridge penalty, got Lasso"):
        expansion(risk, np.zeros(5))
