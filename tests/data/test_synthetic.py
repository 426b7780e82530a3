"""Toy problems obey the law they state, within the error of their sample."""

import numpy as np
import pytest
from scipy.stats import norm

from infimum.data import (
    linear_regression,
    poisson_counts,
    sparse_regression,
    two_gaussians,
)
from infimum.errors import InvalidParameterError

MAKERS = [linear_regression, sparse_regression, two_gaussians, poisson_counts]


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_seed_gives_the_same_problem(make):
    first, again, other = (
        make(random_state=1),
        make(random_state=1),
        make(random_state=2),
    )
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.array_equal(first.X, other.X)


@pytest.mark.parametrize("make", MAKERS)
def test_a_generator_is_drawn_from(make):
    rng = np.random.default_rng(0)
    assert not np.array_equal(make(random_state=rng).X, make(random_state=rng).X)


@pytest.mark.syllabus("S1-005", "S1-008")
def test_least_squares_finds_the_coefficients_of_a_linear_regression():
    n, noise = 20_000, 0.5
    toy = linear_regression(
        n, coefficients=[2.0, -1.0], intercept=3.0, noise=noise, random_state=0
    )
    design = np.column_stack([toy.X, np.ones(n)])
    found = np.linalg.lstsq(design, toy.y, rcond=None)[0]
    # The estimate's standard deviation is noise/√n; five of them never happen.
    assert np.abs(found - [2.0, -1.0, 3.0]).max() < 5 * noise / np.sqrt(n)
    assert np.std(toy.y - design @ found) == pytest.approx(noise, rel=0.05)
    truth = toy.X @ toy.coefficients + toy.intercept
    assert toy.bayes_risk == noise**2
    assert np.mean((toy.y - truth) ** 2) == pytest.approx(noise**2, rel=0.05)


def test_without_noise_the_line_is_exact():
    toy = linear_regression(10, noise=0.0, random_state=0)
    np.testing.assert_allclose(toy.y, toy.X @ toy.coefficients)


def test_a_sparse_regression_has_as_many_relevant_features_as_said():
    toy = sparse_regression(50, 300, relevant=7, random_state=0)
    assert toy.X.shape == (50, 300)
    assert np.flatnonzero(toy.coefficients).tolist() == list(range(7))
    assert set(np.abs(toy.coefficients[:7])) == {1.0}


@pytest.mark.parametrize("prior", [0.5, 0.2])
def test_the_stated_rule_of_two_gaussians_has_the_stated_error(prior):
    n = 200_000
    toy = two_gaussians(n, prior=prior, random_state=0)
    wrong = np.mean((toy.X @ toy.coefficients + toy.intercept > 0) != (toy.y == 1))
    spread = np.sqrt(toy.bayes_risk * (1 - toy.bayes_risk) / n)
    assert abs(wrong - toy.bayes_risk) < 4 * spread
    tilted = toy.X @ (toy.coefficients + np.array([0.0, 2.0])) + toy.intercept > 0
    assert np.mean(tilted != (toy.y == 1)) > wrong


@pytest.mark.syllabus("S1-006")
def test_two_gaussians_of_equal_weight_have_the_error_of_half_their_distance():
    toy = two_gaussians(1_000_000, random_state=0)
    assert toy.bayes_risk == pytest.approx(norm.cdf(-1 / 0.6))
    assert toy.bayes_risk == pytest.approx(0.04779, abs=5e-6)
    # The Bayes rule is the sign of the first coordinate, and errs as often as stated.
    assert toy.coefficients[0] > 0
    assert toy.coefficients[1] == toy.intercept == 0
    wrong = np.mean((toy.X[:, 0] > 0) != (toy.y == 1))
    assert wrong == pytest.approx(toy.bayes_risk, abs=5e-4)


def test_the_log_odds_of_two_gaussians_are_those_of_their_densities():
    means, scale, prior = ((0.0, 1.0), (2.0, -1.0)), 0.8, 0.3
    toy = two_gaussians(50, means=means, scale=scale, prior=prior, random_state=0)
    low, high = (
        norm.logpdf(toy.X, mean, scale).sum(axis=1) for mean in np.array(means)
    )
    expected = high - low + np.log(prior / (1 - prior))
    np.testing.assert_allclose(toy.X @ toy.coefficients + toy.intercept, expected)


def test_poisson_counts_have_the_stated_mean_and_least_error():
    n = 200_000
    toy = poisson_counts(n, random_state=0)
    rate = np.exp(toy.X @ toy.coefficients + toy.intercept)
    spread = toy.y.std() / np.sqrt(n)
    assert abs(toy.y.mean() - toy.bayes_risk) < 5 * spread
    assert np.mean((toy.y - rate) ** 2) == pytest.approx(toy.bayes_risk, rel=0.03)
    assert toy.y.dtype.kind == "i"


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (linear_regression, {"noise": -1.0}),
        (linear_regression, {"n": 0}),
        (linear_regression, {"coefficients": []}),
        (linear_regression, {"coefficients": [np.inf]}),
        (sparse_regression, {"relevant": 300}),
        (sparse_regression, {"d": 0}),
        (two_gaussians, {"scale": 0.0}),
        (two_gaussians, {"prior": 1.0}),
        (two_gaussians, {"means": ([0.0], [0.0])}),
        (two_gaussians, {"means": ([0.0], [0.0, 1.0])}),
        (poisson_counts, {"n": 2.5}),
    ],
)
def test_parameters_outside_their_domain_are_refused(make, wrong):
    with pytest.raises(
        InvalidParameterError, match=f"{make.__name__}.{next(iter(wrong))}"
    ):
        make(**wrong)
