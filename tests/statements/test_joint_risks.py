"""Risks of several scores at once: W as a matrix, one gradient for all samples."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as PeerLogistic

from infimum.losses import MultivariateSquared, ScaledMulticlassHinge, Softmax
from infimum.models.linear import RiskMinimizer
from infimum.penalties import Ridge

METRIC = ((2.0, -0.7), (-0.7, 1.5))


def numeric(value, W, step=1e-6):
    """Return central differences of a function of a matrix."""
    found = np.zeros_like(W)
    for place in np.ndindex(W.shape):
        move = np.zeros_like(W)
        move[place] = step
        found[place] = (value(W + move) - value(W - move)) / (2 * step)
    return found


@pytest.mark.syllabus("S0B-282")
def test_the_risk_of_several_targets_has_the_gradient_of_its_residuals(rng):
    X, Y = rng.standard_normal((40, 3)), rng.standard_normal((40, 2))
    M, W = np.array(METRIC), rng.standard_normal((3, 2))
    loss = MultivariateSquared(METRIC)
    scores = X @ W  # computed once, for values and gradient
    residuals = scores - Y
    values = 0.5 * np.einsum("ij,jk,ik->i", residuals, M, residuals)
    assert loss.value(Y, scores) == pytest.approx(values)
    gradient = X.T @ residuals @ M
    assert X.T @ loss.derivative(Y, scores) == pytest.approx(gradient)
    # Without a penalty the metric does not matter: the optimum is least squares.
    model = RiskMinimizer(loss, "none", fit_intercept=False, tol=1e-12).fit(X, Y)
    best = np.linalg.lstsq(X, Y, rcond=None)[0]
    assert pytest.approx(best, abs=1e-5) == model.coef_.T


@pytest.mark.syllabus("S0B-283")
def test_the_multiclass_hinge_is_the_structured_loss_of_stacked_features(rng):
    costs = ((0.0, 1.3, 0.4), (2.1, 0.0, 0.8), (0.7, 1.9, 0.0))
    scales = ((0.0, 1.7, 0.6), (0.9, 0.0, 1.2), (2.2, 0.5, 0.0))
    loss = ScaledMulticlassHinge(3, costs, scales)
    X, y = rng.standard_normal((25, 4)), rng.integers(0, 3, 25).astype(float)
    W = rng.standard_normal((4, 3))
    derivative = loss.derivative(y, X @ W)
    for x, label, value, row in zip(
        X, y.astype(int), loss.value(y, X @ W), derivative, strict=True
    ):
        # ⟨w, φ(x, y)⟩ with φ(x, y) = e_y ⊗ x is the score of y.
        joint = [np.kron(np.eye(3)[k], x) @ W.T.ravel() for k in range(3)]
        slacks = [
            scales[label][k] * (joint[k] - joint[label] + costs[label][k])
            for k in range(3)
        ]
        worst = int(np.argmax(slacks))
        assert value == pytest.approx(slacks[worst])
        expected = scales[label][worst] * (np.eye(3)[worst] - np.eye(3)[label])
        assert row == pytest.approx(expected)
        # In w the gradient is Γ(y, y*) (e_{y*} - e_y) ⊗ x.
        assert np.kron(row, x) == pytest.approx(np.kron(expected, x))


@pytest.mark.syllabus("S0B-285")
def test_the_softmax_gradient_is_probabilities_minus_indicators(rng):
    X, y = rng.standard_normal((60, 3)), rng.integers(0, 3, 60).astype(float)
    W, loss, rows = rng.standard_normal((3, 3)), Softmax(3), range(60)

    def risk(W):
        return loss.value(y, X @ W).mean()

    scores, labels = X @ W, y.astype(int)
    value = np.mean(np.log(np.exp(scores).sum(axis=1)) - scores[rows, labels])
    assert risk(W) == pytest.approx(value)
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    gradient = X.T @ (shares - np.eye(3)[labels]) / 60
    assert X.T @ loss.derivative(y, scores) / 60 == pytest.approx(gradient)
    assert numeric(risk, W) == pytest.approx(gradient, abs=1e-8)
    assert (gradient != 0).all()  # dense in the classes, unlike the hinge's
    model = RiskMinimizer(Softmax(3), Ridge(0.1), tol=1e-12).fit(X, y)
    peer = PeerLogistic(C=1 / (0.1 * 60), tol=1e-10, max_iter=1000).fit(X, y)
    assert model.coef_ == pytest.approx(peer.coef_, abs=1e-4)
