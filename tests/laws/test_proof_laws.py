"""No shift, scale, rotation or forgery makes a linear model prove what is false."""

from dataclasses import replace

import numpy as np
import pytest

import infimum
from infimum.errors import InfimumError
from infimum.losses import Loss
from infimum.models.linear import (
    ElasticNet,
    ElasticNetCV,
    HeteroscedasticRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LinearSVR,
    LogisticRegression,
    MultiTaskLasso,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeCV,
    RiskMinimizer,
)
from infimum.models.warnings import UncertifiedWarning
from tests.laws.parts import EVERY_LOSS

DISTANCES = [loss for loss in EVERY_LOSS if loss.distance_based and loss.convex]
REGRESSORS = [
    ElasticNet(0.01),
    ElasticNetCV(cv=3, alphas=5),
    HuberRegressor(),
    Lasso(0.01),
    LassoCV(cv=3, alphas=5),
    LinearRegression(),
    LinearSVR(C=1.0),
    MultiTaskLasso(0.01),
    QuantileRegressor(alpha=0.01),
    Ridge(),
    RidgeCV(),
    *(RiskMinimizer(loss, "ridge", strength=0.01) for loss in DISTANCES),
    *(RiskMinimizer(loss, "lasso", strength=0.01) for loss in DISTANCES[:3]),
]
every_regressor = pytest.mark.parametrize("model", REGRESSORS, ids=repr)


@pytest.fixture
def table(rng):
    X = rng.standard_normal((60, 3))
    return X, 2.0 * X[:, 0] - X[:, 1] + 0.3 * rng.standard_normal(60)


def targets(model, y):
    return np.column_stack([y, -y]) if isinstance(model, MultiTaskLasso) else y


@every_regressor
@pytest.mark.parametrize("far", [1e4, 1e7, 1e10])
def test_targets_far_from_0_are_learnt_and_proved_as_those_near_it(model, far, table):
    X, y = table
    moved = (y + far) - far  # what is left of the targets out there
    near = model.fit(X, targets(model, moved))
    expected, scale = np.ravel(near.coef_).copy(), near.certificate_.scale
    there = model.fit(X, targets(model, y + far))
    assert there.certificate_.closed
    assert there.certificate_.scale == pytest.approx(scale, rel=1e-6)
    blur = 1e-3 + 1e3 * np.spacing(far)
    assert np.ravel(there.coef_) == pytest.approx(expected, abs=blur)
    assert there.certify(X, targets(model, y + far)).closed


@every_regressor
@pytest.mark.parametrize("far", [0.0, 1e7])
def test_other_coefficients_are_never_accepted(model, far, table):
    X, y = table
    fitted = model.fit(X, targets(model, y + far))
    fitted.coef_ = np.full_like(fitted.coef_, 5.0)
    proof = fitted.certify(X, targets(model, y + far))
    assert not proof.closed
    assert not proof.invalid


@pytest.mark.parametrize("factor", [1e-9, 1e9])
@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_units_of_the_targets_change_the_units_of_the_proof(loss, factor, table):
    X, y = table
    power = 2 if loss == "squared" else 1
    strength = 0.1 if loss == "squared" else 0.1 / factor
    near = RiskMinimizer(loss, "ridge", strength=0.1).fit(X, y)
    far = RiskMinimizer(loss, "ridge", strength=strength).fit(X, factor * y)
    assert far.certificate_.closed
    assert far.certificate_.scale == pytest.approx(
        near.certificate_.scale * factor**power, rel=1e-6
    )
    assert far.coef_ == pytest.approx(factor * near.coef_, rel=1e-3)


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("condition", [1.0, 1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(),
        LogisticRegression(C=np.inf),
        PoissonRegressor(alpha=0.0),
        RiskMinimizer("absolute", "none"),
        RiskMinimizer("squared_hinge", "none"),
    ],
    ids=repr,
)
def test_columns_that_are_nearly_dependent_prove_nothing_false(
    model, condition, dtype, rng
):
    base = rng.standard_normal((80, 4))
    turn, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    X = (base @ turn * np.geomspace(1.0, 1.0 / condition, 4) @ turn.T).astype(dtype)
    y = base @ np.array([1.0, -1.0, 0.5, 0.0]) + rng.standard_normal(80)
    if isinstance(model, PoissonRegressor):
        y = rng.poisson(np.exp(np.clip(y, -2.0, 2.0))).astype(float)
    elif (
        not isinstance(model, LinearRegression)
        and model.__sklearn_tags__().classifier_tags
    ):
        y = np.sign(y)
    proof = model.fit(X, y).certificate_
    assert not proof.invalid
    if dtype == np.float64:  # the same functions, but for rounding of the table
        best = model.fit(base, y).certificate_
        assert proof.dual <= best.primal + 1e-6 * best.scale
    else:
        assert proof.dual <= proof.primal + proof.slack


def test_a_risk_without_a_lower_bound_is_told(rng):
    X = rng.standard_normal((20, 2))
    for rows, y in ((X, np.full(20, 3.0)), (X[:1], np.ones(1))):
        with pytest.warns(UncertifiedWarning, match="no lower bound"):
            model = HeteroscedasticRegressor().fit(rows, y)
        assert model.certificate_.dual == -np.inf
        assert model.certify(rows, y).dual == -np.inf


def test_what_a_file_claims_of_its_proof_is_not_asked(tmp_path, table):
    X, y = table
    for model in (Lasso(0.01), Ridge(), HuberRegressor(), LogisticRegression()):
        labels = y > 0 if isinstance(model, LogisticRegression) else y
        fitted = model.fit(X, labels)
        fitted.coef_ = fitted.coef_ + 0.5
        fitted.certificate_ = replace(fitted.certificate_, tolerance=1e6, scale=1e12)
        if hasattr(fitted, "tol"):
            fitted.tol = 1e3
        infimum.save(fitted, tmp_path / "forged.infimum")
        loaded = infimum.load(tmp_path / "forged.infimum")
        assert not loaded.certify(X, labels).closed


def test_the_auditor_sets_the_tolerance(table):
    X, y = table
    model = Lasso(0.01, tol=1e-2).fit(X, y)
    assert model.certify(X, y).tolerance == 1e-4
    assert model.certify(X, y, tolerance=0.5).tolerance == 0.5
    assert not model.certify(X, y, tolerance=1e-16).closed
    with pytest.raises(InfimumError, match="tolerance"):
        model.certify(X, y, tolerance=0.0)


def test_every_convex_loss_of_residuals_is_met():
    assert all(isinstance(loss, Loss) for loss in DISTANCES)
    assert {"Squared", "Absolute", "Huber", "Quantile"} <= {
        type(loss).__name__ for loss in DISTANCES
    }
