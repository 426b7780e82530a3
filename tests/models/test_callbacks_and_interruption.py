"""A fit can be watched, stopped and interrupted; what comes back is never half done."""

import warnings

import numpy as np
import pytest
from sklearn.callback import FitCallback, ProgressBar
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.preprocessing import StandardScaler

from infimum.errors import Interrupted
from infimum.models.linear import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearSVC,
    LogisticRegression,
    QuantileRegressor,
    RiskMinimizer,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.solvers import ProximalGradient

MODELS = [
    ElasticNet(alpha=0.01),
    HuberRegressor(),
    LogisticRegression(),
    LinearSVC(loss="hinge"),
    QuantileRegressor(alpha=0.01),
    RiskMinimizer("huber", "lasso", strength=0.01),
]


def data(model):
    classifies = hasattr(model, "decision_function") and not isinstance(
        model, RiskMinimizer
    )
    load = load_breast_cancer if classifies else load_diabetes
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    return X[:150, :6], y[:150]


class Witness(FitCallback):
    """Remember what scikit-learn's protocol reports, and stop when told."""

    def __init__(self, stop_after=None):
        self.stop_after = stop_after
        self.begun, self.ended, self.tasks = 0, 0, 0

    def setup(self, estimator, context):
        self.begun += 1

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        self.tasks += 1
        return self.stop_after is not None and self.tasks >= self.stop_after

    def teardown(self, estimator, context):
        self.ended += 1


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_scikit_learns_callbacks_see_the_iterations(model):
    witness = Witness()
    fitted = type(model)(**model.get_params()).set_callbacks(witness).fit(*data(model))
    assert witness.begun == witness.ended == 1
    assert witness.tasks >= 1
    plain = type(model)(**model.get_params()).fit(*data(model))
    np.testing.assert_array_equal(fitted.coef_, plain.coef_)


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
def test_a_callback_that_says_stop_stops_the_fit():
    X, y = data(LogisticRegression())
    model = LogisticRegression(tol=1e-7).set_callbacks(Witness(stop_after=2)).fit(X, y)
    assert len(model.history_) == 2
    assert model.certificate_.reason == "stopped by the callback"


def test_scikit_learns_progress_bar_works(capsys):
    model = Lasso(alpha=0.01).set_callbacks(ProgressBar())
    model.fit(*data(model))
    assert model.certificate_.closed
    assert "Lasso" in capsys.readouterr().out


class Interrupting(Witness):
    """Press Ctrl-C in the middle of the fit."""

    def on_fit_task_end(self, estimator, context):
        self.tasks += 1
        if self.tasks == 2:
            raise KeyboardInterrupt


def test_an_interrupted_fit_keeps_the_best_model_so_far_with_its_gap():
    X, y = data(LogisticRegression())
    model = LogisticRegression(tol=1e-7).set_callbacks(Interrupting())
    with pytest.raises(Interrupted, match="keeps its best model so far: risk") as stop:
        model.fit(X, y)
    assert stop.value.estimator is model
    assert model.certificate_.reason == "interrupted"
    assert np.isfinite(model.certificate_.gap)
    assert model.predict(X).shape == y.shape
    best = LogisticRegression(tol=1e-7).fit(X, y).certificate_.primal
    assert model.certificate_.dual <= best <= model.certificate_.primal


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(max_iter=1, tol=1e-6),
        LogisticRegression(l1_ratio=1.0, max_iter=1, tol=1e-6),
        LinearSVC(max_iter=1, loss="hinge", tol=1e-9),
        HuberRegressor(max_iter=1),
    ],
    ids=repr,
)
def test_a_fit_that_ends_too_early_warns_and_names_its_gap(model):
    X, y = data(model)
    with pytest.warns(UncertifiedWarning) as caught:
        model.fit(X, y)
    message = str(caught[0].message)
    assert message.startswith(f"{type(model).__name__} stopped (iteration limit)")
    assert f"relative duality gap of {model.certificate_.relative_gap:.1e}" in message
    assert f"{model.certificate_.tolerance:.1e} asked for" in message
    assert not model.certificate_.closed


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_certify_recomputes_the_proof_from_coefficients_and_data(model):
    X, y = data(model)
    weights = np.linspace(0.5, 2.0, len(y))
    model = type(model)(**model.get_params()).fit(X, y, sample_weight=weights)
    proof = model.certify(X, y, sample_weight=weights)
    assert proof.primal == pytest.approx(model.certificate_.primal, rel=1e-9)
    assert proof.dual <= proof.primal * (1 + 1e-12)
    assert proof.relative_gap <= max(10 * model.certificate_.relative_gap, 1e-6)
    model.coef_ = model.coef_ + 0.1  # somebody tampered with the model
    assert not model.certify(X, y, sample_weight=weights).closed


@pytest.mark.parametrize(
    "spoil",
    [
        lambda X, y: (np.where(X[0, 0] == X, np.nan, X), y),
        lambda X, y: (X, np.zeros(len(y))),
        lambda X, y: (X[:, :3], y[:-1]),
    ],
    ids=["nan", "one class", "lengths"],
)
def test_a_failed_fit_leaves_the_old_model(spoil):
    X, y = data(LogisticRegression())
    model = LogisticRegression().fit(X, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match=r"\w"):
        model.fit(*spoil(X, y))
    assert vars(model) == before
    assert model.certify(X, y).closed


def test_a_failed_setting_leaves_the_old_model_with_its_classes():
    X, y = data(LogisticRegression())
    model = LogisticRegression().fit(X, y)
    model.set_params(C=-1.0)
    with pytest.raises(ValueError, match=r"LogisticRegression\.C"):
        model.fit(X[:, :2], np.arange(len(y)) % 3)
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 6
    assert model.predict(X).shape == y.shape


def test_a_warm_start_at_the_solution_has_nothing_left_to_do():
    X, y = data(LogisticRegression())
    model = LogisticRegression(warm_start=True).fit(X, y)
    first = model.coef_.copy()
    model.fit(X, y)
    assert model.history_[-1].iteration == 0
    np.testing.assert_allclose(model.coef_, first, atol=1e-12)


def test_a_solver_with_a_time_limit_returns_in_time_with_a_warning():
    X, y = data(Lasso())
    solver = ProximalGradient(tolerance=1e-14, max_seconds=1e-9)
    model = RiskMinimizer("huber", "lasso", strength=1e-4, solver=solver)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    assert model.certificate_.reason == "time limit"
    assert [w.category for w in caught] == [UncertifiedWarning]
