"""Conditional exponential families and their MAP estimate, in the words of the text."""

from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as Reference

from infimum.distributions import Normal
from infimum.errors import DataError
from infimum.losses import Logistic
from infimum.models.linear import LogisticRegression
from infimum.study.convexity import LimitedMemoryBFGS, NewtonMethod
from infimum.study.probability import (
    ConditionalFamily,
    MAPObjective,
    signed_inputs,
    stacked_inputs,
)

COIN = ConditionalFamily(signed_inputs, (-1, 1))
DIE = ConditionalFamily(partial(stacked_inputs, classes=3), (0, 1, 2))


@pytest.fixture
def signs(rng):
    X = rng.normal(size=(60, 3))
    noise = rng.logistic(size=60)
    return X, np.where(X @ np.array([1.0, -2.0, 0.5]) + noise > 0, 1, -1)


@pytest.fixture
def classes(rng):
    X = rng.normal(size=(50, 2))
    scores = X @ rng.normal(size=(2, 3)) * 2 + rng.gumbel(size=(50, 3))
    return X, scores.argmax(axis=1)


def differences(function, point, step=1e-5):
    moves = np.eye(len(point)) * step
    ahead = [np.asarray(function(point + move)) for move in moves]
    behind = [np.asarray(function(point - move)) for move in moves]
    return (np.array(ahead) - np.array(behind)) / (2 * step)


@pytest.mark.syllabus("S0B-089")
def test_a_normal_prior_is_half_the_squared_norm(signs, rng):
    X, y = signs
    objective = MAPObjective(COIN, X, y)

    def negative_log_posterior(theta):
        prior = Normal(0.0, 1.0).log_likelihood(theta)
        logs = COIN.log_probabilities(theta, X)
        return -prior - logs[np.arange(len(y)), (y + 1) // 2].sum()

    points = rng.normal(size=(5, 3))
    offsets = [negative_log_posterior(t) - objective.value(t) for t in points]
    assert offsets == pytest.approx([1.5 * np.log(2 * np.pi)] * 5)  # a constant


@pytest.mark.syllabus("S0B-090")
@pytest.mark.parametrize("family", [COIN, DIE], ids=["coin", "die"])
def test_probabilities_come_from_a_joint_feature_map_and_sum_to_one(family, rng):
    X = rng.normal(size=(8, 2))
    maps = family.features(X)
    theta = rng.normal(size=maps.shape[2])
    shares = family.probabilities(theta, X)
    assert shares.sum(axis=1) == pytest.approx(1)
    for k, label in enumerate(family.labels):
        scores = family.feature_map(X, label) @ theta
        by_hand = np.exp(scores - family.log_partition(theta, X))
        assert shares[:, k] == pytest.approx(by_hand)


@pytest.mark.syllabus("S0B-091")
def test_the_log_partition_function_and_its_derivatives(rng):
    X = rng.normal(size=(4, 2))
    theta = rng.normal(size=6)
    direct = np.log(np.exp(DIE.features(X) @ theta).sum(axis=1))
    assert DIE.log_partition(theta, X) == pytest.approx(direct)
    slope = differences(lambda t: DIE.log_partition(t, X), theta).T
    assert DIE.expected_features(theta, X) == pytest.approx(slope, abs=1e-8)
    bend = differences(lambda t: DIE.expected_features(t, X), theta)
    covariance = DIE.feature_covariance(theta, X)
    assert covariance == pytest.approx(np.moveaxis(bend, 0, -1), abs=1e-8)
    # No overflow, where the plain formula has one.
    assert np.isfinite(DIE.log_partition(1e4 * theta, X)).all()


@pytest.mark.syllabus("S0B-092")
def test_every_method_finds_the_same_map_estimate(classes, rng):
    X, y = classes
    objective = MAPObjective(DIE, X, y)
    theta = rng.normal(size=6)
    slope = differences(objective.value, theta)
    assert objective.gradient(theta) == pytest.approx(slope, rel=1e-6, abs=1e-6)
    newton = NewtonMethod().minimize(objective, np.zeros(6))
    quasi = LimitedMemoryBFGS().minimize(objective, np.zeros(6))
    assert newton.value == pytest.approx(quasi.value, rel=1e-9)
    assert newton.point == pytest.approx(quasi.point, abs=1e-4)
    # It is the multinomial logistic regression without an intercept.
    model = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-8).fit(X, y)
    assert model.coef_.ravel() == pytest.approx(newton.point, abs=1e-6)


