"""Descent by turns: the order of the turns, the errors, the constraints."""

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.models.neural import Sigmoid, Tanh
from infimum.study.networks import alternating_descent


def _problem(seed=0, n=12, d=3, units=4):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    return X, y, (rng.standard_normal(units), rng.standard_normal((units, d)))


def _error(X, y, w, W):
    return float(((y - np.tanh(X @ W.T) @ w) ** 2).sum())


def _slopes(X, y, w, W, h=1e-6):
    """Return the gradient of the error by central differences."""
    both = np.append(w, W.ravel())
    cut = len(w)

    def at(v):
        return _error(X, y, v[:cut], v[cut:].reshape(W.shape))

    found = [(at(both + h * e) - at(both - h * e)) / (2 * h) for e in np.eye(len(both))]
    return np.array(found[:cut]), np.array(found[cut:]).reshape(W.shape)


@pytest.mark.syllabus("S1-194")
def test_the_hidden_weights_move_from_the_new_output_weights():
    X, y, (w, W) = _problem()
    rate = 0.01
    found = alternating_descent(
        X, y, (w, W), activation=Tanh(), rate=rate, steps=1
    )  # fmt: skip
    new = w - rate * _slopes(X, y, w, W)[0]
    assert np.allclose(found.w, new, atol=1e-8)
    assert np.allclose(found.W, W - rate * _slopes(X, y, new, W)[1], atol=1e-8)
    at_once = W - rate * _slopes(X, y, w, W)[1]
    assert not np.allclose(found.W, at_once, atol=1e-4)
    assert found.errors[0] == pytest.approx(_error(X, y, w, W))
    assert found.errors[1] == pytest.approx(_error(X, y, found.w, found.W))


@pytest.mark.syllabus("S1-194")
@pytest.mark.parametrize("activation", [Tanh(), Sigmoid()], ids=repr)
def test_small_rates_let_the_error_fall_at_every_step(activation):
    X, y, start = _problem(1)
    found = alternating_descent(
        X, y, start, activation=activation, rate=1e-3, steps=300
    )
    assert (np.diff(found.errors) < 0).all()


@pytest.mark.syllabus("S1-191")
def test_projected_weights_keep_their_constraints():
    X, y, start = _problem(2)
    how = {"activation": Tanh(), "rate": 0.005}
    free = alternating_descent(X, 10.0 * y, start, steps=200, **how)
    assert np.trace(free.W.T @ free.W) > 1.0
    for steps in (0, 1, 2, 200):
        held = alternating_descent(X, 10.0 * y, start, steps=steps, radius=1.0, **how)
        assert held.w @ held.w <= 1.0 + 1e-12
        assert np.trace(held.W.T @ held.W) == pytest.approx(np.linalg.norm(held.W) ** 2)
        assert np.trace(held.W.T @ held.W) <= 1.0 + 1e-12
    assert held.errors[-1] < held.errors[0]
    wide = alternating_descent(X, 10.0 * y, start, steps=200, radius=1e6, **how)
    assert np.array_equal(wide.W, free.W)


def test_what_does_not_fit_is_one_sentence():
    X, y, (w, W) = _problem()
    with pytest.raises(DataError, match="do not fit X of shape"):
        alternating_descent(X, y, (w, W.T), activation=Tanh())
    with pytest.raises(InvalidParameterError, match="rate"):
        alternating_descent(X, y, (w, W), activation=Tanh(), rate=0.0)
