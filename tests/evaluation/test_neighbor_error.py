"""The error of nearest neighbours, and the number of them that makes it least."""

import numpy as np
import pytest

from infimum.evaluation import bias_variance
from infimum.models.neighbors import KNeighborsRegressor

GRID = np.linspace(0, 1, 60)[:, None]
POINTS = np.linspace(0.1, 0.9, 9)[:, None]


def truth(X):
    return np.sin(4 * np.asarray(X)[:, 0])


def closed_form(k, noise, X=GRID, points=POINTS):
    """Return σ² + (f(x) - average of f over the K nearest)² + σ²/K at each point."""
    nearest = np.argsort(np.abs(points - X.T), axis=1, kind="stable")[:, :k]
    bias = truth(points) - truth(X)[nearest].mean(axis=1)
    return noise**2 + bias**2 + noise**2 / k


def noisy_draws(rng, noise, n):
    for _ in range(n):
        yield GRID, truth(GRID) + noise * rng.standard_normal(len(GRID))


@pytest.mark.syllabus("S1-025")
def test_the_expected_error_is_the_criterion_that_ranks_the_numbers_of_neighbors(rng):
    noise, measured, expected = 0.5, [], []
    for k in (1, 7, 40):
        parts = bias_variance(
            KNeighborsRegressor(k), noisy_draws(rng, noise, 400), POINTS, truth, noise
        )
        # The average over x of the error at x is the criterion for K.
        measured.append(parts.error.mean())
        expected.append(closed_form(k, noise).mean())
    np.testing.assert_allclose(measured, expected, rtol=0.03)
    assert np.argmin(measured) == 1


@pytest.mark.syllabus("S1-030")
def test_bias_grows_variance_falls_and_noise_asks_for_more_neighbors(rng):
    numbers, noise = (1, 3, 7, 15, 30, 50), 0.5
    parts = [
        bias_variance(
            KNeighborsRegressor(k), noisy_draws(rng, noise, 150), POINTS, truth, noise
        )
        for k in numbers
    ]
    variances = [each.variance.mean() for each in parts]
    assert variances == sorted(variances, reverse=True)
    biases = [each.squared_bias.mean() for each in parts]
    assert biases[-1] > 3 * biases[-2] > 10 * max(biases[:-2])
    errors = [each.error.mean() for each in parts]
    best = int(np.argmin(errors))
    assert 0 < best < len(numbers) - 1  # the curve is a U
    assert errors[:best] == sorted(errors[:best], reverse=True)
    assert errors[best:] == sorted(errors[best:])
    # Noisy data asks for more bias.
    choices = [
        min(range(1, 61), key=lambda k: closed_form(k, sigma).mean())
        for sigma in (0.1, 0.5, 2.0)
    ]
    assert choices[0] < choices[1] < choices[2]
    # More data lets the bias shrink: the share of rows that are neighbours falls.
    dense = np.linspace(0, 1, 600)[:, None]
    few = choices[1] / 60
    many = min(range(1, 200), key=lambda k: closed_form(k, 0.5, dense).mean()) / 600
    assert many < few
