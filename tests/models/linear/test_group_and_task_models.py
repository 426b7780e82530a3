"""Group lasso, multi-task models and heteroscedastic regression."""

import numpy as np
import pytest
import sklearn.linear_model
from scipy import optimize, sparse

from infimum.errors import DataError
from infimum.models import linear
from infimum.models.linear import (
    GroupLassoClassifier,
    GroupLassoRegressor,
    HeteroscedasticRegressor,
    Lasso,
    LogisticRegression,
    MultiTaskElasticNet,
    MultiTaskLasso,
)
from infimum.models.linear.lassos._row_penalty import RowElasticNet
from infimum.penalties import ElasticNet

GROUPS = np.array(["a", "a", "b", "b", "b", "c"])


@pytest.fixture
def grouped(rng):
    X = rng.normal(size=(80, 6))
    return X, X[:, 0] - 0.7 * X[:, 1] + 0.3 * rng.normal(size=80)


@pytest.fixture
def tasks(rng):
    X = rng.normal(size=(70, 8)) + 1.0
    W = np.zeros((8, 3))
    W[:3] = rng.normal(size=(3, 3))
    return X, X @ W + 0.5 * rng.normal(size=(70, 3)) + [1.0, -2.0, 0.0]


@pytest.mark.parametrize("ratio", [0.0, 0.4])
def test_the_group_lasso_meets_its_optimality_conditions(ratio, grouped):
    X, y = grouped
    model = GroupLassoRegressor(0.1, groups=GROUPS, l1_ratio=ratio, tol=1e-12)
    model.fit(X, y)
    assert model.certificate_.closed
    assert not model.coef_[2:].any()
    residual = y - X @ model.coef_ - model.intercept_
    assert residual.mean() == pytest.approx(0, abs=1e-9)
    pull = (X - X.mean(axis=0)).T @ residual / 80
    for name in "abc":
        mine = name == GROUPS
        w, c = model.coef_[mine], pull[mine]
        price = 0.1 * (1 - ratio) * np.sqrt(mine.sum())
        shrunk = np.sign(c) * np.maximum(np.abs(c) - 0.1 * ratio, 0)
        if w.any():
            slope = price * w / np.linalg.norm(w) + 0.1 * ratio * np.sign(w)
            assert c == pytest.approx(slope, abs=1e-5)
        else:
            assert np.linalg.norm(shrunk) <= price + 1e-9


def test_groups_of_one_are_the_lasso(grouped):
    X, y = grouped
    lasso = Lasso(0.05, tol=1e-12).fit(X, y)
    for settings in ({}, {"groups": GROUPS, "l1_ratio": 1.0}):
        model = GroupLassoRegressor(0.05, tol=1e-12, **settings).fit(X, y)
        assert model.coef_ == pytest.approx(lasso.coef_, abs=1e-6)
    held = GroupLassoRegressor(0.05, tol=1e-12).fit(sparse.csr_array(X), y)
    assert held.coef_ == pytest.approx(lasso.coef_, abs=1e-6)


def test_the_group_lasso_classifier_drops_groups_of_features(grouped):
    X, score = grouped
    model = GroupLassoClassifier(0.1, groups=GROUPS, tol=1e-9).fit(X, score > 0)
    assert model.certificate_.closed
    assert model.coef_[0, :2].all()
    assert not model.coef_[0, 2:].any()
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    lasso = LogisticRegression(l1_ratio=1.0, C=1 / (80 * 0.05), tol=1e-7)
    alone = GroupLassoClassifier(0.05, tol=1e-12).fit(X, score > 0)
    assert alone.coef_ == pytest.approx(lasso.fit(X, score > 0).coef_, abs=1e-4)
    three = np.digitize(score, [-0.5, 0.5])
    joint = GroupLassoClassifier(0.1, groups=GROUPS, tol=1e-8).fit(X, three)
    assert joint.coef_.shape == (3, 6)
    assert not joint.coef_[:, 2:].any()
    assert joint.certify(X, three).relative_gap <= 1e-7


def test_groups_must_name_every_feature(grouped):
    X, y = grouped
    with pytest.raises(DataError, match="name a group for each of the 6 features"):
        GroupLassoRegressor(groups=["a", "b"]).fit(X, y)


