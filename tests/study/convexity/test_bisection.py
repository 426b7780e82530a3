"""Bisection on a line, with its certificate."""

import numpy as np
import pytest
from scipy.optimize import golden as scipy_golden

from infimum.errors import DataError
from infimum.study.convexity import (
    Affine,
    Oracle,
    Softplus,
    bisect,
    golden_section,
    worst_chord,
)

quartic = Oracle(
    lambda w: float(w[0] ** 4 + 20 * w[0] ** 2 + w[0]),
    lambda w: 4 * w**3 + 40 * w + 1,
    lambda w: np.array([[12 * w[0] ** 2 + 40]]),
    strong_convexity_known=40.0,
)
# The real root of 4w³ + 40w + 1.
MINIMISER = float(np.real(np.roots([4.0, 0.0, 40.0, 1.0])[-1]))


def slope(function, t):
    return float(function.gradient(np.array([t]))[0])


@pytest.mark.syllabus("S0A-245")
@pytest.mark.parametrize("tolerance", [1e-1, 1e-4, 1e-8])
def test_bisection_takes_the_stated_number_of_halvings(tolerance):
    bracket = bisect(quartic, -5.0, 5.0, tolerance)
    steepest = max(-slope(quartic, -5.0), slope(quartic, 5.0))
    assert bracket.iterations == np.ceil(np.log2(10.0 * steepest / tolerance))
    # A gap of ε leaves ‖w - w*‖ ≤ √(2ε/σ), and the slope rises by at least σ = 40.
    distance = np.sqrt(2.0 * tolerance / quartic.strong_convexity)
    assert abs(bracket.point - MINIMISER) <= distance
    assert pytest.approx(-0.0249984, abs=5e-8) == MINIMISER
    assert (
        quartic.value(np.array([bracket.point])) - quartic.value(np.array([MINIMISER]))
        <= tolerance
    )


@pytest.mark.syllabus("S0A-245")
def test_bisection_keeps_the_minimiser_between_a_falling_and_a_rising_end():
    bracket = bisect(quartic, -5.0, 4.0, 1e-9)
    minimum = quartic.value(np.array([MINIMISER]))
    for halvings, (low, high) in enumerate(bracket.intervals):
        assert slope(quartic, low) < 0.0 < slope(quartic, high)
        assert high - low == pytest.approx(9.0 / 2**halvings, rel=1e-12)
        # Any point of the interval obeys the bound, the ends in particular.
        for end in (low, high):
            gap = quartic.value(np.array([end])) - minimum
            assert gap <= (high - low) * bracket.steepest
    slopes = [slope(quartic, t) for t in np.linspace(-5.0, 5.0, 101)]
    assert np.all(np.diff(slopes) > 0.0), "the slope of a convex function rises"


@pytest.mark.syllabus("S0A-245")
def test_the_certificate_needs_the_steeper_of_both_ends():
    tolerance, broken = 1e-3, 0
    left, right = Softplus(50.0 / 500), Softplus(0.01 / 500)
    for kink in np.linspace(-0.5, 1.5, 41):
        fall = left.after(np.array([[-500.0]]), np.array([500.0 * kink]))
        rise = right.after(np.array([[500.0]]), np.array([-500.0 * kink]))
        function = fall + rise
        best = bisect(function, -1.0, 2.0, 0.0).point
        minimum = function.value(np.array([best]))
        found = bisect(function, -1.0, 2.0, tolerance)
        assert function.value(np.array([found.point])) - minimum <= tolerance
        # Stopping as soon as width × (slope at the high end) allows is too early.
        high_slope = slope(function, 2.0)
        widths = np.diff(found.intervals, axis=1)[:, 0]
        early = found.intervals[int(np.argmax(widths * high_slope <= tolerance))]
        broken += function.value(early[:1]) - minimum > tolerance
    assert broken > 0


@pytest.mark.syllabus("S0A-245")
def test_bisection_refuses_an_interval_that_may_not_hold_the_minimiser():
    with pytest.raises(DataError, match="negative slope at the low end"):
        bisect(quartic, 1.0, 5.0)
    with pytest.raises(DataError, match="positive one at the high end"):
        bisect(Affine(-np.ones(1)), 0.0, 5.0)


def test_bisection_to_tolerance_0_ends_at_neighbouring_numbers():
    low, high = bisect(quartic, -5.0, 5.0, 0.0).intervals[-1]
    assert np.nextafter(low, high) == high
    assert low <= MINIMISER + 1e-16
    assert high >= MINIMISER - 1e-16


@pytest.mark.syllabus("S0A-246", "S0B-057")
def test_a_convex_function_is_convex_along_every_line(specimen, rng):
    start, end = specimen.draw(rng), specimen.draw(rng)
    line = specimen.function.along(start, end - start)
    points = np.linspace(0.0, 1.0, 13)[:, None]
    for t in points:
        expected = specimen.function.value(start + t[0] * (end - start))
        assert line.value(t) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert not worst_chord(line.value, points).violates


@pytest.mark.syllabus("S0A-250")
def test_golden_section_finds_what_scipy_finds():
    def formula(t):
        return quartic.value(np.array([t]))

    found = golden_section(formula, -5.0, 5.0)
    # A minimum is visible to the square root of the rounding of its value.
    assert found == pytest.approx(MINIMISER, abs=1e-8)
    assert found == pytest.approx(
        scipy_golden(formula, brack=(-5.0, 0.0, 5.0)), abs=1e-7
    )
