"""Support vector machines with a free intercept, against cvxpy with Clarabel.

Scikit-learn's linear machines penalise the intercept, so they cannot be the reference.
"""

import cvxpy as cp
import numpy as np
import pytest

from infimum.models.linear import LinearSVC, LinearSVR

ACCURACY = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-11)


@pytest.fixture(name="X")
def samples(rng):
    return rng.normal(size=(60, 4)) + 2.0  # off centre, so that the intercept matters


def solve(X, losses, price, weights):
    """Return the coefficients, the intercept and the least value."""
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    program = cp.Problem(cp.Minimize(price(w) + weights @ losses(X @ w + b)))
    program.solve(solver=cp.CLARABEL, **ACCURACY)
    return w.value, float(b.value), float(program.value)


def half_square(w):
    return 0.5 * cp.sum_squares(w)


def hinge(y):
    return lambda f: cp.pos(1 - cp.multiply(y, f))


@pytest.mark.parametrize(
    ("settings", "power", "price"),
    [
        ({"loss": "hinge", "tol": 1e-9}, 1, half_square),
        ({"loss": "squared_hinge", "tol": 1e-6}, 2, half_square),
        ({"penalty": "l1", "tol": 1e-6}, 2, cp.norm1),
    ],
    ids=["hinge", "squared hinge", "l1"],
)
def test_linear_svc(X, settings, power, price, rng):
    y = np.where(X @ [1.0, -1.0, 0.5, 0.0] + rng.normal(size=60) > 1.0, 1, 0)
    signs, weights = np.where(y == 1, 1.0, -1.0), rng.integers(1, 4, size=60) * 1.0
    C = 0.3

    def losses(f):
        return hinge(signs)(f) if power == 1 else cp.square(hinge(signs)(f))

    w, b, least = solve(X, losses, price, C * weights)
    model = LinearSVC(C=C, **settings).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.coef_[0], w, atol=1e-4)
    assert model.intercept_[0] == pytest.approx(b, abs=1e-3)
    total = C * weights.sum()
    assert model.certificate_.primal * total == pytest.approx(least, rel=1e-7)


@pytest.mark.parametrize("power", [1, 2], ids=["linear", "squared"])
def test_linear_svr(X, power, rng):
    y = X @ [1.0, -1.0, 0.5, 0.0] + 0.5 * rng.normal(size=60) + 5.0
    weights, C = rng.integers(1, 4, size=60) * 1.0, 0.2
    name = "epsilon_insensitive" if power == 1 else "squared_epsilon_insensitive"

    def losses(f):
        outside = cp.pos(cp.abs(f - y) - 0.2)
        return outside if power == 1 else cp.square(outside)

    w, b, least = solve(X, losses, half_square, C * weights)
    tol = 1e-9 if power == 1 else 1e-6
    model = LinearSVR(C=C, epsilon=0.2, loss=name, tol=tol)
    model.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.coef_, w, atol=1e-4)
    assert model.intercept_ == pytest.approx(b, abs=1e-3)
    total = C * weights.sum()
    assert model.certificate_.primal * total == pytest.approx(least, rel=1e-7)
