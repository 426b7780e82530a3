"""Bregman divergences."""

import numpy as np
import pytest
from scipy.special import kl_div

from infimum.study.convexity import (
    Bregman,
    NegativeEntropy,
    Norm,
    SquaredNorm,
    UnnormalizedEntropy,
    dual_order,
    norm,
    numeric_gradient,
    rounding_allowance,
    worst_chord,
)


@pytest.mark.syllabus("S0A-240")
def test_a_divergence_is_not_negative_and_convex_in_its_first_argument(
    specimen, rng, allowance
):
    bregman = Bregman(specimen.function)
    base = specimen.draw(rng)
    points = np.array([specimen.draw(rng) for _ in range(12)])
    for point in points:
        tiny = allowance(specimen.function, point, base)
        assert bregman.divergence(point, base) >= -tiny
    assert bregman.divergence(base, base) == 0.0
    assert not worst_chord(lambda x: bregman.divergence(x, base), points).violates


@pytest.mark.syllabus("S0A-240")
def test_a_divergence_need_not_be_symmetric(rng):
    x, y = rng.dirichlet(np.ones(4), 2)
    bregman = Bregman(NegativeEntropy())
    assert abs(bregman.divergence(x, y) - bregman.divergence(y, x)) > 1e-3


@pytest.mark.syllabus("S0A-240")
def test_the_gradient_of_a_divergence_is_the_difference_of_gradients(smooth, rng):
    function, draw = smooth
    bregman, x, y = Bregman(function), draw(rng), draw(rng)
    gradient = bregman.gradient(x, y)
    assert np.array_equal(gradient, function.gradient(x) - function.gradient(y))
    expected = numeric_gradient(lambda z: bregman.divergence(z, y), x)
    scale = 1.0 + abs(function.value(x)) + norm(function.gradient(y))
    assert gradient == pytest.approx(expected, abs=1e-8 * scale)


@pytest.mark.syllabus("S0A-240")
def test_the_dual_divergence_swaps_the_arguments(rng):
    bregman = Bregman(SquaredNorm(1.7))
    x, y = rng.normal(size=(2, 4))
    gradients = [bregman.generator.gradient(point) for point in (y, x)]
    swapped = bregman.dual().divergence(*gradients)
    assert swapped == pytest.approx(bregman.divergence(x, y), rel=1e-12)


@pytest.mark.syllabus("S0A-241")
def test_half_the_squared_norm_generates_half_the_squared_distance(rng):
    for _ in range(10):
        x, y = rng.normal(size=(2, 5))
        expected = 0.5 * float((x - y) @ (x - y))
        assert Bregman(SquaredNorm()).divergence(x, y) == pytest.approx(
            expected, rel=1e-13
        )


@pytest.mark.syllabus("S0A-242")
def test_unnormalised_entropy_generates_relative_entropy(rng):
    entropy = UnnormalizedEntropy()
    for _ in range(10):
        x, y = rng.uniform(0.01, 4.0, size=(2, 6))
        assert np.array_equal(entropy.gradient(x), np.log(x))
        expected = float(np.sum(kl_div(x, y)))
        assert Bregman(entropy).divergence(x, y) == pytest.approx(expected, rel=1e-11)
    x, y = rng.dirichlet(np.ones(4), 2)
    relative = float(np.sum(x * np.log(x / y)))
    assert Bregman(NegativeEntropy()).divergence(x, y) == pytest.approx(relative)


@pytest.mark.syllabus("S0A-243", "S0B-060")
@pytest.mark.parametrize("order", [1.1, 1.5, 2.0, 3.0, 10.0])
def test_the_squared_p_norm_has_the_stated_gradient_and_inverse_gradient(order, rng):
    function = SquaredNorm(order)
    for _ in range(5):
        x = rng.normal(size=5)
        formula = np.sign(x) * np.abs(x) ** (order - 1) / norm(x, order) ** (order - 2)
        assert function.gradient(x) == pytest.approx(formula, rel=1e-12)
        expected = numeric_gradient(function.value, x)
        assert function.gradient(x) == pytest.approx(expected, rel=1e-5, abs=1e-7)
        dual = SquaredNorm(dual_order(order))
        assert 1 / order + 1 / dual.order == pytest.approx(1.0)
        assert dual.gradient(function.gradient(x)) == pytest.approx(x, rel=1e-10)
        assert norm(function.gradient(x), dual.order) == pytest.approx(norm(x, order))


@pytest.mark.syllabus("S0A-243")
def test_the_p_norm_divergence_is_its_formula_and_euclidean_for_p_2(rng):
    x, y = rng.normal(size=(2, 4))
    for order in (1.5, 2.0, 3.0):
        slope = SquaredNorm(order).gradient(y)
        half_squares = 0.5 * norm(x, order) ** 2 - 0.5 * norm(y, order) ** 2
        expected = half_squares - float((x - y) @ slope)
        found = Bregman(SquaredNorm(order)).divergence(x, y)
        assert found == pytest.approx(expected, rel=1e-12)
    half = 0.5 * float((x - y) @ (x - y))
    assert Bregman(SquaredNorm(2.0)).divergence(x, y) == pytest.approx(half)


@pytest.mark.syllabus("S0A-243")
@pytest.mark.parametrize("order", [1.0, 1.5, 2.0, 4.0, np.inf])
def test_the_dual_norm_is_the_largest_inner_product_with_the_unit_ball(order, rng):
    x = rng.normal(size=4)
    best = Norm(dual_order(order)).gradient(x)
    assert norm(best, order) == pytest.approx(1.0)
    assert best @ x == pytest.approx(norm(x, dual_order(order)))
    for _ in range(50):
        y = rng.normal(size=4)
        assert x @ y <= norm(x, dual_order(order)) * norm(y, order) * (1 + 1e-14)


@pytest.mark.syllabus("S0A-244")
def test_three_points_obey_the_identity_of_bregman_divergences(specimen, rng):
    bregman = Bregman(specimen.function)
    for _ in range(10):
        x, y, z = (specimen.draw(rng) for _ in range(3))
        around = bregman.divergence(x, y) + bregman.divergence(y, z)
        turn = specimen.function.gradient(z) - specimen.function.gradient(y)
        identity = around - bregman.divergence(x, z) - float(turn @ (x - y))
        terms = [specimen.function.value(point) for point in (x, y, z)]
        slopes = [
            norm(specimen.function.gradient(p)) * (norm(x) + norm(y) + norm(z))
            for p in (y, z)
        ]
        assert abs(identity) <= rounding_allowance(*terms, *slopes)
        assert bregman.three_point_residual(x, y, z) == pytest.approx(
            identity, abs=1e-12
        )
