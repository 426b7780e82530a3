"""Networks whose error or optimum is known."""

from fractions import Fraction

import numpy as np
import pytest

from infimum.models.neural import MLPRegressor
from infimum.study.networks import ConvexReluRegressor, approximate

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_a_network_can_come_as_close_to_a_function_as_one_wants():
    x = np.linspace(-2.0, 3.0, 20_001)
    for epsilon in (0.3, 0.01):
        near = approximate(np.abs, (-2.0, 3.0), epsilon, lipschitz=1.0)
        assert np.abs(near(x) - np.abs(x)).max() <= near.error <= epsilon
    near = approximate(lambda t: np.sin(5 * t), (-2.0, 3.0), 0.1, lipschitz=5.0)
    assert near.error == pytest.approx(5.0 * 5.0 / 125 / 2.0)
    assert np.abs(near(x) - np.sin(5 * x)).max() <= near.error


def test_the_convex_network_is_better_than_any_trained_one():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2.0, 2.0, 40)[:, None]
    y = np.abs(x[:, 0]) + 0.1 * rng.standard_normal(40)
    alpha = 0.01
    best = ConvexReluRegressor(alpha).fit(x, y)
    assert best.certificate_.closed
    value = 0.5 * np.mean((y - best.predict(x)) ** 2) + alpha * best.penalty_
    assert value == pytest.approx(best.certificate_.primal, rel=1e-6)
    for seed in range(3):
        model = MLPRegressor("squared_error", (30,), solver="lbfgs", alpha=alpha * 40,
                             random_state=seed).fit(x, y)  # fmt: skip
        squares = sum(float((W**2).sum()) for W in model.coefs_)
        reached = 0.5 * np.mean((y - model.predict(x)) ** 2) + 0.5 * alpha * squares
        assert reached >= best.certificate_.dual
    shifted = ConvexReluRegressor(alpha).fit(x + 7.0, y + 3.0)
    assert np.allclose(shifted.predict(x + 7.0), best.predict(x) + 3.0, atol=1e-4)
    counts = rng.integers(0, 3, 40)
    weighed = ConvexReluRegressor(alpha).fit(x, y, counts)
    copied = ConvexReluRegressor(alpha).fit(
        np.repeat(x, counts, 0), np.repeat(y, counts)
    )
    assert np.allclose(weighed.predict(x), copied.predict(x), atol=1e-5)


def exact_risk(model, x, y, alpha):
    """Return the objective of a network as it is stored, as a fraction."""
    total = Fraction(0)
    for place, target in zip(x.tolist(), y.tolist(), strict=True):
        said = Fraction(model.intercept_) + Fraction(model.slope_) * Fraction(place)
        for knot, change in zip(model.knots_, model.coef_, strict=True):
            said += Fraction(change) * max(
                Fraction(place) - Fraction(knot), Fraction(0)
            )
        total += (Fraction(target) - said) ** 2
    return total / (2 * len(x)) + Fraction(alpha) * sum(map(Fraction, abs(model.coef_)))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [0.0, 1e4, 1e10])
def test_no_network_is_below_the_bound_of_another_far_from_0_too(level, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(20) * 10.0 ** rng.uniform(-6.0, 6.0)
    y = np.abs(x) / np.abs(x).max() + 0.1 * rng.standard_normal(20) + level
    alpha = 1e-3 * np.abs(x).max() * 10.0 ** rng.uniform(-3.0, 0.0)
    found = [
        ConvexReluRegressor(alpha, tol=tol).fit(x[:, None], y) for tol in (1e-2, 1e-9)
    ]
    least = min(exact_risk(model, x, y, alpha) for model in found)
    for model in found:
        proof = model.certificate_
        assert Fraction(proof.dual) <= least
        reached = exact_risk(model, x, y, alpha)
        # Of a stored intercept far from 0 the last place counts.
        assert reached - least <= 2.0 * proof.tolerance * proof.scale + 1e-32 * level**2
        assert proof.closed
