"""Limit theorems and characteristic functions, as the text states them."""

import math

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import Discrete, Exponential, Gamma, Normal, Sum, Uniform
from infimum.distributions.limits import (
    characteristic_of_mean,
    characteristic_of_standardised_sum,
    delta_method,
    density_from_characteristic,
    empirical_characteristic,
    empirical_frequencies,
    fourier_transform,
    inverse_fourier_transform,
    moments_from_characteristic,
    normal_distance,
    running_means,
    standardised_sums,
)
from infimum.errors import DataError

DIE = Discrete.uniform(range(1, 7))
WIDE = np.linspace(-14, 14, 4001)


@pytest.mark.syllabus("S0A-078")
def test_frequencies_of_a_simulated_die():
    sizes = (10, 20, 50, 100, 200, 500)
    errors = np.zeros(len(sizes))
    for seed in range(60):
        found = empirical_frequencies(DIE, sizes, seed)
        errors += [np.abs(found[size] - 1 / 6).sum() for size in sizes]
    assert (np.diff(errors) < 0).all()
    assert Discrete((0.0, 1.0), (5 / 6, 1 / 6)).density([0])[0] ** 20 == pytest.approx(
        0.02608, abs=1e-5
    )


@pytest.mark.syllabus("S0A-079")
def test_running_means_settle():
    found = running_means(DIE, 20_000, 20, random_state=0)
    assert np.abs(found.means[:, -1] - 3.5).max() < 0.06
    assert (found.settled(0.1) < 20_000).all()
    one = found.means[0]
    start = found.settled(0.1)[0]
    assert (np.abs(one[start - 1 :] - 3.5) <= 0.1).all()
    # Probabilities and variances are means, too.
    drawn = DIE.sample(50_000, random_state=1)
    assert np.mean(drawn >= 5) == pytest.approx(1 / 3, abs=0.01)
    assert np.mean((drawn - 3.5) ** 2) == pytest.approx(35 / 12, abs=0.05)


@pytest.mark.syllabus("S0A-080")
def test_two_thirds_of_running_means_lie_in_the_envelope():
    found = running_means(DIE, 400, 4000, random_state=0)
    assert found.inside[399] == pytest.approx(0.683, abs=0.03)
    assert found.envelope[1, 99] == pytest.approx(3.5 + np.sqrt(35 / 12 / 100))
    assert running_means(DIE, 50, 3, random_state=0).plot().data


@pytest.mark.syllabus("S0A-081")
def test_sums_of_unlike_variables_become_normal():
    unlike = [Exponential(1.0), Uniform(-3, 1), Gamma(2.0, 0.4)]
    few = stats.kstest(standardised_sums(unlike, 20_000, 0), "norm").statistic
    many = stats.kstest(standardised_sums(unlike * 20, 20_000, 0), "norm").statistic
    assert many < 0.5 * few
    assert normal_distance(unlike * 6) < normal_distance(unlike)
    with pytest.raises(DataError, match="finite means"):
        standardised_sums([Discrete((1.0,), (1.0,))], 5)


@pytest.mark.syllabus("S0A-082")
def test_the_mean_of_many_casts():
    for m in (25, 100):
        found = running_means(DIE, m, 20_000, random_state=0).means[:, -1]
        assert found.std() == pytest.approx(1.708 / np.sqrt(m), rel=0.02)


@pytest.mark.syllabus("S0A-083")
def test_sums_of_uniform_variables():
    half = Uniform(-0.5, 0.5)
    distances = [normal_distance([half] * m) for m in (1, 2, 4, 8, 16)]
    assert (np.diff(distances) < 0).all()
    # The exact density of a sum of four, by the formula of Irwin and Hall.
    y = np.linspace(-1.9, 1.9, 39)
    x = y + 2
    told = sum(
        (-1) ** k * math.comb(4, k) * np.maximum(x - k, 0) ** 3 for k in range(5)
    ) / math.factorial(3)
    assert Sum((half,) * 4).density(y) == pytest.approx(told, abs=1e-6)


@pytest.mark.syllabus("S0A-084")
def test_a_continuous_function_of_converging_variables():
    rng = np.random.default_rng(0)
    for m, tolerance in ((100, 0.4), (10_000, 0.04)):
        x = DIE.sample(m * 200, rng).reshape(200, m).mean(axis=1)  # tends to 3.5
        y = standardised_sums([DIE] * 30, 200, rng)
        assert np.abs(np.exp(x / 3.5) - np.e).max() < tolerance * 2
        assert np.abs(y * x - y * 3.5).max() < tolerance * 4


