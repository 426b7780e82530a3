"""What a warning advises works, for every reason that a fit has to stop."""

import re
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.preprocessing import StandardScaler

from infimum.losses import HeteroscedasticGaussian, Huber
from infimum.models.kernel import SVC, SVR, RampSVC
from infimum.models.linear import (
    HuberRegressor,
    Lasso,
    LinearSVC,
    LogisticRegression,
    OrdinalLogisticRegression,
    RiskMinimizer,
    regularization_path,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.solvers import CoordinateDescent, Newton, ProximalGradient
from infimum.solvers.progress import Iterate, Progress
from tests.models.test_callbacks_and_interruption import Witness

CUT_SHORT = [
    LogisticRegression(max_iter=1, tol=1e-6),
    LogisticRegression(l1_ratio=1.0, max_iter=1, tol=1e-6),
    LinearSVC(max_iter=1, loss="hinge", tol=1e-4),
    HuberRegressor(max_iter=1),
    RiskMinimizer("huber", "lasso", strength=0.01, max_iter=1),
    RiskMinimizer("hinge", "ridge", strength=0.01, max_iter=1),
]


def data(model):
    labels = hasattr(model, "decision_function")
    X, y = (load_breast_cancer if labels else load_diabetes)(return_X_y=True)
    return StandardScaler().fit_transform(X)[:150, :6], y[:150]


def words_of(fit, *given):
    """Return what a fit warns of, in words; nothing where it does not."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(*given)
    assert all(each.category is UncertifiedWarning for each in caught)
    assert len(caught) <= 1
    return str(caught[0].message) if caught else ""


def ends_at_once(solver, here):
    yield Iterate(here, 0)


def number_in(words):
    return int(re.search(r"above (\d+)", words).group(1))


@pytest.mark.parametrize("model", CUT_SHORT, ids=repr)
def test_more_iterations_close_the_gap(model):
    X, y = data(model)
    model = clone(model)
    words = words_of(model.fit, X, y)
    assert "(iteration limit)" in words
    assert "Raise max_iter above" in words
    model.set_params(max_iter=1000 + number_in(words))
    assert words_of(model.fit, X, y) == ""
    assert model.certificate_.closed


@pytest.mark.parametrize("machine", [SVC(C=50.0), SVR(C=1e4)], ids=repr)
def test_more_working_sets_close_the_gap(machine, monkeypatch):
    monkeypatch.setattr("infimum.solvers.support_vectors.working_set_descent.SMALL", 0)
    X, y = data(machine)
    machine = clone(machine).set_params(max_iter=1, tol=1e-7)
    words = words_of(machine.fit, X, y)
    assert "Raise max_iter above 1, or tol." in words
    machine.set_params(max_iter=1000)
    assert words_of(machine.fit, X, y) == ""


@pytest.mark.parametrize("model", CUT_SHORT, ids=repr)
def test_a_wider_tolerance_closes_the_gap(model):
    """In the units of each class, some of which are a square root."""
    X, y = data(model)
    model = clone(model)
    if not words_of(model.fit, X, y):
        return
    reached = model.certificate_
    factor = reached.relative_gap / reached.tolerance
    model.set_params(tol=2.0 * model.tol * factor)
    assert words_of(model.fit, X, y) == ""


def test_the_limit_of_the_second_method_is_raised_as_well(monkeypatch):
    """One method is stuck at once, the next one has too few iterations of its own."""
    model = RiskMinimizer("logistic", "ridge", strength=1e-3)
    X, y = data(model)
    monkeypatch.setattr(Newton, "_descend", ends_at_once)
    for kind in (Newton, CoordinateDescent):
        first, _, *rest = kind.__init__.__defaults__
        monkeypatch.setattr(kind.__init__, "__defaults__", (first, 1, *rest))
    words = words_of(model.fit, X, y)
    assert "(iteration limit)" in words
    assert number_in(words) == 1
    model.set_params(max_iter=number_in(words) + 500)
    assert words_of(model.fit, X, y) == ""


def test_a_solver_with_limits_of_its_own_is_told_of_them():
    X, y = data(Lasso())
    pair = {"loss": "huber", "penalty": "lasso", "strength": 0.01}
    model = RiskMinimizer(**pair, solver=CoordinateDescent(max_iterations=1))
    words = words_of(model.fit, X, y)
    assert words.endswith("Raise max_iterations of the solver above 1.")
    model.solver = CoordinateDescent(max_iterations=500)
    assert words_of(model.fit, X, y) == ""
    model.solver = ProximalGradient(max_seconds=1e-9)
    words = words_of(model.fit, X, y)
    assert "(time limit)" in words
    assert words.endswith("Raise max_seconds of the solver.")
    model.solver = ProximalGradient(max_seconds=60.0)
    assert words_of(model.fit, X, y) == ""


def test_without_the_callback_the_fit_goes_on():
    model = LogisticRegression(tol=1e-7)
    X, y = data(model)
    stopped = clone(model).set_callbacks(Witness(stop_after=2))
    words = words_of(stopped.fit, X, y)
    assert words.endswith("Without that callback the fit goes on.")
    assert words_of(model.fit, X, y) == ""


def rough_table():
    """Return a table in bad units on which a faint price cannot be proved closer."""
    X, y = load_diabetes(return_X_y=True)
    draw = np.random.default_rng(29)
    rows = draw.choice(len(y), 46, replace=False)
    return X[rows] * 10.0 ** draw.uniform(-2.0, 4.0, size=10), y[rows]


def test_where_precision_ends_scales_or_a_wider_tolerance_help():
    X, y = rough_table()
    model = RiskMinimizer(Huber(20.0), "lasso", strength=1e-8)
    words = words_of(model.fit, X, y)
    assert "raise tol, or scale the features" in words
    wider = clone(model).set_params(tol=2.0 * model.certificate_.relative_gap)
    assert words_of(wider.fit, X, y) == ""
    words_of(model.fit, StandardScaler().fit_transform(X), y)
    assert model.certificate_.relative_gap < 0.5 * wider.certificate_.tolerance


def test_a_method_that_was_named_may_be_left_to_choice(monkeypatch):
    X, y = data(Lasso())
    monkeypatch.setattr(Newton, "_descend", ends_at_once)
    model = RiskMinimizer("huber", strength=1e-3, solver=Newton())
    words = words_of(model.fit, X, y)
    assert words.endswith("solver='auto' takes a method that may go further.")
    model.solver = "auto"
    assert words_of(model.fit, X, y) == ""


def test_a_penalty_gives_a_bound_where_there_is_none(rng):
    X, y = rng.standard_normal((12, 2)), rng.standard_normal(12)
    part = HeteroscedasticGaussian()
    model = RiskMinimizer(part, "graph_laplacian")
    words = words_of(model.fit, X[:2], y[:2])
    assert words.endswith("No lower bound was found: a stronger penalty gives one.")
    model = RiskMinimizer(part, "ridge").fit(X[:2], y[:2])
    assert np.isfinite(model.certificate_.gap)


def test_no_advice_is_given_where_none_can_work(rng):
    X = rng.standard_normal((60, 2))
    labels = np.sign(X[:, 0] + rng.standard_normal(60))
    words = words_of(RiskMinimizer("ramp", "ridge", strength=0.01).fit, X, labels)
    assert "stopped (stationary" in words
    assert words.endswith(
        "Nothing can prove the minimum of a function that is not convex."
    )


def test_a_path_a_ranking_of_classes_and_a_ramp_give_advice_that_works(rng):
    X, y = data(Lasso())
    short = Lasso(max_iter=1, tol=1e-10)
    words = words_of(regularization_path, short, X, y)
    assert "(iteration limit). Raise max_iter above" in words
    short.set_params(max_iter=5000)
    assert words_of(regularization_path, short, X, y) == ""
    ranks = np.digitize(y, [100.0, 200.0])
    words = words_of(OrdinalLogisticRegression(max_iter=1).fit, X, ranks)
    assert "raise max_iter or tol" in words
    assert words_of(OrdinalLogisticRegression(max_iter=1000).fit, X, ranks) == ""
    labels = np.where(y + 60.0 * rng.standard_normal(len(y)) > 140.0, 1, -1)
    words = words_of(RampSVC(max_rounds=1).fit, X, labels)
    assert "Raise max_rounds" in words
    assert words_of(RampSVC(max_rounds=200).fit, X, labels) == ""


def test_every_reason_to_stop_is_tried_here():
    """A new reason needs advice, and a test that follows it."""
    names = Progress.reason_to_stop.__code__.co_names
    reasons = {name for name in names if name.isupper()}
    assert reasons - {"CLOSED"} == {"CALLBACK", "LIMIT", "LATE"}
