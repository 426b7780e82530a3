"""Regression in the space of a kernel under every convex loss of the residual."""

import numpy as np
import pytest
from scipy.special import huber
from sklearn.metrics import mean_pinball_loss

from infimum.errors import InvalidParameterError
from infimum.kernels import Gaussian
from infimum.losses import Absolute, EpsilonInsensitive, Huber, Quantile, Squared
from infimum.models.kernel import (
    SVC,
    KernelLogisticRegression,
    KernelQuantileRegressor,
    KernelRegressor,
)
from infimum.models.linear import LogisticRegression

SIGMA, EPSILON, TAU, C = 0.3, 0.1, 0.3, 2.0
ZERO = np.zeros(1)
GRID = np.linspace(-2.0, 2.0, 81)


def data(rng, n=40):
    X = rng.normal(size=(n, 2))
    return X, np.sin(2 * X[:, 0]) + 0.3 * rng.standard_t(3, size=n)


def two_sided(residual, epsilon, above, below):
    """Price being too low, and too high, and nothing within epsilon."""
    return np.where(
        residual > epsilon,
        above(residual - epsilon),
        np.where(residual < -epsilon, below(-residual - epsilon), 0.0),
    )


#: Loss, epsilon, the price above and the price below.
FAMILY = {
    "insensitive": (EpsilonInsensitive(EPSILON), EPSILON, np.abs, np.abs),
    "laplace": (Absolute(), 0.0, np.abs, np.abs),
    "square": (Squared(), 0.0, lambda e: e**2 / 2, lambda e: e**2 / 2),
    "huber": (Huber(SIGMA), 0.0, lambda e: huber(SIGMA, e), lambda e: huber(SIGMA, e)),
    "pinball": (Quantile(TAU), 0.0, lambda e: TAU * e, lambda e: (1 - TAU) * e),
}


@pytest.mark.syllabus("S0B-188")
@pytest.mark.parametrize("name", FAMILY)
def test_five_losses_are_one_two_sided_form(name):
    loss, epsilon, above, below = FAMILY[name]
    ours = loss.value(GRID, np.zeros_like(GRID))
    assert ours == pytest.approx(two_sided(GRID, epsilon, above, below))


def dual_value(name, K, y, alpha):
    """Return the dual objective of each loss, from its own T and box, in book units."""
    base = y @ alpha - 0.5 * alpha @ K @ alpha
    if name == "insensitive":
        return base - EPSILON * np.abs(alpha).sum()
    if name in {"square", "huber"}:
        return base - (alpha**2).sum() / (2 * C)
    return base


BOXES = {
    "insensitive": (-C, C),
    "laplace": (-C, C),
    "square": (-np.inf, np.inf),
    "huber": (-C * SIGMA, C * SIGMA),
    "pinball": (C * (TAU - 1), C * TAU),
}


@pytest.mark.syllabus("S0B-189")
@pytest.mark.parametrize("name", FAMILY)
def test_primal_and_dual_values_agree_for_every_loss(name, rng):
    X, y = data(rng)
    loss = FAMILY[name][0]
    model = KernelRegressor(loss, C, kernel=Gaussian(1.0), tol=1e-9).fit(X, y)
    alpha, K = model.dual_coef_, Gaussian(1.0)(X)
    low, high = BOXES[name]
    assert alpha.sum() == pytest.approx(0.0, abs=1e-4)
    assert (alpha >= low - 1e-4).all()
    assert (alpha <= high + 1e-4).all()
    primal = 0.5 * alpha @ K @ alpha + C * loss.value(y, model.predict(X)).sum()
    assert dual_value(name, K, y, alpha) == pytest.approx(primal, rel=1e-4)
    # The certificate is the same gap, per unit of C and per sample.
    assert model.certificate_.primal * C * len(y) == pytest.approx(primal)
    assert model.certificate_.closed


@pytest.mark.syllabus("S0B-184")
def test_the_constant_of_least_absolute_deviation_is_the_median(rng):
    y = rng.normal(size=31)
    model = KernelRegressor("absolute", C=1.0).fit(np.zeros((31, 1)), y)
    assert model.predict([[0.0]])[0] == pytest.approx(np.median(y))


@pytest.mark.syllabus("S0B-185")
def test_the_square_loss_is_kernel_ridge_with_a_free_intercept(rng):
    X, y = data(rng)
    n, K = len(y), Gaussian(1.0)(X)
    model = KernelRegressor("squared", C, kernel=Gaussian(1.0), tol=1e-12).fit(X, y)
    bordered = np.block([[K + np.eye(n) / C, np.ones((n, 1))], [np.ones(n), ZERO]])
    found = np.linalg.solve(bordered, np.append(y, 0.0))
    assert model.dual_coef_ == pytest.approx(found[:-1], abs=1e-6)
    assert model.intercept_ == pytest.approx(found[-1])


