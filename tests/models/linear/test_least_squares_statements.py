"""What is true of least squares, in the words of the lecture."""

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.pipeline import make_pipeline

from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.models.linear import LinearRegression
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty
from infimum.study.features import (
    FeatureMap,
    InterceptColumn,
    PolynomialBasis,
    SineBasis,
)


def mean_squared(y, f):
    return 2 * Squared().value(y, f).mean()


def square_risk(X, y):
    """Return w ↦ ‖y - Xw‖²/(2n), without intercept."""
    return LinearRisk(as_design(X), y, Squared(), NoPenalty(), intercept=False)


@pytest.mark.syllabus("S4A-043")
def test_no_other_linear_function_has_a_smaller_mean_squared_error(rng):
    X, y = rng.standard_normal((50, 4)), rng.standard_normal(50)
    model = LinearRegression().fit(X, y)
    best = mean_squared(y, X @ model.coef_ + model.intercept_)
    for scale in (1e-3, 1.0):
        for step in scale * rng.standard_normal((50, 5)):
            other = X @ (model.coef_ + step[:4]) + model.intercept_ + step[4]
            assert mean_squared(y, other) > best


@pytest.mark.syllabus("S4A-044")
def test_the_shoe_size_is_read_off_the_height_alone(rng):
    height = rng.normal(172, 10, 60)
    weight = 0.9 * height - 85 + rng.normal(0, 9, 60)
    income = rng.lognormal(10, 0.5, 60)
    age = rng.uniform(18, 90, 60)
    X = np.column_stack([height, weight, income, age])
    model = LinearRegression().fit(X, 2 / 10 * height + 1)
    assert model.coef_ == pytest.approx([0.2, 0, 0, 0], abs=1e-8)
    assert model.intercept_ == pytest.approx(1, abs=1e-8)


@pytest.mark.syllabus("S4A-045")
def test_solutions_with_an_intercept_are_those_with_a_column_of_ones(rng):
    X, y = rng.standard_normal((30, 3)), rng.standard_normal(30)
    model = LinearRegression().fit(X, y)
    extended = InterceptColumn().fit_transform(X)
    absorbed = LinearRegression(fit_intercept=False).fit(extended, y)
    assert absorbed.coef_ == pytest.approx([*model.coef_, model.intercept_])


@pytest.mark.syllabus("S4A-046")
def test_the_squared_error_is_convex_in_the_weights(rng):
    X, y = rng.standard_normal((12, 20)), rng.standard_normal(12)
    risk = square_risk(X, y)
    hessian = risk.hessian(np.ones(12))[:-1, :-1]
    assert hessian == pytest.approx(X.T @ X / 12)
    assert np.linalg.eigvalsh(hessian).min() > -1e-12
    for v, w in 5 * rng.standard_normal((50, 2, 21)):
        between = risk.value(0.3 * v + 0.7 * w)
        assert between <= 0.3 * risk.value(v) + 0.7 * risk.value(w) + 1e-10


@pytest.mark.syllabus("S4A-047", "S2-005")
def test_independent_columns_have_one_solution_by_the_normal_equations(rng):
    X, y = rng.standard_normal((25, 6)), rng.standard_normal(25)
    w = LinearRegression(fit_intercept=False).fit(X, y).coef_
    assert w == pytest.approx(np.linalg.inv(X.T @ X) @ X.T @ y)
    assert w == pytest.approx(np.linalg.lstsq(X, y)[0])
    assert X.T @ (y - X @ w) == pytest.approx(0, abs=1e-12)
    # The gradient of ‖y - Xw‖²/2 is -Xᵀ(y - Xw).
    here, risk = np.append(rng.standard_normal(6), 0.0), square_risk(X, y)
    gradient = 25 * risk.gradient(here)[:-1]
    assert gradient == pytest.approx(-X.T @ (y - X @ here[:-1]))
    slope = optimize.approx_fprime(
        here[:-1], lambda v: 25 * risk.value(np.append(v, 0.0))
    )
    assert gradient == pytest.approx(slope, rel=1e-4, abs=1e-4)


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.syllabus("S4A-047")
@pytest.mark.parametrize("rank", [1, 3, 6])
def test_the_gram_matrices_have_the_rank_of_the_matrix(rank, rng):
    X = rng.standard_normal((25, rank)) @ rng.standard_normal((rank, 6))
    model = LinearRegression(fit_intercept=False).fit(X, rng.standard_normal(25))
    assert model.rank_ == rank
    assert np.linalg.matrix_rank(X.T @ X) == np.linalg.matrix_rank(X @ X.T) == rank


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.syllabus("S4A-048")
@pytest.mark.parametrize("shape", [(30, 8), (5, 8), (12, 11)])
def test_dependent_columns_have_many_solutions_and_the_shortest_is_returned(shape, rng):
    n, d = shape
    X = rng.standard_normal((n, 4)) @ rng.standard_normal((4, d))
    y = rng.standard_normal(n)
    model = LinearRegression(fit_intercept=False).fit(X, y)
    assert model.rank_ == 4 < d
    assert model.coef_ == pytest.approx(
        np.linalg.pinv(X.T @ X, hermitian=True, rcond=1e-10) @ X.T @ y
    )
    assert model.coef_ == pytest.approx(np.linalg.pinv(X) @ y)
    # Any v with Xv = 0 leads to another solution, equal on the training points only.
    null = np.linalg.svd(X)[2][-1]
    other = model.coef_ + 3 * null
    assert X @ other == pytest.approx(X @ model.coef_)
    assert np.linalg.norm(other) > np.linalg.norm(model.coef_)
    new = rng.standard_normal(d)
    assert abs(new @ other - new @ model.coef_) > 0.1


