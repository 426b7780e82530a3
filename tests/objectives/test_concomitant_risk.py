"""Huber's joint objective of coefficients and scale: convex, with a true bound."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.data.designs import as_design
from infimum.objectives import ConcomitantRisk

N, D = 40, 3


@pytest.fixture(params=[0.0, 0.05], ids=["free", "ridge"])
def risk(request, rng):
    X = rng.normal(size=(N, D))
    y = X @ rng.normal(size=D) + rng.standard_t(2, size=N)
    weights = rng.uniform(0.5, 1.5, size=N)
    weights /= weights.sum()
    return ConcomitantRisk(as_design(X), y, weights, 1.35, request.param)


def test_the_value_is_the_formula(risk, rng):
    point, scale = rng.normal(size=D + 1), 0.7
    z = np.abs(risk.residuals(point)) / scale
    terms = np.where(z <= 1.35, z**2, 2 * 1.35 * z - 1.35**2)
    expected = scale + risk.weights @ (scale * terms)
    expected += risk.strength * point[:-1] @ point[:-1]
    assert risk.value(point, scale) == pytest.approx(expected, rel=1e-12)


def test_the_best_scale_beats_every_other(risk, rng):
    point = rng.normal(size=D + 1)
    best = risk.best_scale(risk.residuals(point))
    for scale in best * np.geomspace(0.1, 10, 41):
        assert risk.value(point, best) <= risk.value(point, scale) + 1e-12


def test_a_perfect_fit_has_scale_zero(risk):
    assert risk.best_scale(np.zeros(N)) == 0.0


def test_the_dual_is_below_the_optimum_at_every_point(risk, rng):
    def price(joint):
        return risk.value(joint[:-1], abs(joint[-1]) + 1e-12)

    best = minimize(price, np.append(np.zeros(D + 1), 1.0), method="Powell", tol=1e-12)
    best = min(best.fun, minimize(price, best.x, method="Nelder-Mead", tol=1e-12).fun)
    for _ in range(30):
        point = rng.normal(size=D + 1)
        for scale in (0.3, 1.0, risk.best_scale(risk.residuals(point))):
            assert risk.dual(point, scale).value <= best + 1e-9
