"""Least squares through kernel values alone."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.models.linear import Ridge
from infimum.objectives import LinearRisk, expansion, gram_root
from infimum.penalties import Ridge as RidgePenalty
from infimum.solvers import Newton

KERNELS = {
    "linear": lambda A, B: A @ B.T,
    "poly": lambda A, B: (A @ B.T + 1) ** 3,
    "rbf": lambda A, B: np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / 2),
}
PEERS = {
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1},
    "rbf": {"kernel": "rbf", "gamma": 0.5},
}
each_kernel = pytest.mark.parametrize("name", list(KERNELS))


def coefficients(K, y, strength):
    """Return c of (1/n)‖y - Kc‖² + strength·cᵀKc, by the solver for linear models."""
    risk = LinearRisk(
        as_design(gram_root(K)), y, Squared(), RidgePenalty(strength), intercept=False
    )
    return expansion(risk, Newton(tolerance=1e-12).solve(risk).slopes)


@pytest.mark.syllabus("S1-058")
@each_kernel
@pytest.mark.parametrize("strength", [0.01, 1.0])
def test_the_coefficients_solve_the_shifted_kernel_system(name, strength, rng):
    X, y = rng.uniform(-1, 1, (25, 3)), rng.standard_normal(25)
    K = KERNELS[name](X, X)
    c = coefficients(K, y, strength)
    assert (K + 25 * strength * np.eye(25)) @ c == pytest.approx(y, abs=1e-6)
    peer = KernelRidge(alpha=25 * strength, **PEERS[name]).fit(X, y)
    assert c == pytest.approx(peer.dual_coef_, abs=1e-6 / strength)


@pytest.mark.syllabus("S1-059")
@each_kernel
def test_predictions_are_sums_of_kernels_at_the_samples(name, rng):
    X, y, new = rng.uniform(-1, 1, (25, 3)), rng.standard_normal(25), rng.random((9, 3))
    kernel, strength = KERNELS[name], 0.05
    c = coefficients(kernel(X, X), y, strength)
    f = np.array(
        [sum(kernel(X[[i]], x[None])[0, 0] * c[i] for i in range(25)) for x in new]
    )
    peer = KernelRidge(alpha=25 * strength, **PEERS[name]).fit(X, y)
    assert f == pytest.approx(peer.predict(new), abs=1e-4)
    if name == "linear":
        primal = Ridge(alpha=25 * strength, fit_intercept=False).fit(X, y)
        assert f == pytest.approx(primal.predict(new), abs=1e-5)
        assert X.T @ c == pytest.approx(primal.coef_, abs=1e-5)
