"""Ramp, perceptron, exponential, probit, gamma and binomial losses, stated."""

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

from infimum.data.designs import as_design
from infimum.losses import (
    Binomial,
    Exponential,
    Gamma,
    Hinge,
    Logistic,
    Loss,
    Perceptron,
    Probit,
    Ramp,
    compare,
)
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import ConcaveConvex, choose


@pytest.fixture
def signs(rng):
    return rng.choice([-1.0, 1.0], size=300), 2 * rng.normal(size=300)


@pytest.mark.syllabus("S0B-175")
def test_the_ramp_is_a_hinge_minus_a_hinge_and_ends_on_a_plateau(signs):
    y, f = signs
    loss = Ramp(-0.3)
    difference = np.maximum(0, 1 - y * f) - np.maximum(0, -0.3 - y * f)
    np.testing.assert_allclose(loss.value(y, f), difference, atol=1e-14)
    assert loss.value(np.ones(1), np.array([-50.0]))[0] == pytest.approx(1.3)


@pytest.mark.syllabus("S0B-176")
def test_the_concave_part_of_the_ramp_pulls_only_below_the_knee(signs):
    y, f = signs
    above, labels, shift = Ramp(-0.3).majorant(y, f)
    step = 1e-6
    slope = (
        above.value(labels, f + step + shift) - above.value(labels, f - step + shift)
    ) / (2 * step)
    delta = np.where(y * f < -0.3, -1.0, 0.0)
    # The model's slope is that of the hinge minus δ·y: the tangent of the rest.
    smooth = np.abs(y * f - 1.0) > 1e-5
    expected = Hinge().derivative(y, f) - delta * y
    np.testing.assert_allclose(slope[smooth], expected[smooth], atol=1e-8)


@pytest.fixture
def mislabelled(rng):
    """Return separable samples of which a few far ones have the wrong label."""
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    X[:, 0] += 0.5 * y
    X[:8, 0], y[:8] = 5.0, -1.0
    return X, y


@pytest.mark.syllabus("S0B-046", "S0B-177")
def test_the_procedure_never_raises_the_ramp_risk_and_forgets_outliers(mislabelled):
    X, y = mislabelled
    risk = LinearRisk(as_design(X), y, Ramp(-0.3), Ridge(0.01))
    hinge = LinearRisk(as_design(X), y, Hinge(), Ridge(0.01))
    misled = choose(hinge)().solve(hinge).point
    solution = ConcaveConvex().solve(risk, start=misled)
    values = [record.primal for record in solution.history]
    assert len(values) > 2
    assert np.all(np.diff(values) <= 1e-12)
    right = y * np.where(np.arange(80) < 8, -1.0, 1.0)
    assert np.mean(right * risk.scores(misled) > 0) < 0.97
    assert np.all(right * risk.scores(solution.point) > 0)


@pytest.mark.syllabus("S0B-047")
def test_a_fixed_point_is_stationary_and_claims_no_more(mislabelled, rng):
    X, y = mislabelled
    risk = LinearRisk(as_design(X), y, Ramp(-0.3), Ridge(0.01))
    solution = ConcaveConvex().solve(risk)
    assert solution.reason.startswith("stationary")
    assert not solution.certified
    assert solution.certificate.dual == pytest.approx(0.0, abs=1e-12)
    for size in (1e-3, 1e-2):
        for _ in range(50):
            move = size * rng.normal(size=3)
            nearby = risk.value(solution.point + move)
            assert nearby >= risk.value(solution.point) - 1e-5


@pytest.mark.syllabus("S1-088", "S3-048")
def test_perceptron_loss_pulls_by_the_label_on_the_wrong_side_alone(signs):
    y, f = signs
    margin = y * f
    np.testing.assert_array_equal(Perceptron().value(y, f), np.maximum(0, -margin))
    slope = Perceptron().derivative(y, f) * y  # with respect to the margin
    np.testing.assert_array_equal(slope, np.where(margin < 0, -1.0, 0.0))
    assert np.all(Hinge().value(y, f) >= Perceptron().value(y, f))


