"""Ridge regression: closed form, shrinkage, bias and variance, and a Gaussian prior."""

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.pipeline import make_pipeline

from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.models.linear import Lasso, LinearRegression, Ridge, RiskMinimizer
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge as RidgePenalty
from infimum.study.features import SineBasis, Standardizer


def ridge(n, strength, **options):
    """Return ridge for (1/n)‖y - Φw‖² + strength·‖w‖², without intercept."""
    return Ridge(alpha=n * strength, fit_intercept=False, **options)


def periodic(n, rng, noise=0.3):
    """Return noisy samples of a periodic function."""
    x = rng.uniform(0, 2 * np.pi, (n, 1))
    truth = np.sin(x[:, 0]) + 0.5 * np.sin(3 * x[:, 0])
    return x, truth + noise * rng.standard_normal(n)


@pytest.mark.syllabus("S4A-065")
def test_the_ridge_penalty_is_the_squared_length_with_gradient_twice_the_weights(rng):
    w = rng.standard_normal(6)
    penalty = RidgePenalty(2.0)  # strength/2 · ‖w‖²
    assert penalty.value(w) == pytest.approx(w @ w)
    slope = optimize.approx_fprime(w, penalty.value)
    assert slope == pytest.approx(2 * w, abs=1e-5)


@pytest.mark.syllabus("S4A-066", "S1-035", "S3-033")
@pytest.mark.parametrize("shape", [(40, 5), (6, 15), (12, 12)])
@pytest.mark.parametrize("strength", [1e-3, 0.1, 10.0])
def test_ridge_has_a_unique_solution_in_closed_form_at_any_rank(shape, strength, rng):
    n, d = shape
    Phi, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    Phi[:, 1] = Phi[:, 0]
    w = ridge(n, strength).fit(Phi, y).coef_
    closed = np.linalg.solve(Phi.T @ Phi + n * strength * np.eye(d), Phi.T @ y)
    assert w == pytest.approx(closed, abs=1e-8)
    gradient = -2 / n * Phi.T @ (y - Phi @ w) + 2 * strength * w
    assert gradient == pytest.approx(0, abs=1e-8)
    # A solver that does not know the formula ends at the same weights.
    descent = RiskMinimizer(strength=strength, fit_intercept=False, tol=1e-10)
    assert descent.fit(Phi, y).coef_ == pytest.approx(w, abs=1e-3)


@pytest.mark.syllabus("S4A-067")
def test_the_penalty_shifts_every_eigenvalue_and_makes_the_system_invertible(rng):
    X, y = rng.standard_normal((8, 12)), rng.standard_normal(8)
    spectra, conditions = [], []
    for strength in (1e-3, 0.1, 1.0, 10.0):
        risk = LinearRisk(
            as_design(X), y, Squared(), RidgePenalty(strength), intercept=False
        )
        A = risk.hessian(np.ones(8))[:-1, :-1]
        spectrum = np.linalg.eigvalsh(A)
        spectra.append(spectrum - strength)
        assert spectrum[0] > 0.99 * strength  # invertible, although XᵀX is not
        conditions.append(spectrum[-1] / spectrum[0])
    plain = np.linalg.eigvalsh(X.T @ X / 8)
    assert plain[0] == pytest.approx(0, abs=1e-12)
    assert plain.min() > -1e-12
    for spectrum in spectra:
        assert spectrum == pytest.approx(plain, abs=1e-10)
    assert conditions == sorted(conditions, reverse=True)


@pytest.mark.syllabus("S4A-068")
def test_ridge_on_ten_sines_shrinks_with_the_strength(rng):
    x, y = periodic(60, rng)
    sizes = []
    for strength in (0.0, 1e-3, 1e-2, 0.1, 1.0, 10.0):
        model = make_pipeline(SineBasis(10), ridge(60, strength)).fit(x, y)
        sizes.append(np.linalg.norm(model[-1].coef_))
        assert (model[-1].coef_ != 0).all()  # small, but never exactly zero
    assert (np.diff(sizes) < 0).all()
    assert sizes[-1] < 0.1 * sizes[0]


