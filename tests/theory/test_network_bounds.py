"""Bounds by the norms of layers: by hand, smaller with more rows, told as vacuous."""

from math import log, sqrt

import numpy as np
import pytest

from infimum.errors import IncompatibleError
from infimum.models.neural import MLPClassifier
from infimum.theory import network_guarantee, rademacher_guarantee


def network(n=200, **how):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 2))
    y = np.where(X[:, 0] > 0, "right", "left")
    how = {"alpha": 1.0, "max_iter": 30, "random_state": 0, "solver": "lbfgs", **how}
    return MLPClassifier((3, 2), **how).fit(X, y), X, y


@pytest.mark.filterwarnings("ignore")
def test_the_bound_is_that_of_a_network_without_biases_on_longer_rows():
    model, X, y = network()
    layers = []
    for place, (W, b) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
        whole = np.vstack([W, b])
        if place < 2:  # the constant is handed on
            whole = np.hstack([whole, np.eye(len(whole))[:, -1:]])
        layers.append(whole)
    h = np.column_stack([X, np.ones(len(X))])
    lengths, norm = np.sum(h**2, axis=1), sqrt(2 * log(2) * 3) + 1
    for place, whole in enumerate(layers):
        h = h @ whole if place == 2 else np.maximum(h @ whole, 0.0)
        norm *= np.linalg.norm(whole)
    shares = 1.0 / (1.0 + np.exp(-h[:, 0]))
    assert shares == pytest.approx(model.predict_proba(X)[:, 1], abs=1e-9)
    signs = np.where(y == "right", 1.0, -1.0)
    by_hand = rademacher_guarantee(signs * h[:, 0], norm, lengths)
    found = network_guarantee(model, X, y)
    assert found.bound == pytest.approx(by_hand.bound, rel=1e-9)
    assert found.vacuous
    assert "vacuous" in found.sentence


@pytest.mark.filterwarnings("ignore")
def test_the_capacity_falls_with_rows():
    model, X, y = network()
    many, labels = np.tile(X, (400, 1)), np.tile(y, 400)
    few, more = network_guarantee(model, X, y), network_guarantee(model, many, labels)
    assert more.estimate == few.estimate
    assert more.bound < few.bound
    assert more.slack == pytest.approx(few.slack / 20.0)
    doubtful = network_guarantee(model, X, y, 0.999, comparisons=10)
    assert doubtful.bound > few.bound


@pytest.mark.filterwarnings("ignore")
def test_other_networks_are_refused_in_a_sentence():
    model, X, y = network(activation="tanh", max_iter=2)
    with pytest.raises(IncompatibleError, match="relu"):
        network_guarantee(model, X, y)
    three = MLPClassifier((2,), max_iter=2).fit(X[:9], np.arange(9) % 3)
    with pytest.raises(IncompatibleError, match="two classes"):
        network_guarantee(three, X[:9], np.arange(9) % 3)
