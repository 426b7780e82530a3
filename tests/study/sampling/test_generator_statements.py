"""Generators to study: congruential numbers and three ways to normal values."""

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import Exponential, Normal, Uniform
from infimum.study.sampling import (
    Congruential,
    box_muller,
    laplace_rejection,
    rational_normal_quantile,
)


@pytest.mark.syllabus("S0A-172")
def test_a_linear_congruential_generator_and_its_period():
    told = [12345, 3554416254, 2802067423, 3596950572]
    assert Congruential().integers(4, seed=0) == told
    assert Congruential().has_full_period()
    for modulus in (8, 9, 12, 16, 30):
        for multiplier in range(1, modulus):
            for increment in range(modulus):
                small = Congruential(multiplier, increment, modulus)
                visits_all = {small.period(seed) for seed in range(3)} == {modulus}
                assert small.has_full_period() == visits_all
    z = Congruential().uniforms(5000, seed=1)
    assert stats.kstest(z, "uniform").pvalue > 1e-3


@pytest.mark.syllabus("S0A-178", "S0A-207")
def test_the_transform_of_box_and_muller():
    pairs = box_muller(20_000, random_state=0)
    for column in pairs.T:
        assert stats.kstest(column, Normal().cdf).pvalue > 1e-3
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 4 / np.sqrt(20_000)
    squares = (pairs**2).sum(axis=1)
    assert stats.kstest(squares, Exponential(0.5).cdf).pvalue > 1e-3  # χ² of 2 degrees
    angles = np.arctan2(pairs[:, 1], pairs[:, 0])
    assert stats.kstest(angles, Uniform(-np.pi, np.pi).cdf).pvalue > 1e-3
    radii = np.sort(np.sqrt(squares))
    told = 1 - np.exp(-(radii**2) / 2)  # the integral of r·exp(-r²/2)
    assert np.abs(told - np.arange(20_000) / 20_000).max() < 0.015


@pytest.mark.syllabus("S0A-212")
def test_three_ways_to_normal_values():
    alpha = np.linspace(1e-6, 0.5, 5001)
    wrong = np.abs(rational_normal_quantile(alpha) - Normal().quantile(alpha))
    assert 0.002 < wrong.max() < 3e-3
    assert rational_normal_quantile(1 - alpha[:-1]) == pytest.approx(
        -rational_normal_quantile(alpha[:-1])
    )
    z = np.random.default_rng(0).uniform(size=1000)
    ways = (
        box_muller(500, 0).ravel(),
        rational_normal_quantile(z),
        laplace_rejection(1000, 0).values,
    )
    for draws in ways:
        assert len(draws) == 1000
        assert stats.kstest(draws, Normal().cdf).pvalue > 1e-3