@pytest.mark.syllabus("S4A-049")
@pytest.mark.parametrize("n, d", [(3, 10), (10, 10), (200, 10), (1, 10), (10, 1)])
def test_the_normal_equations_are_solvable_for_any_n_and_d(n, d, rng):
    X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    w = LinearRegression(fit_intercept=False).fit(X, y).coef_
    assert X.T @ X @ w == pytest.approx(X.T @ y)


@pytest.mark.syllabus("S4A-049")
def test_few_columns_are_harmless_and_many_overfit(rng):
    def errors(n, d):
        """Return training and test error for a truth that uses one column."""
        X, new = rng.standard_normal((n, d)), rng.standard_normal((2000, d))
        y, y_new = (Z[:, 0] + rng.standard_normal(len(Z)) for Z in (X, new))
        model = LinearRegression(fit_intercept=False).fit(X, y)
        return mean_squared(y, model.predict(X)), mean_squared(
            y_new, model.predict(new)
        )

    few = np.mean([errors(400, 4) for _ in range(10)], axis=0)
    many = np.mean([errors(40, 80) for _ in range(10)], axis=0)
    # σ² = 1; with d << n the excess is σ²d/n, with d > n about σ²n/(d-n) and a bias.
    assert few == pytest.approx([1, 1], abs=0.1)
    assert many[0] < 1e-20
    assert many[1] > 1.5


@pytest.mark.syllabus("S4A-059")
def test_a_basis_expansion_is_least_squares_on_the_matrix_of_basis_functions(rng):
    x = rng.uniform(0, 3, 40)
    y = rng.standard_normal(40)
    basis = FeatureMap([np.exp, np.sqrt, lambda v: float(v > 1), lambda v: v * v])
    model = make_pipeline(basis, LinearRegression(fit_intercept=False)).fit(x, y)
    Phi = np.column_stack([np.exp(x), np.sqrt(x), x > 1, x * x])
    w = np.linalg.solve(Phi.T @ Phi, Phi.T @ y)
    assert model[-1].coef_ == pytest.approx(w)
    assert model.predict(x) == pytest.approx(Phi @ w)
    # More functions than points: the generalised inverse.
    rich = make_pipeline(PolynomialBasis(12), LinearRegression(fit_intercept=False))
    few = rng.uniform(-1, 1, (6, 1))
    rich.fit(few, y[:6])
    Phi = few ** np.arange(1, 13)
    assert rich[-1].coef_ == pytest.approx(np.linalg.pinv(Phi) @ y[:6], rel=1e-6)


@pytest.mark.syllabus("S4A-060", "S4A-061")
def test_noise_free_sums_of_basis_functions_are_recovered(rng):
    x = rng.uniform(0, 6, (80, 1))
    w = rng.standard_normal(10)
    sines = make_pipeline(SineBasis(10), LinearRegression(fit_intercept=False))
    sines.fit(x, sum(w[k - 1] * np.sin(k * x[:, 0]) for k in range(1, 11)))
    assert sines[-1].coef_ == pytest.approx(w)
    z = rng.uniform(-1, 1, (80, 1))
    powers = make_pipeline(PolynomialBasis(5), LinearRegression(fit_intercept=False))
    powers.fit(z, sum(w[k - 1] * z[:, 0] ** k for k in range(1, 6)))
    assert powers[-1].coef_ == pytest.approx(w[:5])


@pytest.mark.syllabus("S4A-080", "S1-173", "S3-110")
def test_least_squares_is_maximum_likelihood_under_gaussian_noise(rng):
    X = rng.standard_normal((40, 3))
    y = X @ [1.0, -2, 0.5] + 0.7 * rng.standard_normal(40)
    for sigma in (0.7, 3.0):  # the width of the noise does not move the maximum
        likeliest = optimize.minimize(
            lambda w, s=sigma: -stats.norm.logpdf(y, X @ w, s).sum(), np.zeros(3)
        ).x
        least = LinearRegression(fit_intercept=False).fit(X, y).coef_
        assert likeliest == pytest.approx(least, abs=1e-4)
