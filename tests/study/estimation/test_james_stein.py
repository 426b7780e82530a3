"""Shrinking beats the unbiased estimate from three dimensions on."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from infimum.errors import InvalidParameterError
from infimum.models.linear import LinearRegression
from infimum.study.estimation import JamesSteinRegressor, james_stein

REPETITIONS = 40_000


def mean_and_error(losses):
    return losses.mean(), losses.std() / np.sqrt(len(losses))


@pytest.mark.parametrize("positive_part", [True, False])
def test_scikit_learn_contract(positive_part):
    estimator = JamesSteinRegressor(positive_part=positive_part)
    results = check_estimator(estimator, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 40


@pytest.mark.syllabus("S4A-071")
@pytest.mark.parametrize("d", [3, 10])
@pytest.mark.parametrize("distance", [0.0, 1.0, 3.0])
def test_james_stein_beats_the_observation_wherever_the_mean_is(d, distance, rng):
    theta = np.full(d, distance / np.sqrt(d))
    x = theta + rng.standard_normal((REPETITIONS, d))
    plain = np.square(x - theta).sum(axis=1)
    shrunken = np.square(james_stein(x) - theta).sum(axis=1)
    gain, error = mean_and_error(plain - shrunken)
    assert gain > 4 * error  # the risks differ by more than chance
    risk, error = mean_and_error(plain)
    assert risk == pytest.approx(d, abs=4 * error)
    if distance == 0:
        risk, error = mean_and_error(shrunken)
        assert risk == pytest.approx(2, abs=4 * error)


@pytest.mark.syllabus("S4A-071")
def test_the_formula_and_the_dimensions_in_which_nothing_changes(rng):
    x = rng.standard_normal(7)
    assert james_stein(x) == pytest.approx((1 - 5 / (x @ x)) * x)
    for d in (1, 2):
        assert np.array_equal(james_stein(x[:d]), x[:d])
    assert james_stein(2 * x, variance=4) == pytest.approx(2 * james_stein(x))
    assert np.array_equal(james_stein(np.zeros(5)), np.zeros(5))


def test_the_positive_part_does_not_overshoot_and_is_better_still(rng):
    x = rng.standard_normal((REPETITIONS, 5))
    plain = np.square(james_stein(x)).sum(axis=1)
    bounded = np.square(james_stein(x, positive_part=True)).sum(axis=1)
    assert (bounded <= plain).all()
    assert bounded.mean() < plain.mean()
    with pytest.raises(InvalidParameterError, match="variance"):
        james_stein([1.0], variance=0)


def test_shrunken_least_squares_predicts_better_in_expectation(rng):
    X = rng.standard_normal((40, 8))
    X -= X.mean(axis=0)
    truth = 0.3 * X @ rng.standard_normal(8)
    gains = []
    for _ in range(100):
        y = truth + 2 * rng.standard_normal(40)
        fits = LinearRegression().fit(X, y), JamesSteinRegressor().fit(X, y)
        plain, shrunken = (np.square(m.predict(X) - truth).mean() for m in fits)
        gains.append(plain - shrunken)
    gain, error = mean_and_error(np.array(gains))
    assert gain > 4 * error


def test_the_factor_is_the_one_in_the_formula(rng):
    X, y = rng.standard_normal((30, 4)), rng.standard_normal(30)
    plain = LinearRegression(fit_intercept=False).fit(X, y)
    model = JamesSteinRegressor(fit_intercept=False, positive_part=False).fit(X, y)
    fitted = plain.predict(X)
    ratio = np.square(y - fitted).sum() / np.square(fitted).sum()
    assert model.shrinkage_ == pytest.approx(1 - 2 / (30 - 4 + 2) * ratio)
    assert model.coef_ == pytest.approx(model.shrinkage_ * plain.coef_)