@pytest.mark.parametrize("ratio", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_multi_task_models_agree_with_scikit_learn(ratio, intercept, tasks):
    X, Y = tasks
    settings = {"alpha": 0.3, "l1_ratio": ratio, "fit_intercept": intercept}
    ours = MultiTaskElasticNet(**settings, tol=1e-13).fit(X, Y)
    theirs = sklearn.linear_model.MultiTaskElasticNet(
        **settings, tol=1e-12, max_iter=100_000
    ).fit(X, Y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)
    assert ours.certificate_.closed
    if ratio == 1.0:
        alone = MultiTaskLasso(0.3, fit_intercept=intercept, tol=1e-13).fit(X, Y)
        assert alone.coef_ == pytest.approx(ours.coef_, abs=1e-8)
        used = ours.coef_.any(axis=0)
        assert np.array_equal(used, ours.coef_.all(axis=0))  # for all tasks or none
        assert 0 < used.sum() < 8
    assert ours.certify(X, Y).relative_gap <= 1e-8


@pytest.mark.parametrize("kind", ["MultiTaskLassoCV", "MultiTaskElasticNetCV"])
def test_tasks_choose_their_strength_as_scikit_learn_does(kind, tasks):
    X, Y = tasks
    options = {"alphas": 8, "tol": 1e-10, "max_iter": 100_000, "cv": 3}
    ours = getattr(linear, kind)(**options).fit(X, Y)
    theirs = getattr(sklearn.linear_model, kind)(**options).fit(X, Y)
    assert ours.alphas_ == pytest.approx(theirs.alphas_)
    assert ours.mse_path_ == pytest.approx(theirs.mse_path_, rel=1e-5)
    assert ours.alpha_ == pytest.approx(theirs.alpha_)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    assert ours.certificate_.closed
    assert ours.path_gap_ <= max(ours.tol, 1e-9)
    assert ours.certify(X, Y).closed


def test_one_target_belongs_to_another_class(tasks):
    X, Y = tasks
    with pytest.raises(DataError, match="For mono-task outputs use another class"):
        MultiTaskLasso().fit(X, Y[:, 0])


@pytest.mark.parametrize("ratio", [0.0, 0.6, 1.0])
def test_the_row_penalty_obeys_the_laws_of_penalties(ratio, rng):
    penalty = RowElasticNet(0.7, ratio)
    for _ in range(20):
        W, V = rng.normal(size=(2, 5, 3))
        V = penalty.dual_scale(V) * V
        assert penalty.value(W) + penalty.conjugate(V) >= (W * V).sum() - 1e-12
        near = penalty.prox(W, 0.4)
        price = ((near - W) ** 2).sum() / 0.8 + penalty.value(near)
        for move in 1e-3 * rng.normal(size=(10, 5, 3)):
            there = near + move
            assert price <= ((there - W) ** 2).sum() / 0.8 + penalty.value(there)
        # The point and its slope touch.
        slope = (W - near) / 0.4
        touch = penalty.value(near) + penalty.conjugate(slope * (1 - 1e-12))
        assert touch == pytest.approx((near * slope).sum(), abs=1e-9)
    # On one task it is the elastic net.
    w = rng.normal(size=(5, 1))
    assert penalty.value(w) == pytest.approx(ElasticNet(0.7, ratio).value(w[:, 0]))


def test_heteroscedastic_regression_is_the_likeliest_in_natural_parameters(rng):
    X = rng.uniform(size=(150, 1))
    deviation = 1.0 / np.sqrt(0.5 + 8.0 * X[:, 0])
    y = 3.0 + deviation * rng.normal(size=150)
    model = HeteroscedasticRegressor(alpha=0.01).fit(X, y)
    assert model.certificate_.closed
    z = (y - y.mean()) / y.std()

    def price(point):
        eta, tau = point[0] * X[:, 0] + point[1], point[2] * X[:, 0] + point[3]
        if tau.min() <= 0:
            return np.inf
        nats = 0.5 * tau * (z - eta / tau) ** 2 - 0.5 * np.log(tau)
        return nats.mean() + 0.005 * (point[0] ** 2 + point[2] ** 2)

    found = optimize.minimize(
        price,
        [0.0, 0.0, 0.0, 1.0],
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-14, "maxiter": 10_000, "maxfev": 10_000},
    )
    mean, spread = model.predict(X, return_std=True)
    eta = found.x[0] * X[:, 0] + found.x[1]
    tau = found.x[2] * X[:, 0] + found.x[3]
    assert mean == pytest.approx(y.mean() + y.std() * eta / tau, rel=1e-4)
    assert spread == pytest.approx(y.std() / np.sqrt(tau), rel=1e-4)
    assert np.corrcoef(spread, deviation)[0, 1] > 0.9
    assert model.certify(X, y).relative_gap <= 1e-10
    scaled = HeteroscedasticRegressor(alpha=0.01).fit(X, 100.0 * y - 7.0)
    assert scaled.predict(X) == pytest.approx(100.0 * mean - 7.0)
    far = model.predict([[-50.0]], return_std=True)[1]
    assert np.isfinite(far).all()
