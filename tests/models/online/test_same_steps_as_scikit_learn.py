"""Without shuffling, every step is scikit-learn's step."""

import warnings

import numpy as np
import pytest
from sklearn import linear_model as theirs

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.losses import Hinge, Huber, Logistic
from infimum.models import online as ours

PENALTIES = [None, "l2", "l1", "elasticnet"]
CASES = [
    *[("Perceptron", {"penalty": p, "alpha": 0.01}) for p in PENALTIES],
    ("Perceptron", {"class_weight": "balanced", "fit_intercept": False}),
    *[
        ("PassiveAggressiveClassifier", {"loss": loss, "C": 0.3, "average": mean})
        for loss in ("hinge", "squared_hinge")
        for mean in (False, True)
    ],
    ("PassiveAggressiveRegressor", {"C": 0.3}),
    ("PassiveAggressiveRegressor", {"loss": "squared_epsilon_insensitive"}),
    *[
        ("SGDClassifier", {"loss": loss, "learning_rate": "constant"})
        for loss in (
            "hinge",
            "log_loss",
            "modified_huber",
            "squared_hinge",
            "perceptron",
            "squared_error",
            "huber",
            "epsilon_insensitive",
            "squared_epsilon_insensitive",
        )
    ],
    *[("SGDClassifier", {"loss": "log_loss", "penalty": p}) for p in PENALTIES],
    *[("SGDClassifier", {"loss": "log_loss", "average": m}) for m in (True, 50)],
    ("SGDClassifier", {"learning_rate": "pa1", "penalty": None, "eta0": 0.2}),
    ("SGDClassifier", {"learning_rate": "pa2", "penalty": None, "eta0": 0.2}),
    ("SGDRegressor", {"learning_rate": "invscaling"}),
    ("SGDRegressor", {"loss": "huber", "learning_rate": "adaptive"}),
    ("SGDRegressor", {"learning_rate": "constant", "average": True}),
]


def table(rng, n=120, d=6):
    X = rng.normal(size=(n, d))
    score = X @ rng.normal(size=d) + 0.5 * rng.normal(size=n)
    return X, score, np.array(["a", "b", "c"])[np.digitize(score, [-1.0, 1.0])]


@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_the_same_rows_in_the_same_order_give_the_same_weights(name, settings, rng):
    X, score, labels = table(rng)
    y = score if name.endswith("Regressor") else labels
    if "class_weight" in settings:  # theirs weighs only the one, not the rest
        y = np.where(labels == "a", "a", "b")
    settings = {"shuffle": False, "tol": None, "max_iter": 3, **settings}
    if settings.get("loss") == "log_loss":
        settings["alpha"] = 0.01  # shorter steps: the first ones amplify rounding
    mine = getattr(ours, name)(**settings).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        other = getattr(theirs, name)(**settings).fit(X, y)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=1e-9, atol=1e-10)
    assert mine.n_iter_ == other.n_iter_


@pytest.mark.parametrize("loss", ["log_loss", "modified_huber"])
@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_are_scikit_learns(loss, classes, rng):
    X, score, labels = table(rng)
    y = labels if classes == 3 else score > 0
    settings = {"shuffle": False, "tol": None, "max_iter": 3, "alpha": 0.1}
    mine = ours.SGDClassifier(loss, **settings).fit(X, y).predict_proba(X)
    other = theirs.SGDClassifier(loss, **settings).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(mine, other, atol=1e-10)


def test_only_losses_that_know_probabilities_offer_them():
    assert not hasattr(ours.SGDClassifier("hinge"), "predict_proba")
    assert hasattr(ours.SGDClassifier("log_loss"), "predict_log_proba")


def test_a_loss_of_the_losses_room_is_taken_as_it_is(rng):
    X, score, labels = table(rng)
    pairs = [
        (ours.SGDClassifier, Logistic(), "log_loss", labels),
        (ours.SGDRegressor, Huber(0.1), "huber", score),
    ]
    for kind, part, name, y in pairs:
        first, second = (kind(loss, random_state=0).fit(X, y) for loss in (part, name))
        np.testing.assert_array_equal(first.coef_, second.coef_)


def test_early_stopping_puts_rows_aside_and_stops(rng):
    X, score, labels = table(rng, n=400)
    for kind, y in ((ours.SGDClassifier, labels), (ours.SGDRegressor, score)):
        model = kind(early_stopping=True, random_state=0).fit(X, y)
        assert 5 < model.n_iter_ < 200
        assert model.t_ < 400 * model.n_iter_
        assert model.score(X, y) > 0.6


def test_what_cannot_be_done_is_said_in_one_sentence(rng):
    X, score, labels = table(rng)
    with pytest.raises(IncompatibleError, match="proximal"):
        ours.SGDClassifier("modified_huber", learning_rate="pa1", penalty=None).fit(
            X, labels
        )
    with pytest.raises(IncompatibleError, match="without a penalty"):
        ours.SGDClassifier("hinge", learning_rate="pa1").fit(X, labels)
    with pytest.raises(InvalidParameterError, match="target"):
        ours.SGDRegressor(Hinge()).fit(X, score)
    with pytest.raises(InvalidParameterError, match="balanced"):
        ours.Perceptron(class_weight="balanced").partial_fit(X, labels, list("abc"))
    with pytest.raises(DataError, match="all classes"):
        ours.Perceptron().partial_fit(X, labels)
    with pytest.raises(DataError, match="diverged"):
        ours.SGDRegressor(learning_rate="constant", eta0=1e300).fit(X * 1e9, score)
