"""The lasso: sparsity, the corners of the ball, and a Laplace prior."""

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.linear_model import Lasso as Reference
from sklearn.pipeline import make_pipeline

from infimum.data.synthetic import sparse_regression
from infimum.models.linear import BestSubsetRegressor, Lasso, Ridge
from infimum.penalties import Lasso as LassoPenalty
from infimum.study.features import SineBasis, p_norm, support_size


def lasso(strength, **options):
    """Return the lasso for (1/n)‖y - Φw‖² + strength·‖w‖₁, without intercept."""
    return Lasso(alpha=strength / 2, fit_intercept=False, tol=1e-8, **options)


def objective(Phi, y, w, strength):
    return np.mean((y - Phi @ w) ** 2) + strength * p_norm(w, 1)


@pytest.mark.syllabus("S4A-073")
def test_a_sparse_solution_needs_few_columns_and_names_them():
    toy = sparse_regression(60, 100, relevant=4, noise=0.1, random_state=3)
    w = lasso(0.2).fit(toy.X, toy.y).coef_
    used = np.flatnonzero(w)
    assert support_size(w) == len(used) < 30
    assert {0, 1, 2, 3} <= set(used)  # readable: the columns that matter are in
    assert toy.X[:, used] @ w[used] == pytest.approx(toy.X @ w)  # cheap
    dense = Ridge(alpha=6.0, fit_intercept=False).fit(toy.X, toy.y).coef_
    assert support_size(dense) == 100


@pytest.mark.syllabus("S4A-074")
def test_on_a_small_problem_the_lasso_finds_the_best_subset():
    toy = sparse_regression(100, 8, relevant=3, noise=0.2, random_state=1)
    exact = BestSubsetRegressor(0.05, fit_intercept=False).fit(toy.X, toy.y)
    convex = lasso(0.4).fit(toy.X, toy.y)
    assert exact.support_.tolist() == [True] * 3 + [False] * 5
    assert np.array_equal(convex.coef_ != 0, exact.support_)


@pytest.mark.syllabus("S4A-077")
def test_the_one_norm_is_the_closest_convex_function_below_the_count():
    # The biconjugate of 1[w ≠ 0] on [-1, 1] is |w|: the largest convex minorant.
    w = np.linspace(-1, 1, 401)
    count = (np.abs(w) > 1e-12).astype(float)
    slopes = np.linspace(-3, 3, 601)
    conjugate = (slopes[:, None] * w - count).max(axis=1)
    envelope = (slopes[:, None] * w - conjugate[:, None]).max(axis=0)
    penalty = LassoPenalty(1.0)
    assert envelope == pytest.approx([penalty.value(np.array([v])) for v in w])
    assert (envelope <= count + 1e-12).all()


@pytest.mark.syllabus("S4A-077")
def test_the_minimiser_on_the_diamond_sits_in_a_corner_and_on_the_disc_not(rng):
    Phi = rng.standard_normal((50, 2))
    y = Phi @ [2.0, 0.3] + 0.1 * rng.standard_normal(50)
    corner = lasso(2.0).fit(Phi, y).coef_
    round_one = Ridge(alpha=50.0, fit_intercept=False).fit(Phi, y).coef_
    assert corner[1] == 0 < corner[0]
    assert (np.abs(round_one) > 1e-3).all()
    # Both are the constrained minimisers on the ball that their own norm spans.
    angles = np.linspace(0, 2 * np.pi, 2001)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    for w, p in ((corner, 1), (round_one, 2)):
        ball = p_norm(w, p) * circle / p_norm(circle, p, axis=1)[:, None]
        risks = ((y[:, None] - Phi @ ball.T) ** 2).mean(axis=0)
        assert np.mean((y - Phi @ w) ** 2) <= risks.min() + 1e-9
        assert ball[np.argmin(risks)] == pytest.approx(w, abs=1e-2)


