"""Subgradients, and the rules to compute with them."""

import numpy as np
import pytest

from infimum.study.convexity import (
    Affine,
    Box,
    CuttingPlane,
    LogSumExp,
    Maximum,
    Norm,
    SquaredNorm,
    fenchel_young_gap,
    tangent_slack,
)

absolute = Norm(1.0)


def worst_tangent(function, x, slope, probes):
    return min(tangent_slack(function, x, y, slope) for y in probes)


@pytest.mark.syllabus("S0A-226")
def test_the_subdifferential_of_the_absolute_value_at_0_is_minus_1_to_1(rng):
    origin, probes = np.zeros(1), rng.normal(size=(40, 1))
    for slope in np.linspace(-1.0, 1.0, 9):
        assert worst_tangent(absolute, origin, np.array([slope]), probes) >= 0.0
        assert fenchel_young_gap(absolute, origin, np.array([slope])) == 0.0
    for slope in (-1.01, 1.01):
        assert worst_tangent(absolute, origin, np.array([slope]), probes) < 0.0
        assert fenchel_young_gap(absolute, origin, np.array([slope])) == np.inf


@pytest.mark.syllabus("S0A-226")
def test_away_from_the_kink_only_the_derivative_is_a_subgradient(rng):
    x, probes = np.array([0.5]), rng.normal(size=(40, 1))
    assert worst_tangent(absolute, x, np.ones(1), probes) >= 0.0
    for slope in (0.9, 1.1):
        assert worst_tangent(absolute, x, np.array([slope]), probes) < 0.0


@pytest.mark.syllabus("S0A-226")
def test_a_point_is_a_minimiser_exactly_when_zero_is_a_subgradient(rng):
    tilted = absolute + Affine(np.array([0.4]))
    probes = rng.normal(size=(60, 1))
    zero = np.zeros(1)
    assert worst_tangent(tilted, zero, zero, probes) >= 0.0
    assert worst_tangent(tilted, np.array([0.2]), zero, probes) < 0.0
    box = Box(np.array([-2.0]), np.array([2.0]))
    assert CuttingPlane().minimize(tilted, np.ones(1), box).point == pytest.approx(0.0)


@pytest.mark.syllabus("S0A-227")
def test_addition_scaling_and_affine_maps_carry_subgradients_over(rng, allowance):
    matrix, offset = rng.normal(size=(3, 2)), np.zeros(3)
    summed = Norm(1.0) + Norm(np.inf)
    for function in (summed, 2.5 * Norm(1.0), Norm(1.0).after(matrix, offset)):
        for x in (
            np.zeros(2),
            np.array([1.0, 0.0]),
            rng.normal(size=2),
        ):
            for y in rng.normal(size=(20, 2)):
                assert tangent_slack(function, x, y) >= -allowance(function, x, y)
    x = rng.normal(size=2)
    inner = Norm(1.0).gradient(matrix @ x)
    assert np.array_equal(Norm(1.0).after(matrix).gradient(x), matrix.T @ inner)
    assert np.array_equal((2.5 * absolute).gradient(x), 2.5 * absolute.gradient(x))
    parts = Norm(1.0).gradient(x) + Norm(np.inf).gradient(x)
    assert np.array_equal(summed.gradient(x), parts)


@pytest.mark.syllabus("S0A-227")
def test_at_a_kink_every_mixture_of_active_gradients_is_a_subgradient(rng):
    planes = tuple(
        Affine(row) for row in np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    )
    peak, origin = Maximum((*planes, Affine(np.ones(2), -5.0))), np.zeros(2)
    assert peak.active(origin).tolist() == [0, 1, 2]
    probes = rng.normal(size=(60, 2))
    for _ in range(10):
        mixture = rng.dirichlet(np.ones(3)) @ peak.subgradients(origin)
        assert worst_tangent(peak, origin, mixture, probes) >= -1e-14
    outside = np.array([1.0, 1.0])
    assert worst_tangent(peak, origin, outside, probes) < 0.0


@pytest.mark.syllabus("S0A-227")
def test_where_functions_tie_the_first_one_gives_the_subgradient():
    first, second = Affine(np.array([1.0])), Affine(np.array([-1.0]))
    assert Maximum((first, second)).gradient(np.zeros(1)).tolist() == [1.0]
    assert Maximum((second, first)).gradient(np.zeros(1)).tolist() == [-1.0]


@pytest.mark.syllabus("S0A-227")
def test_rules_nest(rng, allowance):
    matrix = rng.normal(size=(3, 2))
    nested = Maximum((LogSumExp().after(matrix), 2.0 * Norm(2.0))) + SquaredNorm()
    for x in (np.zeros(2), *rng.normal(size=(5, 2))):
        for y in rng.normal(size=(20, 2)):
            assert tangent_slack(nested, x, y) >= -allowance(nested, x, y)