@pytest.mark.syllabus("S0B-186")
def test_hubers_loss_is_smooth_where_its_pieces_meet():
    ours = Huber(SIGMA).value(GRID, np.zeros_like(GRID)) / SIGMA
    assert ours == pytest.approx(huber(SIGMA, GRID) / SIGMA)
    inner = np.abs(GRID) <= SIGMA
    assert ours[inner] == pytest.approx(GRID[inner] ** 2 / (2 * SIGMA))
    assert ours[~inner] == pytest.approx(np.abs(GRID[~inner]) - SIGMA / 2)
    ends = np.array([SIGMA - 1e-9, SIGMA + 1e-9])
    slopes = Huber(SIGMA).derivative(np.zeros(2), ends)
    assert slopes[0] == pytest.approx(slopes[1], abs=1e-8)


@pytest.mark.syllabus("S0B-187")
def test_the_pinball_loss_finds_the_quantile(rng):
    y = np.arange(101.0)
    model = KernelQuantileRegressor(quantile=0.9).fit(np.zeros((101, 1)), y)
    assert model.predict([[0.0]])[0] == pytest.approx(90.0)
    a, b = rng.normal(size=(2, 20))
    ours = Quantile(TAU).value(a, b).mean()
    assert ours == pytest.approx(mean_pinball_loss(a, b, alpha=TAU))
    assert Quantile(0.5).value(a, b) == pytest.approx(0.5 * Absolute().value(a, b))


@pytest.mark.syllabus("S0B-190")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.75])
def test_a_share_of_the_targets_lies_below_the_quantile(share, rng):
    X, y = data(rng, n=61)
    model = KernelQuantileRegressor(share, C, kernel=Gaussian(1.0), tol=1e-9).fit(X, y)
    residual = y - model.predict(X)
    below, at_most = (residual < -1e-6).sum(), (residual < 1e-6).sum()
    assert below <= share * len(y) <= at_most
    alpha = model.dual_coef_
    assert alpha.sum() == pytest.approx(0.0, abs=1e-6)
    assert alpha.min() >= C * (share - 1) - 1e-6
    assert alpha.max() <= C * share + 1e-6
    # Off the function a sample is at the end of its box: its loss has one slope.
    assert alpha[residual > 1e-4] == pytest.approx(C * share, abs=1e-4)
    assert alpha[residual < -1e-4] == pytest.approx(C * (share - 1), abs=1e-4)
    K = Gaussian(1.0)(X)
    value = 0.5 * alpha @ K @ alpha - y @ alpha
    for _ in range(20):
        other = rng.uniform(C * (share - 1), C * share, size=len(y))
        other = alpha + 0.1 * (other - other.mean() - alpha)
        assert 0.5 * other @ K @ other - y @ other >= value - 1e-6


@pytest.mark.parametrize("classes", [2, 3])
def test_kernel_logistic_regression_is_logistic_regression_in_the_space(classes, rng):
    X, y = data(rng)
    labels = np.digitize(y, [0.0, 0.8][: classes - 1])
    ours = KernelLogisticRegression(C, kernel="linear").fit(X, labels)
    plain = LogisticRegression(C=C, tol=1e-7).fit(X, labels)
    fresh = rng.normal(size=(6, 2))
    found, expected = ours.predict_proba(fresh), plain.predict_proba(fresh)
    assert found == pytest.approx(expected, abs=1e-6)
    assert np.exp(ours.predict_log_proba(fresh)) == pytest.approx(found)
    assert ours.certificate_.closed
    assert ours.certify(X, labels).closed


@pytest.mark.syllabus("S4A-154")
def test_narrow_gaussians_learn_any_pattern_and_more_data_approach_the_best_risk(rng):
    def checkerboard(n):
        X = rng.uniform(0, 3, size=(n, 2))
        return X, np.floor(X).sum(axis=1) % 2

    squared = "squared_hinge"
    X, y = checkerboard(120)
    errors = [
        1 - SVC(C=100.0, kernel=Gaussian(w), loss=squared).fit(X, y).score(X, y)
        for w in (3.0, 0.5, 0.1)
    ]
    assert errors[0] > errors[1] >= errors[2] == 0.0
    noise, fresh = 0.1, checkerboard(2000)
    flips = rng.uniform(size=2000) < noise
    excess = []
    for n in (30, 120, 480):
        X, y = checkerboard(n)
        y = np.where(rng.uniform(size=n) < noise, 1 - y, y)
        model = SVC(C=1.0, kernel=Gaussian(0.3), loss=squared).fit(X, y)
        wrong = model.predict(fresh[0]) != np.where(flips, 1 - fresh[1], fresh[1])
        excess.append(wrong.mean() - flips.mean())
    assert excess[0] > excess[1] > excess[2]
    assert excess[2] < 0.1


def test_losses_that_do_not_fit_are_refused(rng):
    X, y = data(rng)
    with pytest.raises(InvalidParameterError, match="convex loss of real targets"):
        KernelRegressor("hinge").fit(X, y)
    with pytest.raises(InvalidParameterError, match="loss must be one of"):
        KernelRegressor("magic").fit(X, y)
    with pytest.raises(InvalidParameterError, match="quantile must be"):
        KernelQuantileRegressor(1.5).fit(X, y)
    with pytest.raises(InvalidParameterError, match="C must be"):
        SVC(C=0.0, loss="squared_hinge").fit(X, y > 0)
