"""Regularised least squares: the problem, its linear system, its offset."""

import numpy as np
import pytest
from numpy.linalg import LinAlgError
from scipy import linalg, optimize
from sklearn import linear_model
from sklearn.pipeline import make_pipeline

from infimum.data import linear_regression
from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.models.linear import (
    LinearRegression,
    Ridge,
    RidgeSpectrum,
    regularization_path,
)
from infimum.models.linear.closed_form import _ridge_system
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge as RidgePenalty
from infimum.study.convexity import Quadratic
from infimum.study.features import InterceptColumn


def ridge(n, strength, **options):
    """Return the estimator of (1/n)‖y - Xw‖² + strength·‖w‖²."""
    return Ridge(alpha=n * strength, **options)


def halved_risk(X, y, strength):
    """Return half of (1/n)‖y - Xw‖² + strength·‖w‖²: our losses carry a half."""
    penalty = RidgePenalty(strength)
    return LinearRisk(as_design(X), y, Squared(), penalty, intercept=False)


def sample(rng, n=40, d=5):
    X = rng.standard_normal((n, d)) * np.linspace(0.3, 3.0, d)
    return X, X @ rng.standard_normal(d) + 0.5 * rng.standard_normal(n)


@pytest.mark.syllabus("S1-035")
@pytest.mark.parametrize("strength", [1e-3, 0.1, 5.0])
def test_no_other_weights_have_a_smaller_regularised_risk(strength, rng):
    X, y = sample(rng)
    model = ridge(40, strength, fit_intercept=False).fit(X, y)

    def objective(w):
        return np.mean((y - X @ w) ** 2) + strength * w @ w

    found = optimize.minimize(objective, np.zeros(5), tol=1e-12)
    assert objective(model.coef_) <= found.fun + 1e-12
    assert model.coef_ == pytest.approx(found.x, abs=1e-5)
    assert 2 * model.certificate_.primal == pytest.approx(objective(model.coef_))
    peer = linear_model.Ridge(alpha=40 * strength, fit_intercept=False).fit(X, y)
    assert model.coef_ == pytest.approx(peer.coef_, abs=1e-9)


@pytest.mark.syllabus("S1-036")
def test_without_offset_the_prediction_is_a_linear_function(rng):
    X, y = sample(rng)
    f = ridge(40, 0.1, fit_intercept=False).fit(X, y).predict
    x, z = rng.standard_normal((2, 1, 5))
    assert f(3.0 * x - 0.5 * z) == pytest.approx(3.0 * f(x) - 0.5 * f(z))
    assert f(np.eye(5)) @ x[0] == pytest.approx(f(x)[0])  # f(x) = xᵀw
    assert f(np.zeros((1, 5))) == 0.0


@pytest.mark.syllabus("S1-037")
def test_gradients_of_the_empirical_risk_and_of_the_penalty(rng):
    X, y = sample(rng)
    risk, w = halved_risk(X, y, 0.3), rng.standard_normal(5)
    here = risk.evaluate(np.append(w, 0.0))
    assert 2 * here.pulled_back == pytest.approx(-2 / 40 * X.T @ (y - X @ w))
    penalty = 2 * (here.gradient - here.risk_gradient)[:-1]
    assert penalty == pytest.approx(0.3 * 2 * w)
    error = optimize.check_grad(
        lambda w: risk.value(np.append(w, 0.0)),
        lambda w: risk.evaluate(np.append(w, 0.0)).gradient[:-1],
        w,
    )
    assert error < 1e-6


@pytest.mark.syllabus("S1-038")
@pytest.mark.parametrize("strength", [1e-6, 0.1])
def test_the_weights_solve_the_normal_equations_by_cholesky(strength, rng, monkeypatch):
    X, y = sample(rng, 60, 8)
    factored = []
    original = _ridge_system.cho_factor
    monkeypatch.setattr(
        _ridge_system,
        "cho_factor",
        lambda matrix, **options: (
            factored.append(matrix.shape),
            original(matrix, **options),
        )[1],
    )
    w = ridge(60, strength, fit_intercept=False).fit(X, y).coef_
    assert factored == [(8, 8)]  # one factorisation, features × features
    system = X.T @ X + 60 * strength * np.eye(8)
    assert system @ w == pytest.approx(X.T @ y, rel=1e-10, abs=1e-10)
    assert w == pytest.approx(linalg.cho_solve(linalg.cho_factor(system), X.T @ y))


@pytest.mark.syllabus("S1-039")
def test_a_positive_strength_makes_a_singular_system_invertible(rng):
    X = linalg.hadamard(16)[:, [1, 2, 3, 1]].astype(float)  # one column comes twice
    y, strength = rng.standard_normal(16), 1e-3
    problem = as_design(X), y, Squared(), RidgePenalty(strength)
    risk = LinearRisk(*problem, intercept=False)
    system = 16 * risk.hessian(np.ones(16))[:-1, :-1]
    assert system == pytest.approx(X.T @ X + 16 * strength * np.eye(4))
    with pytest.raises(LinAlgError):
        np.linalg.cholesky(X.T @ X)
    assert np.linalg.cholesky(system).shape == (4, 4)
    assert np.linalg.eigvalsh(system)[0] >= 16 * strength * (1 - 1e-9)
    w = ridge(16, strength, fit_intercept=False).fit(X, y).coef_
    assert system @ w == pytest.approx(X.T @ y, rel=1e-9)
    spectrum = RidgeSpectrum.of(X, y, fit_intercept=False)
    assert spectrum.condition() == np.inf
    assert spectrum.condition(strength) == pytest.approx((2 + strength) / strength)


