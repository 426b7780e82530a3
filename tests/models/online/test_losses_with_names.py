"""Losses with names have loops of their own, with the steps of the general one."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

from infimum.losses import Hinge, Logistic
from infimum.models.online import Perceptron, SGDClassifier, SGDRegressor
from infimum.models.online._stride import Stride

LEARNERS = [
    SGDClassifier("log_loss", random_state=0),
    SGDClassifier("log_loss", penalty=None, learning_rate="constant", eta0=0.5),
    SGDClassifier("hinge", alpha=0.3),
    SGDClassifier("squared_hinge", learning_rate="invscaling", eta0=0.1),
    SGDClassifier("modified_huber", alpha=0.01, fit_intercept=False),
    SGDClassifier("squared_error", learning_rate="constant", eta0=0.01),
    Perceptron(margin=0.5),
    SGDRegressor("huber", epsilon=0.3),
    SGDRegressor("epsilon_insensitive", penalty=None),
]


def learnt(learner, X, y):
    model = type(learner)(**learner.get_params())
    known = {} if isinstance(learner, SGDRegressor) else {"classes": [0, 1]}
    for part in np.array_split(np.arange(len(y)), 3):
        model.partial_fit(X[part], y[part], **known)
    return model


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["full", "thin"])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_the_quick_loop_takes_the_steps_of_the_general_one(
    learner, form, rng, monkeypatch
):
    X = rng.normal(size=(200, 13)) * (rng.uniform(size=(200, 13)) < 0.7)
    y = X @ rng.normal(size=13) + 0.5 * rng.normal(size=200)
    y = y if isinstance(learner, SGDRegressor) else (y > 0).astype(int)
    quick = learnt(learner, form(X), y)
    monkeypatch.setattr(Stride, "code", None)
    general = learnt(learner, form(X), y)
    for name in ("coef_", "intercept_", "incurred_", "mistakes_"):
        np.testing.assert_allclose(
            getattr(quick, name), getattr(general, name), rtol=1e-9, atol=1e-12
        )
    assert general.incurred_[0] > 1.0


def test_what_was_paid_is_right_for_scores_of_any_size(rng):
    # Factors of 1 + e^-m close to 1 and to 2, and more of them than a number can hold.
    X, y = rng.normal(size=(5000, 1)), rng.integers(0, 2, 5000)
    X[::50] *= 1000.0
    steps = {"learning_rate": "constant", "eta0": 1e-16, "penalty": None}
    model = SGDClassifier("log_loss", max_iter=1, tol=None, shuffle=False, **steps)
    model.fit(X, y, coef_init=[[1.0]], intercept_init=[0.0])
    paid = np.logaddexp(0.0, -(2 * y - 1) * X[:, 0]).sum()
    assert model.incurred_[0] == pytest.approx(paid, rel=1e-11)


def test_a_stranger_with_a_known_name_keeps_its_own_formula(rng):
    @dataclass(frozen=True)
    class Hinge(Logistic):
        """Not the one that the loops know."""

    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    own, known = (
        SGDClassifier(loss, random_state=0).partial_fit(X, y, classes=[0, 1])
        for loss in (Hinge(), Logistic())
    )
    np.testing.assert_allclose(own.coef_, known.coef_, rtol=1e-9)
    hinge = SGDClassifier(OURS, random_state=0).partial_fit(X, y, classes=[0, 1])
    assert np.abs(hinge.coef_ - own.coef_).max() > 1e-3


OURS = Hinge()
