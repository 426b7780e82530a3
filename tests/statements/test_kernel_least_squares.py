"""Least squares through kernel values alone."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge as PeerKernelRidge

from infimum import kernels
from infimum.models.kernel import KernelRidge
from infimum.models.linear import Ridge

KERNELS = {
    "linear": kernels.Linear(),
    "poly": kernels.Polynomial(degree=3),
    "rbf": kernels.Gaussian(),
}
PEERS = {
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1},
    "rbf": {"kernel": "rbf", "gamma": 0.5},
}
each_kernel = pytest.mark.parametrize("name", list(KERNELS))


@pytest.mark.syllabus("S1-058")
@each_kernel
@pytest.mark.parametrize("strength", [0.01, 1.0])
def test_the_coefficients_solve_the_shifted_kernel_system(name, strength, rng):
    X, y = rng.uniform(-1, 1, (25, 3)), rng.standard_normal(25)
    K = KERNELS[name](X, X)
    c = KernelRidge(alpha=25 * strength, kernel=KERNELS[name]).fit(X, y).dual_coef_
    assert (K + 25 * strength * np.eye(25)) @ c == pytest.approx(y, abs=1e-8)
    peer = PeerKernelRidge(alpha=25 * strength, **PEERS[name]).fit(X, y)
    assert c == pytest.approx(peer.dual_coef_, abs=1e-8 / strength)
    # So it minimises (1/n)‖y - Kc‖² + λ cᵀKc: nothing nearby is better.
    for near in c + 0.01 * rng.standard_normal((10, 25)):
        risks = [np.mean((y - K @ a) ** 2) + strength * a @ K @ a for a in (c, near)]
        assert risks[0] < risks[1]


@pytest.mark.syllabus("S1-059")
@each_kernel
def test_predictions_are_sums_of_kernels_at_the_samples(name, rng):
    X, y, new = rng.uniform(-1, 1, (25, 3)), rng.standard_normal(25), rng.random((9, 3))
    kernel, alpha = KERNELS[name], 25 * 0.05
    model = KernelRidge(alpha=alpha, kernel=kernel).fit(X, y)
    c = model.dual_coef_
    sums = [sum(c[i] * kernel(X[[i]], x[None])[0, 0] for i in range(25)) for x in new]
    assert model.predict(new) == pytest.approx(sums)
    peer = PeerKernelRidge(alpha=alpha, **PEERS[name]).fit(X, y)
    assert sums == pytest.approx(peer.predict(new), abs=1e-6)
    if name == "linear":
        primal = Ridge(alpha=alpha, fit_intercept=False).fit(X, y)
        assert sums == pytest.approx(primal.predict(new), abs=1e-6)
        assert X.T @ c == pytest.approx(primal.coef_, abs=1e-6)
