"""Laws of every exported learner of a stream: how it is cut does not matter."""

import inspect

import numpy as np
import pytest
from sklearn.base import is_outlier_detector, is_regressor

import infimum.models.online as room
from infimum.models.online import Winnow

EXPORTED = [getattr(room, name) for name in room.__all__]
LEARNERS = [kind for kind in EXPORTED if hasattr(kind, "partial_fit")]
every_learner = pytest.mark.parametrize(
    "kind", LEARNERS, ids=lambda kind: kind.__name__
)


def stream(kind, rng):
    X = rng.normal(size=(70, 6))
    scores = X @ rng.normal(size=6) + 0.3 * rng.normal(size=70)
    if is_regressor(kind()) or is_outlier_detector(kind()):
        return X, scores, {}
    y = np.array(["low", "mid", "high"])[np.digitize(scores, [-1.0, 1.0])]
    return X, y, {"classes": ["low", "mid", "high"]}


def answers(model, X):
    known = hasattr(model, "decision_function")
    return model.decision_function(X) if known else model.predict(X)


def test_all_that_learn_from_streams_are_found():
    names = {kind.__name__ for kind in LEARNERS}
    assert {"BudgetPerceptron", "Perceptron", "SGDRegressor"} <= names
    assert all(hasattr(kind, "learn_one") for kind in LEARNERS)
    taught = [kind for kind in EXPORTED if hasattr(kind, "learn")]
    in_batches = [k for k in taught if "X" in inspect.signature(k.learn).parameters]
    assert in_batches == [Winnow]


@every_learner
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_by_one_in_batches_and_at_once_are_the_same(kind, dtype, rng):
    X, y, known = stream(kind, rng)
    X = X.astype(dtype)
    whole, single, batches = kind().partial_fit(X, y, **known), kind(), kind()
    for i, (x, target) in enumerate(zip(X, y, strict=True)):
        single.learn_one(x, target, **(known if i == 0 else {}))
    for part in np.split(np.arange(70), [1, 4, 33]):
        batches.partial_fit(X[part], y[part], **known)
    close = {"rtol": 1e-9, "atol": 1e-9} if dtype is np.float64 else {"rtol": 2e-5}
    for model in (single, batches):
        np.testing.assert_allclose(answers(model, X), answers(whole, X), **close)
    if known:
        np.testing.assert_array_equal(single.mistakes_, whole.mistakes_)


@every_learner
def test_a_row_that_is_refused_teaches_nothing(kind, rng):
    X, y, known = stream(kind, rng)
    model = kind().partial_fit(X, y, **known)
    before, spoilt = answers(model, X), X[0].copy()
    spoilt[2] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        model.learn_one(spoilt, y[0])
    with pytest.raises(ValueError, match="features"):
        model.learn_one(X[0, :4], y[0])
    np.testing.assert_array_equal(answers(model, X), before)


@every_learner
def test_parameters_changed_in_the_stream_hold_from_the_next_row_on(kind, rng):
    X, y, known = stream(kind, rng)
    name = next(
        n for n in ("eta0", "C", "budget", "average") if n in kind().get_params()
    )
    value = {"eta0": 0.05, "C": 0.01, "budget": 3, "average": True}[name]
    first, second = (kind().partial_fit(X[:40], y[:40], **known) for _ in range(2))
    first.set_params(**{name: value}).partial_fit(X[40:], y[40:])
    second.set_params(**{name: value})
    for x, target in zip(X[40:], y[40:], strict=True):
        second.learn_one(x, target)
    np.testing.assert_allclose(answers(second, X), answers(first, X), atol=1e-9)


def test_winnow_may_be_taught_in_batches(rng):
    X = (rng.uniform(size=(60, 8)) < 0.4).astype(float)
    y = np.maximum(X[:, 0], X[:, 5])
    whole, single = Winnow(8).learn(X, y), Winnow(8)
    for row, label in zip(X, y, strict=True):
        single.learn(row[None, :], [label])
    np.testing.assert_array_equal(single.weights, whole.weights)
    assert single.mistakes == whole.mistakes > 0