@pytest.mark.syllabus("S1-040")
@pytest.mark.parametrize("strength", [0.0, 0.7])
def test_a_diagonal_system_is_solved_by_division(strength, rng):
    n, s = 5, np.array([4.0, 1.0, 0.25, 2.0, 9.0])
    X, y = np.diag(np.sqrt(n * s)), rng.standard_normal(n)  # XᵀX/n = diag(s)
    right = X.T @ y / n
    divided = right / (s + strength)
    for w in (
        ridge(n, strength, fit_intercept=False).fit(X, y).coef_,
        RidgeSpectrum.of(X, y, fit_intercept=False).solve(strength)[0],
        Quadratic(np.diag(s + strength), -right).minimizer,
    ):
        assert w == pytest.approx(divided)
    assert divided == pytest.approx(
        np.linalg.inv(np.diag(s) + strength * np.eye(n)) @ right
    )


@pytest.mark.syllabus("S1-041")
@pytest.mark.parametrize("shape", [(40, 6), (6, 40)], ids=["tall", "wide"])
def test_one_eigendecomposition_serves_every_strength(shape, rng, monkeypatch):
    X, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    calls, eigh = [], np.linalg.eigh
    monkeypatch.setattr(
        np.linalg, "eigh", lambda matrix: (calls.append(matrix.shape), eigh(matrix))[1]
    )
    spectrum = RidgeSpectrum.of(X, y)
    strengths = np.geomspace(1e-4, 1e2, 50)
    solutions = [spectrum.solve(strength) for strength in strengths]
    assert calls == [(6, 6)]
    path = regularization_path(Ridge(), X, y, values=shape[0] * strengths)
    for (w, b), model in zip(solutions, path.models[::-1], strict=True):
        assert w == pytest.approx(model.coef_, abs=1e-8)
        assert b == pytest.approx(model.intercept_, abs=1e-8)
    centred = X - X.mean(axis=0)
    moments = centred.T @ centred / shape[0]
    V, s = spectrum.vectors, spectrum.eigenvalues
    assert (V * s) @ V.T == pytest.approx(moments, abs=1e-12)


@pytest.mark.syllabus("S1-042")
def test_the_condition_number_is_the_ratio_of_extreme_eigenvalues(rng):
    X, y = sample(rng, 50, 6)
    moments = X.T @ X / 50
    spectrum = RidgeSpectrum.of(X, y, fit_intercept=False)
    assert spectrum.condition() == pytest.approx(np.linalg.cond(moments))
    assert spectrum.condition() > 1
    conditions = [spectrum.condition(strength) for strength in (0.01, 0.1, 1.0, 10.0)]
    for strength, condition in zip((0.01, 0.1, 1.0, 10.0), conditions, strict=True):
        shifted = moments + strength * np.eye(6)
        assert condition == pytest.approx(np.linalg.cond(shifted))
    assert conditions == sorted(conditions, reverse=True)


@pytest.mark.syllabus("S1-042")
def test_a_well_conditioned_system_answers_small_changes_with_small_changes(rng):
    X, y = sample(rng, 50, 6)
    X[:, 1] = X[:, 0] + 1e-5 * rng.standard_normal(50)
    change = 1e-3 * rng.standard_normal(50)

    def answer(strength):
        before = RidgeSpectrum.of(X, y).solve(strength)[0]
        after = RidgeSpectrum.of(X, y + change).solve(strength)[0]
        return np.linalg.norm(after - before)

    assert answer(0.0) > 1.0
    assert answer(0.1) < 1e-2


@pytest.mark.syllabus("S1-043")
def test_an_offset_by_augmentation_is_penalised_with_the_weights(rng):
    X, y = sample(rng)
    strength = 0.5
    augmented = make_pipeline(
        InterceptColumn(), ridge(40, strength, fit_intercept=False)
    )
    augmented.fit(X, y)
    joint = augmented[-1].coef_
    primal = 2 * augmented[-1].certificate_.primal
    fit = np.mean((y - augmented.predict(X)) ** 2)
    # ‖w̃‖² = ‖w‖² + b²: the offset costs as much as a weight of the same size.
    assert primal == pytest.approx(
        fit + strength * (joint[:-1] @ joint[:-1] + joint[-1] ** 2)
    )
    shifted = augmented.fit(X, y + 100).predict(X) - augmented.fit(X, y).predict(X)
    assert np.abs(shifted - 100).min() > 10
    free = ridge(40, strength)
    shifted = free.fit(X, y + 100).predict(X) - free.fit(X, y).predict(X)
    assert shifted == pytest.approx(100)
    # Without a penalty both ways agree.
    one = make_pipeline(InterceptColumn(), LinearRegression(fit_intercept=False))
    two = LinearRegression()
    assert one.fit(X, y).predict(X) == pytest.approx(two.fit(X, y).predict(X))


@pytest.mark.syllabus("S1-044")
@pytest.mark.parametrize("strength", [0.01, 1.0])
def test_an_unpenalised_offset_is_had_by_centring(strength):
    toy = linear_regression(80, intercept=7.0, random_state=3)
    X, y = np.add(toy.X, [10.0, -3.0, 0.0]), toy.y
    model = ridge(80, strength).fit(X, y)
    around = ridge(80, strength, fit_intercept=False)
    around.fit(X - X.mean(axis=0), y - y.mean())
    assert model.coef_ == pytest.approx(around.coef_)
    offset = y.mean() - X.mean(axis=0) @ around.coef_
    assert model.intercept_ == pytest.approx(offset)
    peer = linear_model.Ridge(alpha=80 * strength).fit(X, y)
    assert model.coef_ == pytest.approx(peer.coef_)
    assert model.intercept_ == pytest.approx(peer.intercept_)
