"""What every convex function of the gallery obeys."""

import numpy as np
import pytest

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.study.convexity import (
    Maximum,
    Norm,
    Quadratic,
    SquaredNorm,
    fenchel_young_gap,
    numeric_gradient,
    numeric_hessian,
    worst_chord,
)

# Functions that live on the simplex have no neighbours off it to difference with.
FLAT = "negative_entropy"


def test_gradients_agree_with_finite_differences(specimen, rng, request):
    if FLAT in request.node.name:
        point, other = specimen.draw(rng), specimen.draw(rng)
        path = specimen.function.along(point, other - point)
        expected = numeric_gradient(path.value, np.array([0.3]))
        assert path.gradient(np.array([0.3])) == pytest.approx(expected, rel=1e-7)
        return
    for _ in range(5):
        x = specimen.draw(rng)
        gradient = specimen.function.gradient(x)
        scale = 1.0 + np.max(np.abs(gradient)) + abs(specimen.function.value(x))
        error = np.abs(gradient - numeric_gradient(specimen.function.value, x))
        assert np.max(error) <= 1e-8 * scale


def test_hessians_agree_with_finite_differences_of_the_gradient(smooth, rng):
    specimen, x = smooth, smooth.draw(rng)
    hessian = specimen.function.hessian(x)
    difference = hessian - numeric_hessian(specimen.function, x)
    assert np.max(np.abs(difference)) <= 1e-7 * (1.0 + np.max(np.abs(hessian)))


def test_no_chord_cuts_through_the_function(specimen, rng):
    points = np.array([specimen.draw(rng) for _ in range(15)])
    assert not worst_chord(specimen.function.value, points).violates


def test_what_has_no_formula_says_what_to_use_instead():
    kink = Maximum((Norm(1.0), Norm(2.0)))
    with pytest.raises(IncompatibleError, match="numeric_hessian"):
        kink.hessian(np.ones(2))
    with pytest.raises(IncompatibleError, match="NumericConjugate"):
        kink.conjugate()
    with pytest.raises(IncompatibleError, match="invertible"):
        SquaredNorm().after(np.ones((2, 1))).conjugate()


def test_a_quadratic_refuses_a_matrix_that_is_not_symmetric_or_not_definite():
    with pytest.raises(DataError, match="symmetric"):
        Quadratic(np.array([[1.0, 1.0], [0.0, 1.0]]))
    with pytest.raises(DataError, match="smallest eigenvalue is -1"):
        Quadratic(np.diag([1.0, -1.0]))
    with pytest.raises(IncompatibleError, match="singular"):
        Quadratic(np.diag([1.0, 0.0])).conjugate()


def test_orders_and_scales_outside_their_domain_are_refused():
    with pytest.raises(InvalidParameterError, match=r"SquaredNorm\.order"):
        SquaredNorm(1.0)
    with pytest.raises(InvalidParameterError, match=r"Norm\.order"):
        Norm(0.5)
    with pytest.raises(InvalidParameterError, match=r"Scaled\.factor"):
        SquaredNorm() * -1.0


def test_subtracting_a_function_that_is_not_affine_is_refused():
    with pytest.raises(IncompatibleError, match="need not be convex"):
        SquaredNorm() - Norm(1.0)


def test_a_norm_pays_nothing_in_the_dual_for_its_own_subgradient(rng):
    x = rng.normal(size=5)
    for order in (1.0, 1.3, 2.0, 4.0, np.inf):
        function = Norm(order, 2.0)
        gap = fenchel_young_gap(function, x, function.gradient(x))
        assert abs(gap) <= 1e-14 * function.value(x)
