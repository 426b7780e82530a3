"""A row alone is learnt by a short way, which must be the long way in a hurry."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from infimum.errors import DataError
from infimum.losses import Probit
from infimum.models.online import (
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    SGDClassifier,
    SGDRegressor,
)

LABELS = ["hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron"]
NUMBERS = [
    "squared_error",
    "huber",
    "epsilon_insensitive",
    "squared_epsilon_insensitive",
]
SETTINGS = [
    {},
    {"penalty": None, "learning_rate": "constant", "eta0": 0.1},
    {"penalty": "l1", "learning_rate": "invscaling", "eta0": 0.1},
    {"average": 5, "fit_intercept": False, "learning_rate": "constant", "eta0": 0.01},
]
LEARNERS = [
    *[SGDClassifier(loss, **more) for loss in LABELS + NUMBERS for more in SETTINGS],
    *[SGDRegressor(loss, **more) for loss in NUMBERS for more in SETTINGS],
    SGDClassifier(Probit(), learning_rate="constant", eta0=0.1),
    Perceptron(margin=0.5),
    *[PassiveAggressiveClassifier(loss=loss) for loss in ("hinge", "squared_hinge")],
    *[PassiveAggressiveRegressor(loss=loss) for loss in NUMBERS[2:]],
]
SHOWN = ("coef_", "intercept_", "t_", "mistakes_", "incurred_")


def stream(learner, rng, n=60, d=6, classes=2):
    X = rng.normal(size=(n, d)) * (rng.uniform(size=(n, d)) < 0.6)
    score = X @ rng.normal(size=d) + 0.3 * rng.normal(size=n)
    if "Regressor" in type(learner).__name__:
        return X, score, {}
    cuts = [0.0] if classes == 2 else [-1.0, 1.0]
    return X, np.digitize(score, cuts), {"classes": list(range(classes))}


def as_dictionary(x):
    return {j: value for j, value in enumerate(x.tolist()) if value}


FORMS = {
    "array": np.asarray,
    "float32": lambda x: x.astype(np.float32),
    "sparse": lambda x: sparse.csr_array(x[None, :]),
    "flat": sparse.coo_array,
    "dictionary": as_dictionary,
    "list": list,
}


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_one_by_one_are_the_batch(learner, classes, rng):
    X, y, known = stream(learner, rng, classes=classes)
    batch, single = (type(learner)(**learner.get_params()) for _ in range(2))
    batch.partial_fit(X[:1], y[:1], **known).partial_fit(X[1:], y[1:])
    single.partial_fit(X[:1], y[:1], **known)
    for x, target in zip(X[1:], y[1:], strict=True):
        single.learn_one(x, target)
    for name in SHOWN:
        expected = getattr(batch, name)
        np.testing.assert_allclose(getattr(single, name), expected, 1e-9, 1e-11)
    np.testing.assert_array_equal(single.predict(X) == y, batch.predict(X) == y)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("learner", [SGDClassifier("log_loss"), SGDRegressor()])
def test_a_row_may_come_in_any_form(learner, form, rng):
    X, y, known = stream(learner, rng)
    X = X.astype(np.float32).astype(np.float64)
    plain, other = (type(learner)(**learner.get_params()) for _ in range(2))
    plain.partial_fit(X, y, **known)
    other.partial_fit(X[:1], y[:1], **known)
    for x, target in zip(X[1:], y[1:], strict=True):
        other.learn_one(FORMS[form](x), target)
    np.testing.assert_allclose(other.coef_, plain.coef_, 1e-5, 1e-6)
    assert other.t_ == plain.t_ == len(y) + 1


def test_features_with_names_are_told_by_them(rng):
    X, y, known = stream(Perceptron(), rng)
    names = list("abcdef")
    table = pd.DataFrame(X, columns=names)
    model = Perceptron().partial_fit(table[:10], y[:10], **known)
    for x, target in zip(X[10:], y[10:], strict=True):
        model.learn_one(dict(zip(names, x.tolist(), strict=True)), target)
    whole = Perceptron().partial_fit(table, y, **known)
    np.testing.assert_allclose(model.coef_, whole.coef_, 1e-12)
    with pytest.raises(DataError, match="names 'z', which is none of the features"):
        model.learn_one({"z": 1.0}, 1)


@pytest.mark.parametrize(
    ("x", "sentence"),
    [
        ([1.0, np.nan], "NaN"),
        ([1.0, np.inf], "infinity"),
        ([1.0], "features"),
        ({0: np.nan}, "missing or infinite"),
        ({2: 1.0}, "names 2"),
        ({0.5: 1.0}, "names 0.5"),
        (sparse.csr_array([[1.0, np.inf]]), "infinity"),
        ([1e200, 1e200], "diverged"),
    ],
)
def test_a_refused_row_leaves_the_learner_as_it_was(x, sentence):
    model = SGDClassifier("squared_error", learning_rate="constant", eta0=1.0)
    model.learn_one([1.0, 2.0], 0, classes=[0, 1]).learn_one(np.array([1.0, 0.5]), 1)
    before = pickle.dumps([getattr(model, name) for name in SHOWN])
    with pytest.raises(ValueError, match=sentence):
        model.learn_one(x, 1)
    assert pickle.dumps([getattr(model, name) for name in SHOWN]) == before
    with pytest.raises(DataError, match="knows the classes"):
        model.learn_one(np.array([1.0, 0.5]), 7)


def test_the_first_row_must_show_all_features():
    with pytest.raises(DataError, match="does not tell how many"):
        Perceptron().learn_one({0: 1.0}, 1, classes=[0, 1])


def test_other_calls_copies_and_settings_are_seen_by_the_next_row(rng):
    X, y, known = stream(SGDClassifier(), rng)
    model = SGDClassifier().partial_fit(X[:10], y[:10], **known).learn_one(X[10], y[10])
    copied = pickle.loads(pickle.dumps(model))
    model.partial_fit(X[11:20], y[11:20]).set_params(alpha=0.1).learn_one(X[20], y[20])
    long = SGDClassifier().partial_fit(X[:20], y[:20], **known).set_params(alpha=0.1)
    long.partial_fit(X[20:21], y[20:21])
    np.testing.assert_allclose(model.coef_, long.coef_, 1e-12)
    one, two = copied.learn_one(X[11], y[11]), SGDClassifier()
    two.partial_fit(X[:12], y[:12], **known)
    np.testing.assert_allclose(one.coef_, two.coef_, 1e-12)
