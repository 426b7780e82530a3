"""What the chapter on networks states of composition, gradients and minima."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError

from infimum.errors import DataError
from infimum.models.neural import (
    Dense,
    MLPClassifier,
    MLPRegressor,
    Network,
)
from infimum.persistence import load, save

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def _network(*sizes, activation="tanh", inputs=3, seed=0):
    layers = [Dense(size, activation) for size in sizes]
    network = Network([*layers, Dense(1)], (inputs,), np.float64)
    network.theta[...] = np.random.default_rng(seed).standard_normal(len(network.theta))
    return network


@pytest.mark.syllabus("S1-182", "S1-187")
def test_one_hidden_layer_is_a_weighted_sum_of_neurons():
    network = _network(4)
    (W, b), (w, c) = network.parameters
    b[...], c[...] = 0.0, 0.0
    X = np.random.default_rng(1).standard_normal((6, 3))
    matrix = np.tanh(X @ W) @ w
    loops = [
        sum(w[i, 0] * np.tanh(sum(W[j, i] * x[j] for j in range(3))) for i in range(4))
        for x in X
    ]
    assert np.allclose(network.scores(X)[:, 0], matrix[:, 0])
    assert np.allclose(network.scores(X)[:, 0], loops)


@pytest.mark.syllabus("S1-188")
def test_layers_without_an_activation_are_one_linear_map():
    network = _network(5, 4, activation="identity")
    X = np.random.default_rng(1).standard_normal((6, 3))
    (W1, b1), (W2, b2), (w, c) = network.parameters
    slope, level = W1 @ W2 @ w, (b1 @ W2 + b2) @ w + c
    assert np.allclose(network.scores(X), X @ slope + level)
    model = MLPRegressor(
        hidden_layer_sizes=(3,), activation="identity", solver="lbfgs", random_state=0
    ).fit(X, X[:, 0])
    middle = model.predict((X[:3] + X[3:]) / 2)
    assert np.allclose(middle, (model.predict(X[:3]) + model.predict(X[3:])) / 2)


@pytest.mark.syllabus("S1-189")
def test_a_deep_network_is_the_composition_of_its_layers():
    network = _network(5, 4)
    X = np.random.default_rng(1).standard_normal((6, 3))
    assert [own[0].shape for own in network.parameters] == [(3, 5), (5, 4), (4, 1)]
    (W1, b1), (W2, b2), (w, c) = network.parameters
    by_hand = np.tanh(np.tanh(X @ W1 + b1) @ W2 + b2) @ w + c
    assert np.allclose(network.scores(X), by_hand)


@pytest.mark.syllabus("S1-190", "S1-193")
def test_the_error_and_its_gradient_are_those_of_backpropagation():
    network = _network(4)
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((7, 3)), rng.standard_normal((7, 1))
    scores, tape = network.forward(X)
    rest = y - scores
    gradient = network.backward(-2.0 * rest, tape)
    (W, b), (w, _) = network.parameters
    hidden = np.tanh(X @ W + b)
    of_w = -2.0 * hidden.T @ rest
    of_W = -2.0 * X.T @ (rest * w.T * (1.0 - hidden**2))
    views = network.views(gradient)
    assert np.allclose(views[1][0], of_w)
    assert np.allclose(views[0][0], of_W)
    model = MLPRegressor(hidden_layer_sizes=(4,), alpha=0.0, max_iter=3, random_state=0)
    rest = y[:, 0] - model.fit(X, y[:, 0]).predict(X)
    # Half the mean where the text sums: 2 n times as much.
    assert 14.0 * model.evidence_.objective == pytest.approx(float((rest**2).sum()))


@pytest.mark.syllabus("S1-192")
def test_exchanged_units_are_as_good_and_other_starts_end_elsewhere():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    y = np.sin(3.0 * X[:, 0]) * X[:, 1]
    model = MLPRegressor(
        hidden_layer_sizes=(4,), solver="lbfgs", n_init=5, random_state=0, max_iter=400
    ).fit(X, y)
    assert np.ptp(model.start_losses_) > 1e-3
    before = model.predict(X)
    order = [2, 0, 3, 1]
    model.coefs_ = [model.coefs_[0][:, order], model.coefs_[1][order]]
    model.intercepts_[0] = model.intercepts_[0][order]
    assert np.allclose(model.predict(X), before)


def test_the_output_layer_has_a_proof_and_can_be_polished():
    X, y = load_digits(return_X_y=True)
    X, y = X[:300] / 16.0, y[:300]
    for model, target in (
        (MLPClassifier((10,), max_iter=30, alpha=0.1, random_state=0), y),
        (MLPClassifier((10,), max_iter=30, alpha=0.1, random_state=0), y > 4),
        (MLPRegressor("squared_error", (10,), alpha=0.1, max_iter=30, random_state=0),
         y / 10.0),
        (MLPRegressor("poisson", (10,), alpha=0.1, max_iter=30, random_state=0), y),
    ):  # fmt: skip
        model.fit(X, target)
        before = model.evidence_
        assert model.certify(X, target) == before
        assert not before.closed
        assert before.gradient_norm > 0
        after = model.polish(X, target).evidence_
        assert model.certify(X, target) == after
        assert after.closed
        assert after.objective <= before.objective
        bound = sum(proof.dual for proof in before.output_layers)
        reached = sum(proof.primal for proof in after.output_layers)
        assert bound <= reached + 1e-9


def test_no_attack_within_the_certified_radius_changes_an_answer():
    X, y = load_digits(return_X_y=True)
    X = X / 16.0
    model = MLPClassifier((16,), "tanh", alpha=3.0, max_iter=40, random_state=0)
    model.fit(X[:600], y[:600])
    radius, told = model.certified_radius(X[:200]), model.predict(X[:200])
    assert np.median(radius) > 0.01
    rng = np.random.default_rng(0)
    (W, b), (v, _) = zip(model.coefs_, model.intercepts_, strict=True)
    for attempt in range(6):  # 1,200 attacks
        step = rng.standard_normal((200, 64))
        if attempt > 1:  # against the winner, for another class
            slope = 1.0 - np.tanh(X[:200] @ W + b) ** 2
            other = (told + rng.integers(1, 10, 200)) % 10
            step = ((v[:, other] - v[:, told]).T * slope) @ W.T
        step *= 0.999 * (radius / np.linalg.norm(step, axis=1))[:, None]
        assert np.array_equal(model.predict(X[:200] + step), told)


def test_evidence_is_kept_with_the_model_and_asks_for_the_rows_of_the_fit(tmp_path):
    X, y = load_digits(return_X_y=True)
    X, y = X[:300] / 16.0, y[:300]
    weights = 1.0 + np.arange(300) % 3
    model = MLPClassifier((10,), max_iter=5, random_state=0).fit(X, y, weights)
    assert model.evidence_ == model.certify(X, y, weights)
    save(model, tmp_path / "net.infimum")
    again = load(tmp_path / "net.infimum")
    assert again.evidence_ == model.evidence_ == again.certify(X, y, weights)
    with pytest.raises(DataError, match="not those of fit"):
        model.certify(X[y < 5], y[y < 5])
    assert len(model.classes_) == 10
    single = MLPClassifier((10,), max_iter=5, random_state=0)
    told = single.fit(X.astype(np.float32), y, weights).evidence_
    assert told.gradient_norm == pytest.approx(model.evidence_.gradient_norm, rel=1e-3)
    assert model.partial_fit(X, y).evidence_ is None
    # Rows are read in the precision of the model.
    assert told == single.certify(X, y, weights)
    with pytest.raises(NotFittedError):
        MLPClassifier().certify(X, y)
