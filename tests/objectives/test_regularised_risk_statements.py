"""The regularised risk, stated: mean loss plus penalty, and its slopes."""

import numpy as np
import pytest

from infimum.data.designs import as_design
from infimum.losses import (
    Absolute,
    Hinge,
    Huber,
    Logistic,
    Poisson,
    Quantile,
    Squared,
    SquaredHinge,
)
from infimum.objectives import LinearRisk
from infimum.penalties import ElasticNet, Lasso, NoPenalty, Ridge
from infimum.study.convexity import numeric_gradient

SMOOTH = [Squared(), Huber(0.7), Logistic(), SquaredHinge(), Poisson()]
KINKED = [Absolute(), Hinge(), Quantile(0.3)]
PENALTIES = [NoPenalty(), Ridge(0.3), Lasso(0.2), ElasticNet(0.4, 0.5)]


def name(part):
    return type(part).__name__


@pytest.fixture
def table(rng):
    X = rng.normal(size=(15, 3))
    return X, np.where(X[:, 0] + rng.normal(size=15) > 0.0, 1.0, -1.0)


def targets(loss, y):
    return np.maximum(y, 0.0) if isinstance(loss, Poisson) else y


@pytest.mark.syllabus("S0A-216")
def test_the_empirical_risk_of_three_points_is_the_mean_of_their_losses():
    X, w, b = np.array([[1.0], [2.0], [-1.0]]), 2.0, -1.0  # scores 1, 3, -3
    point = np.array([w, b])
    cases = {
        # squared: ½(1-1)², ½(3-1)², ½(-3-1)²
        Squared(): ([1.0, 1.0, 1.0], (0.0 + 2.0 + 8.0) / 3),
        # absolute: |1-1|, |3-0|, |-3-1|
        Absolute(): ([1.0, 0.0, 1.0], (0.0 + 3.0 + 4.0) / 3),
        # hinge: max(0, 1-1), max(0, 1+3), max(0, 1-3)
        Hinge(): ([1.0, -1.0, -1.0], (0.0 + 4.0 + 0.0) / 3),
    }
    for loss, (y, expected) in cases.items():
        risk = LinearRisk(as_design(X), np.array(y), loss, NoPenalty())
        assert risk.value(point) == pytest.approx(expected, rel=1e-15)


@pytest.mark.syllabus("S0A-216")
@pytest.mark.parametrize("loss", [*SMOOTH, *KINKED], ids=name)
def test_the_empirical_risk_is_one_over_m_times_the_sum_of_losses(loss, table, rng):
    X, y = table
    y, point = targets(loss, y), rng.normal(size=4)
    total = 0.0
    for row, target in zip(X, y, strict=True):
        score = float(row @ point[:-1] + point[-1])
        total += float(loss.value(np.array([target]), np.array([score]))[0])
    risk = LinearRisk(as_design(X), y, loss, NoPenalty())
    assert risk.value(point) == pytest.approx(total / len(y), rel=1e-13)


@pytest.mark.syllabus("S0A-215")
@pytest.mark.parametrize("penalty", PENALTIES, ids=name)
@pytest.mark.parametrize("loss", [*SMOOTH, *KINKED], ids=name)
def test_the_regularised_risk_adds_the_penalty_of_the_weights(
    loss, penalty, table, rng
):
    X, y = table
    y, point = targets(loss, y), rng.normal(size=4)
    bare = LinearRisk(as_design(X), y, loss, NoPenalty()).value(point)
    whole = LinearRisk(as_design(X), y, loss, penalty).value(point)
    assert whole == pytest.approx(bare + penalty.value(point[:-1]), rel=1e-14)


@pytest.mark.syllabus("S0A-215")
@pytest.mark.parametrize("strength", [0.1, 1.0, 7.0])
def test_the_strength_multiplies_the_regulariser(strength, table, rng):
    X, y = table
    point = rng.normal(size=4)
    empirical = LinearRisk(as_design(X), y, Logistic(), NoPenalty()).value(point)
    risk = LinearRisk(as_design(X), y, Logistic(), Ridge(strength)).value(point)
    half_square = 0.5 * float(point[:-1] @ point[:-1])
    assert risk == pytest.approx(strength * half_square + empirical, rel=1e-14)


@pytest.mark.syllabus("S0A-215")
@pytest.mark.parametrize("loss", SMOOTH, ids=name)
def test_the_gradient_agrees_with_finite_differences(loss, table, rng):
    X, y = table
    y = targets(loss, y)
    risk = LinearRisk(as_design(X), y, loss, Ridge(0.3))
    for _ in range(3):
        point = rng.normal(size=4)
        gradient = risk.evaluate(point).gradient
        expected = numeric_gradient(risk.value, point)
        scale = 1.0 + abs(risk.value(point)) + np.max(np.abs(gradient))
        assert np.max(np.abs(gradient - expected)) <= 1e-8 * scale


@pytest.mark.syllabus("S0A-215")
@pytest.mark.parametrize("loss", KINKED, ids=name)
def test_where_the_loss_has_a_kink_the_slope_is_a_subgradient(loss, table, rng):
    X, y = table
    risk = LinearRisk(as_design(X), y, loss, Ridge(0.3))
    # At the origin every absolute and hinge loss of a label is off its kink; put the
    # scores of the first sample on it.
    kink = np.append(np.linalg.lstsq(X[:1], y[:1], rcond=None)[0], 0.0)
    for point in (kink, np.zeros(4), rng.normal(size=4)):
        slope, value = risk.evaluate(point).gradient, risk.value(point)
        for other in rng.normal(size=(30, 4)):
            below = value + slope @ (other - point)
            assert risk.value(other) >= below - 1e-13 * (1.0 + abs(below))