@pytest.mark.syllabus("S4A-069")
def test_a_stronger_penalty_trades_variance_for_bias(rng):
    grid = np.linspace(0, 2 * np.pi, 50)[:, None]
    truth = np.sin(grid[:, 0]) + 0.5 * np.sin(3 * grid[:, 0])
    samples = [periodic(25, rng, noise=0.8) for _ in range(60)]
    strengths = (1e-4, 1e-2, 0.1, 0.5, 3.0)
    bias, variance = [], []
    for strength in strengths:
        models = (make_pipeline(SineBasis(10), ridge(25, strength)) for _ in samples)
        pairs = zip(models, samples, strict=True)
        curves = np.array([m.fit(*sample).predict(grid) for m, sample in pairs])
        bias.append(np.mean((curves.mean(axis=0) - truth) ** 2))
        variance.append(curves.var(axis=0).mean())
    assert (np.diff(bias[1:]) > 0).all()
    assert (np.diff(variance) < 0).all()
    total = np.add(bias, variance)
    assert 0 < np.argmin(total) < len(strengths) - 1  # U-shaped: both ends are worse


@pytest.mark.syllabus("S4A-070", "S2-022")
def test_ridge_divides_by_the_singular_values_with_care(rng):
    n, strength = 30, 0.2
    Phi = rng.standard_normal((n, 6)) * [5, 2, 1, 0.5, 0.2, 0.1]
    y = rng.standard_normal(n)
    U, sigma, Vt = np.linalg.svd(Phi, full_matrices=False)
    w = ridge(n, strength).fit(Phi, y).coef_
    # The objective averages over n points, so the shift is n·strength.
    factors = sigma / (sigma**2 + n * strength)
    assert w == pytest.approx(Vt.T @ (factors * (U.T @ y)), abs=1e-10)
    kept = sigma**2 / (sigma**2 + n * strength)
    assert Phi @ w == pytest.approx(U @ (kept * (U.T @ y)))
    wrong = Vt.T @ (sigma / (sigma**2 + strength) * (U.T @ y))
    assert np.abs(w - wrong).max() > 0.01
    plain = LinearRegression(fit_intercept=False).fit(Phi, y).coef_
    assert plain == pytest.approx(Vt.T @ (U.T @ y / sigma))
    shrunken = np.abs(Vt @ w) / np.abs(Vt @ plain)
    assert shrunken == pytest.approx(kept)
    assert (np.diff(shrunken) < 0).all()  # small singular values are shrunken most


@pytest.mark.syllabus("S4A-081", "S1-177")
@pytest.mark.parametrize("sigma, tau", [(1.0, 0.5), (0.3, 2.0), (0.8, 1.0)])
def test_ridge_is_the_posterior_mode_under_a_gaussian_prior(sigma, tau, rng):
    X = rng.standard_normal((25, 4))
    y = X @ (tau * rng.standard_normal(4)) + sigma * rng.standard_normal(25)

    def negative_log_posterior(w):
        noise = stats.norm.logpdf(y, X @ w, sigma).sum()
        return -noise - stats.norm.logpdf(w, 0, tau).sum()

    mode = optimize.minimize(negative_log_posterior, np.zeros(4)).x
    ours = Ridge(alpha=sigma**2 / tau**2, fit_intercept=False).fit(X, y).coef_
    assert ours == pytest.approx(mode, abs=1e-4)
    formula = np.linalg.solve(X.T @ X + sigma**2 / tau**2 * np.eye(4), X.T @ y)
    assert ours == pytest.approx(formula, abs=1e-8)
    # With the mean of the squares instead of their sum, λ = σ²/(n τ²).
    averaged = ridge(25, sigma**2 / (25 * tau**2)).fit(X, y).coef_
    assert averaged == pytest.approx(formula, abs=1e-8)


@pytest.mark.syllabus("S4A-058")
@pytest.mark.parametrize(
    "model, invariant",
    [
        (LinearRegression(), True),
        (Ridge(alpha=5.0), False),
        (Lasso(alpha=0.2, tol=1e-8), False),
    ],
    ids=["least squares", "ridge", "lasso"],
)
def test_the_unit_of_a_feature_matters_to_penalised_regression_only(
    model, invariant, rng
):
    height, age = rng.normal(1.75, 0.1, 80), rng.normal(40, 12, 80)
    X = np.column_stack([height, age])
    y = 10 * height + 0.1 * age + 0.3 * rng.standard_normal(80)
    other = X * [100.0, 1.0] + [0.0, 7.0]  # metres to centimetres, another birthday
    here = model.fit(X, y).predict(X)
    there = model.fit(other, y).predict(other)
    assert (np.abs(here - there).max() < 1e-8) == invariant
    if not invariant:
        assert np.abs(here - there).max() > 0.1
    safe = make_pipeline(Standardizer("variance"), model)
    assert safe.fit(other, y).predict(other) == pytest.approx(
        safe.fit(X, y).predict(X), abs=1e-6
    )