@pytest.mark.syllabus("S4A-078", "S1-120", "S3-035")
@pytest.mark.parametrize("shape", [(50, 8), (15, 40)])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_the_lasso_is_solved_to_its_optimality_conditions(shape, share, rng):
    n, d = shape
    Phi, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    largest = 2 / n * np.abs(Phi.T @ y).max()
    strength = share * largest
    model = lasso(strength).fit(Phi, y)
    w = model.coef_
    theirs = Reference(
        alpha=strength / 2, fit_intercept=False, tol=1e-14, max_iter=100_000
    )
    assert w == pytest.approx(theirs.fit(Phi, y).coef_, abs=1e-5)
    correlation = 2 / n * Phi.T @ (y - Phi @ w)
    assert (np.abs(correlation) <= strength * (1 + 1e-5)).all()
    used = w != 0
    assert correlation[used] == pytest.approx(strength * np.sign(w[used]), rel=1e-4)
    assert model.certificate_.closed


@pytest.mark.syllabus("S4A-078")
def test_the_lasso_vanishes_exactly_from_the_largest_correlation_on(rng):
    Phi, y = rng.standard_normal((30, 6)), rng.standard_normal(30)
    largest = 2 / 30 * np.abs(Phi.T @ y).max()
    assert support_size(lasso(1.0001 * largest).fit(Phi, y).coef_) == 0
    assert support_size(lasso(0.999 * largest).fit(Phi, y).coef_) == 1


@pytest.mark.syllabus("S4A-078")
def test_the_lasso_is_a_quadratic_program_in_twice_as_many_variables(rng):
    Phi, y = rng.standard_normal((40, 5)), rng.standard_normal(40)
    strength = 0.15

    def program(uv):
        """Return objective and gradient at w = u - v with u, v >= 0."""
        residual = y - Phi @ (uv[:5] - uv[5:])
        slope = -2 / 40 * Phi.T @ residual
        value = np.mean(residual**2) + strength * uv.sum()
        return value, np.concatenate([slope + strength, -slope + strength])

    split = optimize.minimize(
        program, np.ones(10), jac=True, bounds=[(0, None)] * 10, options={"ftol": 1e-15}
    )
    w = lasso(strength).fit(Phi, y).coef_
    assert split.x[:5] - split.x[5:] == pytest.approx(w, abs=1e-5)
    assert split.fun == pytest.approx(objective(Phi, y, w, strength), rel=1e-8)


@pytest.mark.syllabus("S4A-079")
def test_on_ten_sines_the_lasso_has_exact_zeros_and_ridge_has_none(rng):
    x = rng.uniform(0, 2 * np.pi, (60, 1))
    y = np.sin(x[:, 0]) + 0.5 * np.sin(3 * x[:, 0]) + 0.2 * rng.standard_normal(60)
    sparse = make_pipeline(SineBasis(10), lasso(0.1)).fit(x, y)[-1].coef_
    dense = make_pipeline(SineBasis(10), Ridge(alpha=6.0)).fit(x, y)[-1].coef_
    assert {0, 2} <= set(np.flatnonzero(sparse))
    assert support_size(sparse) <= 6
    assert support_size(dense) == 10


@pytest.mark.syllabus("S4A-083")
@pytest.mark.parametrize("sigma, width", [(1.0, 0.3), (0.5, 0.05)])
def test_the_lasso_is_the_posterior_mode_under_a_laplace_prior(sigma, width, rng):
    X = rng.standard_normal((30, 5))
    y = X @ [1.0, 0, -0.5, 0, 0] + sigma * rng.standard_normal(30)

    def log_posterior(w):
        noise = stats.norm.logpdf(y, X @ w, sigma).sum()
        return noise + stats.laplace.logpdf(w, 0, width).sum()

    # ‖y - Xw‖² + (2σ²/b)‖w‖₁, here divided by n.
    w = lasso(2 * sigma**2 / width / 30).fit(X, y).coef_
    assert 0 < support_size(w) < 5
    for scale in (1e-3, 1e-2, 0.1, 1.0):
        for step in scale * rng.standard_normal((50, 5)):
            assert log_posterior(w + step) < log_posterior(w)
    mode = optimize.minimize(
        lambda v: -log_posterior(v), w + 0.01, method="Powell", tol=1e-12
    ).x
    assert w == pytest.approx(mode, abs=1e-4)