@pytest.mark.syllabus("S0A-085")
def test_the_delta_method():
    law, m = Exponential(0.5), 400
    told = delta_method(np.log, [2.0], [[law.variance / m]])
    means = law.sample(m * 20_000, 0).reshape(20_000, m).mean(axis=1)
    assert np.log(means).var() == pytest.approx(told.covariance[0, 0], rel=0.05)
    assert told.mean == pytest.approx([np.log(2)])
    both = delta_method(
        lambda v: np.array([v[0] * v[1], v[0] / v[1]]), [2.0, 4.0], np.diag([0.1, 0.2])
    )
    J = np.array([[4.0, 2.0], [0.25, -2 / 16]])
    assert both.covariance == pytest.approx(J @ np.diag([0.1, 0.2]) @ J.T)


@pytest.mark.syllabus("S0A-086")
def test_the_unitary_fourier_pair():
    def bell(x):
        return np.exp(-(x**2) / 2)

    w = np.linspace(-3, 3, 13)
    assert fourier_transform(bell, w, WIDE) == pytest.approx(bell(w), abs=1e-12)

    def other(x):
        return (1 + x) * np.exp(-((x - 0.5) ** 2))

    there = lambda v: fourier_transform(other, v, WIDE)  # noqa: E731
    back = inverse_fourier_transform(there, w, WIDE)
    assert back == pytest.approx(other(w), abs=1e-10)
    step = WIDE[1] - WIDE[0]
    folded = np.convolve(bell(WIDE), other(WIDE), mode="same") * step
    left = fourier_transform(lambda _: folded, w, WIDE)
    right = np.sqrt(2 * np.pi) * bell(w) * there(w)
    assert left == pytest.approx(right, abs=1e-8)


@pytest.mark.syllabus("S0A-087")
def test_characteristic_functions_and_their_inversion():
    w = np.linspace(-4, 4, 17)
    assert Normal().characteristic(w) == pytest.approx(np.exp(-(w**2) / 2))
    safe = np.where(w == 0, 1e-12, w)
    told = np.sin(safe / 2) / (safe / 2)
    assert Uniform(-0.5, 0.5).characteristic(w) == pytest.approx(told)
    law = Gamma(4.0, 0.5)
    y = np.linspace(0.2, 6, 20)
    found = density_from_characteristic(law.characteristic, y)
    assert found == pytest.approx(law.density(y), abs=1e-4)
    drawn = law.sample(20_000, random_state=0)
    far = np.abs(empirical_characteristic(drawn, w) - law.characteristic(w))
    assert far.max() < 4 / np.sqrt(20_000)


@pytest.mark.syllabus("S0A-088")
def test_a_sum_is_a_convolution_and_a_product():
    two = Sum((DIE, DIE))
    faces = np.full(6, 1 / 6)
    values = np.arange(2, 13)
    assert two.density(values) == pytest.approx(np.convolve(faces, faces))
    w = np.linspace(-2, 2, 9)
    assert two.characteristic(w) == pytest.approx(DIE.characteristic(w) ** 2)
    by_table = np.exp(1j * np.outer(w, values)) @ two.density(values)
    assert two.characteristic(w) == pytest.approx(by_table)
    both = Sum((Exponential(1.0), Exponential(1.0)))
    y = np.linspace(0.5, 8, 16)
    assert both.density(y) == pytest.approx(Gamma(2.0).density(y), abs=1e-5)


@pytest.mark.syllabus("S0A-089", "S0A-189")
def test_the_law_of_large_numbers_by_characteristic_functions():
    w = np.linspace(-3, 3, 13)
    for law in (DIE, Exponential(0.7)):
        limit = np.exp(1j * w * law.mean)
        errors = [
            np.abs(characteristic_of_mean(law, m, w) - limit).max()
            for m in (10, 100, 1000, 10_000)
        ]
        # The first term left out is ω²σ²/(2m): ten times the size, a tenth of it.
        assert errors[2] / errors[3] == pytest.approx(10, rel=0.05)
        assert errors[3] == pytest.approx(9 * law.variance / 2e4, rel=0.05)


@pytest.mark.syllabus("S0A-090")
def test_the_central_limit_theorem_by_characteristic_functions():
    w = np.linspace(-3, 3, 13)
    errors = [
        np.abs(
            characteristic_of_standardised_sum(DIE, m, w) - np.exp(-(w**2) / 2)
        ).max()
        for m in (1, 4, 16, 64)
    ]
    assert (np.diff(errors) < 0).all()
    assert errors[-1] < 2e-3


@pytest.mark.syllabus("S0A-091")
def test_moments_from_the_characteristic_function():
    found = moments_from_characteristic(lambda w: 1 / (1 - 1j * w), 6)
    assert found == pytest.approx([math.factorial(n) for n in range(1, 7)])
    normal = moments_from_characteristic(lambda w: np.exp(2j * w - w**2 / 2), 3)
    assert normal == pytest.approx([2, 5, 14])
    # Odd moments have the sign of iⁿ, not of its inverse.
    assert moments_from_characteristic(lambda w: np.exp(-2j * w), 1)[0] < 0
