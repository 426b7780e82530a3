"""Proofs by the auditor: every model that certifies can be asked for one."""

import inspect
import pkgutil
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse

from infimum import models
from infimum.certificates.rigorous import AUDITED
from infimum.models.kernel import (
    SVC,
    SVR,
    KernelLogisticRegression,
    KernelQuantileRegressor,
    KernelRidge,
    KernelRidgeClassifier,
    NuSVC,
)
from infimum.models.linear import (
    ElasticNet,
    GroupLassoRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    MultiTaskLasso,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RiskMinimizer,
)
from infimum.models.novelty import OneClassSVM

KNOWN = [
    (ElasticNet(alpha=0.1), "number"),
    (GroupLassoRegressor(), "number"),
    (Lasso(alpha=0.1), "number"),
    (Lasso(alpha=0.1, positive=True), "number"),
    (LassoCV(), "number"),
    (LinearRegression(), "number"),
    (LinearRegression(positive=True), "number"),
    (LinearSVR(), "number"),
    (QuantileRegressor(alpha=0.0), "number"),
    (QuantileRegressor(alpha=0.1), "number"),
    (Ridge(), "number"),
    (Ridge(fit_intercept=False), "number"),
    (RiskMinimizer("huber", "ridge", strength=1e-3), "number"),
    (RiskMinimizer("squared", "ridge", kernel="rbf", strength=1e-2), "number"),
    (KernelQuantileRegressor(), "number"),
    (KernelRidge(kernel="rbf"), "number"),
    (SVR(), "number"),
    (PoissonRegressor(), "count"),
    (LinearSVC(), "sign"),
    (LogisticRegression(), "sign"),
    (LogisticRegression(C=np.inf), "sign"),
    (KernelLogisticRegression(), "sign"),
    (SVC(), "sign"),
    (SVC(loss="squared_hinge"), "sign"),
    (LogisticRegression(), "class"),
    (RidgeClassifier(), "class"),
    (KernelRidgeClassifier(), "class"),
    (SVC(), "class"),
]
#: Risks that are none of the auditor's.
UNKNOWN = [HuberRegressor(), MultiTaskLasso(alpha=0.1), NuSVC(), OneClassSVM()]


def data(kind, n=120):
    rng = np.random.default_rng(7)
    X = rng.standard_normal((n, 3))
    noisy = 2.0 * X[:, 0] + rng.standard_normal(n)
    y = {
        "number": noisy + 1e3,
        "count": rng.poisson(np.exp(0.3 * noisy)),
        "sign": noisy > 0.0,
        "class": np.digitize(noisy, [-1.0, 1.0]),
    }[kind]
    return X, y, rng.integers(0, 3, n).astype(np.float64)


def named(case):
    return f"{type(case[0]).__name__}-{case[1]}" if isinstance(case, tuple) else None


@pytest.mark.parametrize("case", KNOWN, ids=named)
def test_what_is_stored_is_proved_with_rounding_counted(case):
    model, kind = case
    X, y, weights = data(kind)
    model.fit(X, y, sample_weight=weights)
    fast = model.certify(X, y, weights, tolerance=1e-4)
    slow = model.certify(X, y, weights, tolerance=1e-4, rigorous=True)
    assert fast.closed
    assert slow.closed
    assert slow.reason == AUDITED
    assert AUDITED not in fast.reason
    assert slow.dual <= slow.primal
    assert slow.dual >= slow.primal - 1e-4 * slow.scale


@pytest.mark.parametrize("case", KNOWN, ids=named)
def test_coefficients_that_were_changed_are_not_proved(case):
    model, kind = case
    X, y, _ = data(kind)
    model.fit(X, y)
    name = "dual_coef_" if hasattr(model, "dual_coef_") else "coef_"
    setattr(model, name, getattr(model, name) * 1.1)
    try:
        changed = model.certify(X, y, tolerance=1e-6, rigorous=True)
    except ValueError:
        return  # what a model says of itself is refused before it is proved
    assert not changed.closed


@pytest.mark.parametrize("model", UNKNOWN, ids=lambda model: type(model).__name__)
def test_a_risk_that_the_auditor_does_not_know_is_left_open_and_told(model):
    X, y, _ = data("sign" if isinstance(model, NuSVC) else "number")
    y = np.column_stack([y, -y]) if isinstance(model, MultiTaskLasso) else y
    model.fit(X, y)
    proof = model.certify(X, y, rigorous=True)
    assert not proof.closed
    assert "does not know" in proof.reason


def test_sparse_and_single_precision_samples_are_audited_as_they_are():
    X, y, _ = data("number")
    X = np.where(np.abs(X) > 1.0, X, 0.0)
    for samples in (sparse.csr_array(X), X.astype(np.float32)):
        model = Lasso(alpha=0.05).fit(samples, y)
        assert model.certify(samples, y, tolerance=1e-5, rigorous=True).closed


def test_every_exported_model_that_certifies_can_be_asked_for_a_rigorous_proof():
    rooms = [room.name for room in pkgutil.iter_modules(models.__path__) if room.ispkg]
    asked = []
    for room in rooms:
        exported = import_module(f"infimum.models.{room}")
        for name in exported.__all__:
            certify = getattr(getattr(exported, name), "certify", None)
            if inspect.isclass(getattr(exported, name)) and certify is not None:
                asked.append(name)
                assert "rigorous" in inspect.signature(certify).parameters, name
    assert len(asked) > 40
