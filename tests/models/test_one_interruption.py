"""One Ctrl-C ends a fit or a path, however many problems it consists of."""

import numpy as np
import pytest

from infimum.compiled.descent import gram_path
from infimum.errors import Interrupted
from infimum.models.linear import (
    HuberRegressor,
    LassoCV,
    LinearSVC,
    LogisticRegressionCV,
    MultiTaskLassoCV,
    Ridge,
    regularization_path,
)
from infimum.models.linear.closed_form import _ridge_system
from infimum.models.linear.lassos._gram_descent import GramDescent
from infimum.models.linear.robust import huber_regressor
from infimum.solvers import CoordinateDescent, InteriorPoint, Newton
from infimum.solvers.progress import INTERRUPTED


class Presses:
    """A method that is interrupted at its first step, and counts how often it ran."""

    def __init__(self, monkeypatch, *solvers):
        self.runs = 0
        for solver in solvers:
            monkeypatch.setattr(solver, "_descend", self._descend)

    def _descend(self, here):
        self.runs += 1
        raise KeyboardInterrupt
        yield

    def together(self, *_):
        self.runs += 1
        raise KeyboardInterrupt


def data(rng):
    X = rng.normal(size=(60, 4))
    return X, X @ [1.0, -1.0, 0.5, 0.0] + rng.standard_t(3, size=60)


def test_the_classes_after_an_interrupted_one_are_not_begun(rng, monkeypatch):
    X, y = data(rng)
    labels = np.digitize(y, [-1.0, 0.0, 1.0])
    done = LinearSVC(tol=1e-6).fit(X, labels)
    once = Once(monkeypatch)
    model = LinearSVC(tol=1e-6)
    with pytest.raises(Interrupted):
        model.fit(X, labels)
    assert once.runs == 4
    assert once.steps <= 4 + 1
    assert [proof.reason for proof in model.certificates_] == [INTERRUPTED] * 4
    for proof, best in zip(model.certificates_, done.certificates_, strict=True):
        assert proof.dual <= best.primal
        assert best.dual <= proof.primal
    assert model.predict(X).shape == labels.shape


class Once:
    """Newton's method, interrupted in its first run only; counts runs and steps."""

    def __init__(self, monkeypatch):
        self.runs = self.steps = 0
        descend = Newton._descend

        def watched(solver, here):
            self.runs += 1
            for iterate in descend(solver, here):
                self.steps += 1
                yield iterate
                if self.runs == 1:
                    raise KeyboardInterrupt

        monkeypatch.setattr(Newton, "_descend", watched)


@pytest.mark.parametrize("model", [LassoCV(), LogisticRegressionCV(Cs=5)], ids=repr)
def test_a_choice_among_models_ends_and_leaves_the_old_one(model, rng, monkeypatch):
    X, y = data(rng)
    if isinstance(model, LogisticRegressionCV):
        y = (y > 0).astype(int)
    model.fit(X, y)
    before = dict(vars(model))
    presses = Presses(monkeypatch, Newton, CoordinateDescent, GramDescent)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert presses.runs == 1
    assert vars(model) == before


@pytest.mark.parametrize("model", [LassoCV(), MultiTaskLassoCV()], ids=repr)
def test_a_compiled_path_that_is_interrupted_leaves_the_old_model(
    model, rng, monkeypatch
):
    X, y = data(rng)
    y = np.column_stack([y, -y]) if isinstance(model, MultiTaskLassoCV) else y
    model.fit(X, y)
    before, calls = dict(vars(model)), []

    def pressed(*arguments):
        calls.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(gram_path, "follow_gram_path", pressed)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert len(calls) == 1
    assert vars(model) == before


def test_a_path_ends_at_once(rng, monkeypatch):
    X, y = data(rng)
    presses = Presses(monkeypatch, Newton)
    with pytest.raises(KeyboardInterrupt):
        regularization_path(LinearSVC(), X, (y > 0).astype(int))
    assert presses.runs == 1


@pytest.mark.parametrize("method", ["together", "in turn"])
def test_a_scale_that_is_learnt_alongside_stops_too(rng, monkeypatch, method):
    X, y = data(rng)
    best = HuberRegressor().fit(X, y).certificate_
    presses = Presses(monkeypatch, Newton)
    together = presses.together if method == "together" else lambda _, *start: start
    monkeypatch.setattr(huber_regressor, "descend_jointly", together)
    model = HuberRegressor()
    with pytest.raises(Interrupted):
        model.fit(X, y)
    assert presses.runs == 1
    assert model.certificate_.reason == INTERRUPTED
    assert model.certificate_.dual <= best.primal
    assert best.dual <= model.certificate_.primal


def test_a_scale_that_is_held_to_be_0_for_once_stops_too(rng, monkeypatch):
    X, y = data(rng)
    monkeypatch.setattr(huber_regressor, "STUCK", 1)
    presses = Presses(monkeypatch, InteriorPoint)
    model = HuberRegressor()
    with pytest.raises(Interrupted):
        model.fit(X, y)
    assert presses.runs == 1
    assert model.n_iter_ == 1


def test_the_targets_after_an_interrupted_one_are_not_begun(rng, monkeypatch):
    X, y = data(rng)
    monkeypatch.setattr(_ridge_system, "LARGEST_SYSTEM", 3)
    once = Once(monkeypatch)
    model = Ridge()
    with pytest.raises(Interrupted):
        model.fit(X, np.column_stack([y, X[:, 0] ** 2, -y]))
    assert [proof.reason for proof in model.certificates_] == [INTERRUPTED] * 3
    assert once.steps <= 3 + 1