@pytest.mark.syllabus("S0B-093")
def test_the_prediction_is_the_most_probable_label(signs, rng):
    X, _ = signs
    theta = rng.normal(size=3)
    shares = COIN.probabilities(theta, X)
    labels = COIN.predict(theta, X)
    assert np.array_equal(labels, np.array([-1, 1])[shares.argmax(axis=1)])
    assert np.array_equal(labels, np.sign(X @ theta))
    assert COIN.predict(theta, np.zeros((1, 3))).tolist() == [-1]  # a tie: the first


@pytest.mark.syllabus("S0B-094")
def test_two_labels_give_logistic_regression(signs, rng):
    X, y = signs
    theta = rng.normal(size=3)
    difference = signed_inputs(X, 1) - signed_inputs(X, -1)
    assert difference == pytest.approx(X)
    shares = COIN.probabilities(theta, X)
    assert shares[:, 1] == pytest.approx(1 / (1 + np.exp(-X @ theta)))
    assert shares[:, 0] == pytest.approx(1 / (1 + np.exp(X @ theta)))
    assert np.log(shares[:, 1] / shares[:, 0]) == pytest.approx(X @ theta)
    best = NewtonMethod().minimize(MAPObjective(COIN, X, y), np.zeros(3)).point
    theirs = Reference(C=1.0, fit_intercept=False, tol=1e-10).fit(X, y)
    ours = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-8).fit(X, y)
    assert best == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert best == pytest.approx(ours.coef_[0], abs=1e-7)


@pytest.mark.syllabus("S0B-095")
def test_the_logistic_objective_is_stable_for_large_margins(signs, rng):
    X, y = signs
    objective = MAPObjective(COIN, X, y)
    for size in (1.0, 1e4):
        theta = size * rng.normal(size=3)
        losses = Logistic().value(y.astype(float), X @ theta)
        total = 0.5 * theta @ theta + losses.sum()
        assert objective.value(theta) == pytest.approx(total)
        assert np.isfinite(total)
    assert Logistic().value(np.ones(2), np.array([1e4, -1e4])).tolist() == [0.0, 1e4]


@pytest.mark.syllabus("S0B-096")
def test_the_logistic_gradient(signs, rng):
    X, y = signs
    objective, theta = MAPObjective(COIN, X, y), rng.normal(size=3)
    chance = COIN.probabilities(theta, X)[np.arange(len(y)), (y + 1) // 2]
    by_hand = theta + ((chance - 1) * y) @ X
    assert objective.gradient(theta) == pytest.approx(by_hand)
    slope = differences(objective.value, theta)
    assert objective.gradient(theta) == pytest.approx(slope, rel=1e-6, abs=1e-6)


@pytest.mark.syllabus("S0B-097")
def test_the_logistic_hessian_adds_to_the_identity_and_newton_needs_few_steps(
    signs, rng
):
    X, y = signs
    objective, theta = MAPObjective(COIN, X, y), rng.normal(size=3)
    p = COIN.probabilities(theta, X)[:, 1]
    hessian = objective.hessian(theta)
    assert hessian == pytest.approx(np.eye(3) + (X.T * (p * (1 - p))) @ X)
    assert np.linalg.eigvalsh(hessian).min() >= 1  # with a minus sign it would not be
    assert hessian == pytest.approx(differences(objective.gradient, theta), abs=1e-6)
    trace = NewtonMethod().minimize(objective, np.zeros(3))
    assert trace.iterations < 10
    assert np.linalg.norm(objective.gradient(trace.point)) < 1e-6


def test_a_label_that_is_none_is_named():
    with pytest.raises(DataError, match="7, which is none of the labels"):
        MAPObjective(COIN, [[1.0]], [7])
