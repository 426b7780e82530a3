"""The joint problem of coefficients and scale: its dual never lies above its primal."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.data.designs import as_design
from infimum.objectives import ConcomitantRisk


def problem(rng, strength):
    X = rng.standard_normal((40, 3)) * [1.0, 10.0, 100.0]
    y = X @ [1.0, 2.0, 3.0] + 0.1 * rng.standard_t(2, 40) + 5.0
    weights = rng.uniform(0.5, 1.5, 40)
    return ConcomitantRisk(as_design(X), y, weights / weights.sum(), 1.35, strength)


@pytest.mark.parametrize("strength", [0.0, 1e-6, 0.1])
def test_every_dual_value_lies_below_every_primal_value(rng, strength):
    risk = problem(rng, strength)
    duals, primals = [], []
    for _ in range(200):
        point = np.append([1.0, 2.0, 3.0], 5.0) + rng.standard_normal(4) * [
            1,
            0.1,
            0.01,
            1,
        ]
        scale = risk.best_scale(risk.residuals(point))
        duals.append(risk.dual(point, scale * rng.uniform(0.5, 2.0)))
        primals.append(risk.value(point, scale))
    found = minimize(
        lambda p: risk.value(p[:4], abs(p[4])),
        [1.0, 2.0, 3.0, 5.0, 0.1],
        method="Nelder-Mead",
        options={"maxiter": 5000, "fatol": 1e-12},
    )
    assert max(duals) <= min(*primals, found.fun) + 1e-12


def test_the_best_scale_is_a_minimum(rng):
    risk = problem(rng, 0.01)
    point = np.zeros(4)
    best = risk.best_scale(risk.residuals(point))
    for factor in (0.9, 0.999, 1.001, 1.1):
        assert risk.value(point, best) <= risk.value(point, factor * best)
