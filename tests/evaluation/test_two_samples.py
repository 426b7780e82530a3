"""Maximum mean discrepancy: its definition, its level and its power."""

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import maximum_mean_discrepancy, two_sample_test
from infimum.kernels import Gaussian, Linear


def draw(seed, n=40, shift=0.0, scale=1.0):
    return np.random.default_rng(seed).normal(shift, scale, size=(n, 2))


def test_the_statistic_is_the_unbiased_distance_of_means_in_feature_space():
    X, Y, kernel = draw(0, 9), draw(1, 7), Gaussian(0.8)
    within, across, beyond = kernel(X), kernel(X, Y), kernel(Y)
    expected = (within.sum() - 9) / 72 + (beyond.sum() - 7) / 42 - 2 * across.mean()
    assert maximum_mean_discrepancy(X, Y, kernel) == pytest.approx(expected)
    pairs = zip(X[:6:2], X[1:6:2], Y[:6:2], Y[1:6:2], strict=True)
    terms = [
        kernel([a], [b]) + kernel([c], [e]) - kernel([a], [e]) - kernel([b], [c])
        for a, b, c, e in pairs
    ]
    linear = maximum_mean_discrepancy(X, Y, kernel, method="linear")
    assert linear == pytest.approx(np.mean(terms))


def test_a_linear_kernel_sees_means_only_and_a_gaussian_one_spreads_too():
    X, Y = draw(0, 100), draw(1, 100, scale=3.0)
    rules = {"n_permutations": 200, "random_state": 0}
    assert two_sample_test(X, Y, Linear(), **rules).p_value > 0.05
    assert two_sample_test(X, Y, **rules).p_value == pytest.approx(1 / 201)


@pytest.mark.parametrize("method", ["quadratic", "linear"])
def test_equal_laws_are_rejected_no_more_often_than_promised(method):
    values = [
        two_sample_test(
            draw(seed, 30), draw(1000 + seed, 30), method=method, n_permutations=99,
            random_state=seed,
        ).p_value
        for seed in range(60)
    ]  # fmt: skip
    # P(p ≤ 0.1) ≤ 0.1; five standard deviations of the share of 60 tests above it
    assert np.mean(np.array(values) <= 0.1) < 0.1 + 5 * np.sqrt(0.09 / 60)
    assert min(values) >= 0.01


def test_the_linear_test_finds_a_shift_in_many_samples():
    found = two_sample_test(
        draw(0, 2000), draw(1, 2000, shift=0.5), method="linear", random_state=0
    )
    assert found.p_value < 0.01
    assert found.statistic > 0.0
    assert found == two_sample_test(
        draw(0, 2000), draw(1, 2000, shift=0.5), method="linear", random_state=0
    )


def test_bad_samples_get_one_sentence():
    with pytest.raises(DataError, match="same features"):
        two_sample_test(np.ones((3, 1)), np.ones((3, 2)))
    with pytest.raises(InvalidParameterError, match="method"):
        maximum_mean_discrepancy(draw(0), draw(1), method="cubic")
    same = np.ones((5, 2))
    assert two_sample_test(same, same, n_permutations=9).p_value == 1.0
