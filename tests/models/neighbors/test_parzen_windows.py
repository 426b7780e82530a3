"""Parzen windows: means and votes that fade with distance."""

import numpy as np
import pytest

from infimum.kernels.windows import Gaussian
from infimum.models.neighbors import (
    KNeighborsClassifier,
    ParzenWindowClassifier,
    ParzenWindowRegressor,
    RadiusNeighborsRegressor,
)

draw = np.random.default_rng(0)
X = np.sort(draw.uniform(0, 6, 150))[:, None]
Y = np.sin(X[:, 0]) + 0.3 * draw.standard_normal(150)
GRID = np.linspace(0.2, 5.8, 40)[:, None]


@pytest.mark.syllabus("S1-019", "S0A-131")
def test_the_windowed_mean_follows_a_noisy_sine_and_is_the_formula():
    answer = ParzenWindowRegressor("gaussian", 0.3).fit(X, Y).predict(GRID)
    window = Gaussian()((GRID - X.T) / 0.3)
    np.testing.assert_allclose(answer, window @ Y / window.sum(axis=1), rtol=1e-12)
    assert np.mean((answer - np.sin(GRID[:, 0])) ** 2) < 0.3**2


def test_a_uniform_window_is_the_mean_within_a_radius():
    answer = ParzenWindowRegressor("uniform", 0.4).fit(X, Y).predict(GRID)
    peer = RadiusNeighborsRegressor(0.4).fit(X, Y)
    np.testing.assert_allclose(answer, peer.predict(GRID))


def test_where_no_window_reaches_the_nearest_sample_answers():
    model = ParzenWindowRegressor("epanechnikov", 0.1).fit(X, Y)
    np.testing.assert_allclose(model.predict([[99.0], [-99.0]]), Y[[-1, 0]])


@pytest.mark.syllabus("S0A-129", "S0A-130")
def test_votes_are_posteriors_and_their_sign_the_class():
    y = np.where(Y > 0.2, 1, -1)
    model = ParzenWindowClassifier("gaussian", 0.3).fit(X, y)
    posterior = model.predict_proba(GRID)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    score = ParzenWindowRegressor("gaussian", 0.3).fit(X, y).predict(GRID)
    np.testing.assert_array_equal(np.sign(score), model.predict(GRID))
    np.testing.assert_allclose(score, posterior[:, 1] - posterior[:, 0], atol=1e-12)
    narrow = ParzenWindowClassifier("gaussian", 1e-3).fit(X, y)
    nearest = KNeighborsClassifier(1).fit(X, y)
    np.testing.assert_array_equal(narrow.predict(GRID), nearest.predict(GRID))


def test_local_widths_are_half_the_mean_distance_to_the_nearest_others():
    model = ParzenWindowRegressor(width="local").fit(X, Y)
    far = np.sort(np.abs(X - X.T), axis=1)[:, 1:10]
    np.testing.assert_allclose(model.widths_, 0.5 * far.mean(axis=1))
    bumps = Gaussian()((GRID - X.T) / model.widths_) / model.widths_
    np.testing.assert_allclose(
        model.predict(GRID), bumps @ Y / bumps.sum(axis=1), rtol=1e-9
    )


def test_what_cannot_be_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="window must be a window or one of box"):
        ParzenWindowRegressor("round").fit(X, Y)
    with pytest.raises(ValueError, match="are copies of it"):
        ParzenWindowRegressor(width="local").fit(np.zeros((20, 1)), np.arange(20.0))
