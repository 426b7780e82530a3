"""Proofs on a factor of the kernel matrix are about the kernel and what is stored."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from infimum.certificates import Certificate
from infimum.certificates.kernel_factor import KernelValues, proved_in_space
from infimum.data.designs import DenseDesign
from infimum.kernels import Gaussian, Linear
from infimum.losses import Squared
from infimum.models.kernel import (
    KernelLogisticRegression,
    KernelQuantileRegressor,
    KernelRegressor,
    MulticlassSVC,
)
from infimum.models.linear import RiskMinimizer
from infimum.objectives import KernelCoordinates, LinearRisk, kernel_tiles
from infimum.penalties import Ridge


def _risk_of(model, X, y, strength):
    """Return Σ q ℓ + λ/2 ‖f‖² of stored coefficients under the linear kernel."""
    X, y, c = (np.asarray(a, dtype=np.longdouble) for a in (X, y, model.dual_coef_))
    w = X.T @ c
    f = X @ w + np.longdouble(model.intercept_)
    return float(((f - y) ** 2).mean() / 2 + strength / 2 * (w @ w))


def test_a_risk_far_from_the_origin_is_that_of_the_stored_coefficients():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((20, 3)) + 1e5
    y = X[:, 0] - X[:, 1] + 0.1 * rng.standard_normal(20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RiskMinimizer("squared", "ridge", kernel="linear", strength=1e-3)
        proof = model.fit(X, y).certificate_

    risk = _risk_of(model, X, y, 1e-3)
    centred = X - X.mean(axis=0)
    w = np.linalg.solve(
        centred.T @ centred / 20 + 1e-3 * np.eye(3), centred.T @ (y - y.mean()) / 20
    )
    left = y - y.mean() - centred @ w
    optimum = float((left**2).mean() / 2 + 1e-3 / 2 * (w @ w))
    assert abs(proof.primal - risk) <= proof.slack
    assert proof.dual <= optimum
    assert not proof.closed or risk - optimum <= proof.tolerance * proof.scale


@pytest.mark.parametrize(
    "model",
    [
        KernelLogisticRegression(C=100.0),
        MulticlassSVC(),
        KernelQuantileRegressor(),
        KernelRegressor(),
        RiskMinimizer("huber", "ridge", kernel="rbf", strength=1e-3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_usual_machines_stay_proved_with_the_factor_counted(model):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 4))
    y = np.sin(X[:, 0]) + 0.3 * rng.standard_normal(80)
    y = np.digitize(y, [-0.5, 0.5]) if hasattr(model, "predict_proba") else y
    y = np.digitize(y, [-0.5, 0.5]) if isinstance(model, MulticlassSVC) else y

    model.fit(X, y)

    assert model.certificate_.closed
    assert model.certificate_.slack > 0.0
    assert model.certify(X, y).closed


def test_a_wrong_factor_is_charged_for():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((12, 2)), rng.standard_normal(12)
    K = X @ X.T
    root = KernelCoordinates.of(K).root
    values = KernelValues(K, np.sqrt(np.diag(K)), 0.0)
    slopes = -y / (1.0 + np.diag(K))

    def held(factor):
        risk = LinearRisk(
            DenseDesign(factor), y, Squared(), Ridge(0.1), intercept=False
        )
        a = slopes / 12
        value = -float(np.sum(slopes**2 / 2 + slopes * y) / 12)
        value -= float(np.sum((factor.T @ a) ** 2) / 0.2)
        stored = -(slopes / 12 / 0.1)[:, None], np.zeros(1)
        return proved_in_space(Certificate(9.0, value), risk, values, stored, [slopes])

    right, wrong = held(root), held(0.9 * root)
    assert right.primal == wrong.primal
    assert abs(right.dual - wrong.dual) < 1e-12
    assert abs(right.primal - _primal(K, y, -slopes / 1.2)) < 1e-12


def _primal(K, y, c):
    return float(((K @ c - y) ** 2).mean() / 2 + 0.05 * c @ K @ c)


@pytest.mark.parametrize("far", [0.0, 1e6, -1e8])
def test_sparse_gaussian_values_do_not_see_the_origin(far):
    rng = np.random.default_rng(2)
    X = np.round(rng.standard_normal((30, 5)) * 2**10) / 2**10
    X[:, 2:] *= rng.random((30, 3)) < 0.3
    exact = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    X[:, 0] += far
    rows = sparse.csr_array(X)

    assert np.abs(Gaussian()(rows) - exact).max() < 1e-14
    assert np.abs(Gaussian()(rows, rows[:7]) - exact[:, :7]).max() < 1e-14
    tiles = kernel_tiles(Gaussian(), rows)
    assert np.abs(tiles.block(np.arange(30)) - exact).max() < 1e-14
    assert np.max(tiles.blur()) < 1e-12


def test_products_of_sparse_rows_keep_their_origin():
    X = sparse.csr_array(np.array([[1e6, 0.0], [1e6 + 1.0, 2.0], [1e6, 0.5]]))
    found = kernel_tiles(Linear(), X).block(np.arange(3))
    assert np.array_equal(found, (X @ X.T).toarray())
