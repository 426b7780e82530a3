"""Networks whose error or optimum is known."""

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