@pytest.mark.syllabus("S2-093")
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_the_expected_exponential_loss_is_least_at_half_the_log_odds(p):
    loss, grid = Exponential(), np.linspace(-3, 3, 601)
    y = np.array([1.0, -1.0])
    expected = [np.array([p, 1 - p]) @ loss.value(y, np.full(2, f)) for f in grid]
    np.testing.assert_allclose(expected, p * np.exp(-grid) + (1 - p) * np.exp(grid))
    best = loss.best_constant(y, np.array([p, 1 - p]))
    assert best == pytest.approx(0.5 * np.log(p / (1 - p)))
    assert grid[np.argmin(expected)] == pytest.approx(best, abs=0.01)


@pytest.mark.syllabus("S3-107")
def test_probit_regression_passes_scores_through_the_normal_distribution(signs, rng):
    y, f = signs
    loss = Probit()
    np.testing.assert_allclose(loss.value(y, f), -stats.norm.logcdf(y * f), rtol=1e-12)
    ratio = stats.norm.pdf(f) / stats.norm.cdf(y * f)
    np.testing.assert_allclose(loss.derivative(y, f), -y * ratio, rtol=1e-10)
    X = rng.normal(size=(400, 2))
    noisy = X @ [1.0, -0.5] + 0.3 + rng.normal(size=400)
    labels = np.where(noisy > 0, 1.0, -1.0)
    risk = LinearRisk(as_design(X), labels, loss, Ridge(1e-8))
    solution = choose(risk)(1e-10).solve(risk)
    stranger = minimize(
        lambda w: -stats.norm.logcdf(labels * (X @ w[:2] + w[2])).mean(), np.zeros(3)
    )
    np.testing.assert_allclose(solution.point, stranger.x, atol=1e-4)


def test_gamma_loss_is_the_negative_log_density_up_to_shape_and_constant(rng):
    y, f, shape = rng.gamma(3.0, size=200), rng.normal(size=200), 3.0
    density = stats.gamma.logpdf(y, shape, scale=np.exp(f) / shape)
    at_zero = stats.gamma.logpdf(y, shape, scale=1.0 / shape)
    rise = Gamma().value(y, f) - Gamma().value(y, np.zeros(200))
    np.testing.assert_allclose(shape * rise, at_zero - density, atol=1e-10)


def test_trials_are_weights_and_fractions_are_successes(rng):
    X, trials = rng.normal(size=(40, 2)), rng.integers(1, 9, size=40)
    hits = rng.binomial(trials, 1 / (1 + np.exp(-X[:, 0])))
    fractions = LinearRisk(
        as_design(X), hits / trials, Binomial(), Ridge(0.1), trials.astype(float)
    )
    rows = np.repeat(np.arange(40), trials)
    labels = np.concatenate(
        [[1.0] * h + [-1.0] * (t - h) for h, t in zip(hits, trials, strict=True)]
    )
    coins = LinearRisk(as_design(X[rows]), labels, Logistic(), Ridge(0.1))
    one, other = (choose(risk)(1e-10).solve(risk) for risk in (fractions, coins))
    np.testing.assert_allclose(one.point, other.point, atol=1e-6)


def test_losses_are_drawn_together_with_their_conjugates():
    figure = compare([Hinge(), Logistic(), Ramp(), Exponential()])
    assert len(figure.data) == 8
    drawn = {trace.name for trace in figure.data}
    assert drawn == {"Hinge()", "Logistic()", "Ramp(knee=-0.3)", "Exponential()"}
    hinge = next(trace for trace in figure.data if trace.name == "Hinge()")
    np.testing.assert_allclose(hinge.y, np.maximum(0.0, 1.0 - hinge.x))
    conjugate = [trace for trace in figure.data if trace.xaxis == "x2"]
    assert all(np.isfinite(trace.y).all() for trace in conjugate)
    assert figure.layout.xaxis.title.text == "margin y·f"


def test_losses_of_different_targets_are_not_drawn_together():
    with pytest.raises(TypeError, match="one kind of target, got real and sign"):
        compare([Hinge(), *_real_losses()])


def _real_losses() -> list[Loss]:
    from infimum.losses import Squared

    return [Squared()]
