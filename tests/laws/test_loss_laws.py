"""Laws that every loss obeys. Adding a loss to `infimum.losses` adds it here."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from infimum.errors import IncompatibleError
from infimum.losses import Huber, Squared
from tests.laws.parts import EVERY_LOSS, targets

every_loss = pytest.mark.parametrize("loss", EVERY_LOSS, ids=repr)
#: Laws about tangents hold for convex losses; the others say that they are not.
convex_loss = pytest.mark.parametrize(
    "loss", [loss for loss in EVERY_LOSS if loss.convex], ids=repr
)
concave_loss = pytest.mark.parametrize(
    "loss", [loss for loss in EVERY_LOSS if not loss.convex], ids=repr
)
smooth_loss = pytest.mark.parametrize(
    "loss", [loss for loss in EVERY_LOSS if loss.smooth], ids=repr
)
kinked_loss = pytest.mark.parametrize(
    "loss", [x for x in EVERY_LOSS if not x.smooth and x.convex], ids=repr
)
easy_loss = pytest.mark.parametrize(
    "loss",
    [each for each in EVERY_LOSS if type(each).prox_formula],
    ids=repr,
)
some = settings(max_examples=25)
scores = st.floats(-8, 8)
steps = st.floats(0.01, 20)
seeds = st.integers(0, 2**32 - 1)


def at(number):
    return np.array([float(number)])


def truth(loss, seed):
    return targets(loss, 1, np.random.default_rng(seed))


def size(loss, y, *at_scores):
    """Return the size of the numbers involved, to measure rounding against."""
    return 1.0 + sum(float(np.abs(loss.value(y, at(f)))[0]) for f in at_scores)


def distance_to_kink(loss, y, f):
    """Return how far the slope stays what it is around f; 0 at a kink."""
    widths = [1e-3, 1e-4, 1e-5]
    here = loss.derivative(y, at(f))
    for width in widths:
        left, right = (loss.derivative(y, at(f + s * width)) for s in (-1, 1))
        if np.allclose(left, here, atol=1e-2) and np.allclose(right, here, atol=1e-2):
            return width
    return 0.0


@every_loss
@some
@given(seed=seeds, f=scores)
def test_derivative_is_the_slope_of_the_value_away_from_kinks(loss, seed, f):
    y = truth(loss, seed)
    step = 1e-5
    if not loss.smooth and distance_to_kink(loss, y, f) < 2 * step:
        f += 0.01  # the kinks of our losses are farther apart
    rise = loss.value(y, at(f + step)) - loss.value(y, at(f - step))
    np.testing.assert_allclose(
        loss.derivative(y, at(f)), rise / (2 * step), atol=3e-5 * size(loss, y, f)
    )


@concave_loss
def test_a_loss_that_is_not_convex_lies_above_a_chord_somewhere(loss):
    y, far, near = np.ones(1), at(-40.0), at(1.0)
    middle = loss.value(y, 0.9 * near + 0.1 * far)
    chord = 0.9 * loss.value(y, near) + 0.1 * loss.value(y, far)
    assert middle > chord + 1e-6


@every_loss
@some
@given(seed=seeds, f=scores, g=scores)
def test_the_majorant_is_convex_touches_the_loss_and_lies_above(loss, seed, f, g):
    y = truth(loss, seed)
    above, labels, shift = loss.majorant(y, at(f))
    assert above.convex
    lift = loss.value(y, at(f)) - above.value(labels, at(f) + shift)
    there = above.value(labels, at(g) + shift) + lift
    assert there >= loss.value(y, at(g)) - 1e-12 * size(loss, y, f, g)


@convex_loss
@some
@given(seed=seeds, f=scores, g=scores)
def test_tangents_lie_below_the_value_and_curvature_above(loss, seed, f, g):
    y = truth(loss, seed)
    value, slope = loss.value(y, at(f)), loss.derivative(y, at(f))
    tangent, slack = value + slope * (g - f), 1e-12 * size(loss, y, f, g)
    assert tangent - slack <= loss.value(y, at(g))
    if np.isfinite(loss.curvature):
        bowl = tangent + 0.5 * loss.curvature * (g - f) ** 2
        assert loss.value(y, at(g)) <= bowl + slack


@kinked_loss
def test_a_loss_without_a_bend_jumps_at_a_kink_where_the_slope_is_a_subgradient(
    loss, rng
):
    y = targets(loss, 30, rng)
    for kinks, _, _ in loss.pieces(y):
        jump = loss.derivative(y, kinks + 1e-9) - loss.derivative(y, kinks - 1e-9)
        assert np.all(jump > 1e-6)
        value, slope = loss.value(y, kinks), loss.derivative(y, kinks)
        for g in np.linspace(-6, 6, 49):
            below = value + slope * (g - kinks)
            assert np.all(loss.value(y, np.full(30, g)) >= below - 1e-12)


@kinked_loss
def test_asking_a_kinked_loss_for_its_curvature_is_refused_in_a_sentence(loss):
    with pytest.raises(IncompatibleError, match=f"{type(loss).__name__} has a kink"):
        loss.hessian(np.ones(1), np.zeros(1))


@smooth_loss
@some
@given(seed=seeds, f=scores)
def test_hessian_is_the_slope_of_the_derivative(loss, seed, f):
    y, step = truth(loss, seed), 1e-5
    left, middle, right = (
        float(loss.hessian(y, at(f + s))[0]) for s in (-2 * step, 0.0, 2 * step)
    )
    rise = loss.derivative(y, at(f + step)) - loss.derivative(y, at(f - step))
    slope = float(rise[0]) / (2 * step)
    low, high = min(left, middle, right), max(left, middle, right)
    slack = 1e-5 * (1.0 + size(loss, y, f))
    assert low - slack <= slope <= high + slack  # between, where the second jumps
    assert 0.0 <= middle <= loss.curvature


@smooth_loss
def test_curve_is_the_hessian_times_the_direction(loss, rng):
    y, f, u = targets(loss, 20, rng), rng.normal(size=20), rng.normal(size=20)
    np.testing.assert_array_equal(loss.curve(y, f, u), loss.hessian(y, f) * u)


@every_loss
def test_constant_curvature_is_claimed_exactly_when_it_is_true(loss, rng):
    y, f = targets(loss, 300, rng), 3 * rng.normal(size=300)
    constant = loss.smooth and bool(np.all(loss.hessian(y, f) == 1.0))
    assert loss.constant_curvature is constant


@convex_loss
@some
@given(seed=seeds, f=scores)
def test_fenchel_young_holds_with_equality_at_the_slope(loss, seed, f):
    y = truth(loss, seed)
    slope = loss.derivative(y, at(f))
    both = loss.value(y, at(f)) + loss.conjugate(y, slope)
    np.testing.assert_allclose(both, slope * f, atol=1e-9 * size(loss, y, f))


@every_loss
@some
@given(seed=seeds, f=scores, share=st.floats(0, 1))
def test_fenchel_young_is_an_inequality_for_every_slope(loss, seed, f, share):
    y = truth(loss, seed)
    low, high = (np.clip(end, -9.0, 9.0) for end in loss.slopes(y))
    slope = low + share * (high - low)
    both = loss.value(y, at(f)) + loss.conjugate(y, slope)
    assert both >= slope * f - 1e-11 * size(loss, y, f)


@every_loss
@some
@given(seed=seeds, share=st.floats(0, 1), beyond=st.floats(1e-6, 10))
def test_the_conjugate_is_finite_exactly_between_the_end_slopes(
    loss, seed, share, beyond
):
    y = truth(loss, seed)
    low, high = loss.slopes(y)
    inner_low, inner_high = np.clip(low, -20.0, 20.0), np.clip(high, -20.0, 20.0)
    inside = inner_low + share * (inner_high - inner_low)
    assert np.all(np.isfinite(loss.conjugate(y, inside)))
    for end, side in ((low, -1.0), (high, 1.0)):
        if np.isfinite(end).all():
            outside = end + side * beyond
            assert np.all(loss.conjugate(y, outside) == np.inf)


@easy_loss
@some
@given(seed=seeds, f=scores, step=steps)
def test_prox_leaves_a_residual_that_is_a_slope_of_the_loss(loss, seed, f, step):
    y = truth(loss, seed)
    best = loss.prox(y, at(f), step)
    slope = (f - best) / step
    # Optimality: (f - best)/step is a subgradient at `best`: Fenchel-Young is tight.
    low, high = loss.slopes(y)
    slope = (
        np.clip(slope, low, high)
        if np.allclose(slope, slope.clip(low, high))
        else slope
    )
    both = loss.value(y, best) + loss.conjugate(y, slope)
    np.testing.assert_allclose(both, slope * best, atol=1e-9 * (1 + f**2))


@easy_loss
@some
@given(seed=seeds, f=scores, step=steps)
def test_prox_beats_a_search_over_the_line(loss, seed, f, step):
    y = truth(loss, seed)

    def price(g):
        return float(((g - f) ** 2 / (2 * step) + loss.value(y, at(g)))[0])

    best = float(loss.prox(y, at(f), step)[0])
    found = minimize_scalar(price, bounds=(-60, 60), method="bounded")
    assert price(best) <= found.fun + 1e-10 * (1 + abs(found.fun))


@pytest.mark.parametrize(
    "loss", [loss for loss in EVERY_LOSS if type(loss).prox_formula is None], ids=repr
)
def test_a_loss_without_a_closed_prox_says_so(loss):
    with pytest.raises(IncompatibleError, match=type(loss).__name__):
        loss.prox(np.ones(1), np.zeros(1), 1.0)


@convex_loss
def test_pieces_sum_to_the_loss_or_there_are_none(loss, rng):
    y, f = targets(loss, 200, rng), 3 * rng.normal(size=200)
    pieces = loss.pieces(y)
    assert (pieces is None) is loss.smooth  # ours are smooth or piecewise linear
    if pieces is not None:
        terms = [np.maximum(a * (f - k), b * (f - k)) for k, a, b in pieces]
        np.testing.assert_allclose(sum(terms), loss.value(y, f), atol=1e-12)


@every_loss
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_the_best_constant_minimises_the_total_loss(loss, weighted, rng):
    y = targets(loss, 41, rng)
    weights = rng.uniform(0.1, 2.0, size=41) if weighted else None
    q = np.ones(41) if weights is None else weights

    def total(score):
        return float(q @ loss.value(y, np.full(41, score)))

    best = loss.best_constant(y, weights)
    for move in (1e-4, 1e-3, 0.01, 0.1, 1.0):
        assert total(best) <= total(best + move) + 1e-9
        assert total(best) <= total(best - move) + 1e-9


@every_loss
def test_one_class_or_one_value_has_a_finite_best_constant(loss, rng):
    y = np.full(5, targets(loss, 1, rng)[0])
    best = loss.best_constant(y)
    assert np.isfinite(best)
    assert loss.value(y, np.full(5, best))[0] <= loss.value(y, np.zeros(5))[0] + 1e-12


@every_loss
def test_a_loss_knows_whether_it_reads_residuals_or_margins_alone(loss, rng):
    y, f = targets(loss, 200, rng), 3 * rng.normal(size=200)
    moved = loss.value(y + 0.7, f + 0.7)
    residual = bool(np.allclose(moved, loss.value(y, f), atol=1e-9))
    flipped = bool(np.allclose(loss.value(-y, -f), loss.value(y, f), atol=1e-9))
    assert loss.distance_based is (loss.target == "real" and residual)
    assert loss.margin_based is (loss.target == "sign" and flipped)


def test_formulas_keep_the_names_that_they_had_in_the_first_version():
    @dataclass(frozen=True)
    class Mine(Squared):
        slope: ClassVar = staticmethod(lambda y, f, _: 3.0 * (f - y))
        bend: ClassVar = None

    one = np.ones(1)
    assert Mine().derivative(one, 2 * one) == 3.0
    assert not Mine().smooth
    assert Huber.slope is Huber.derivative_formula
    assert Huber.bend is Huber.hessian_formula
    assert Mine.ease is Mine.prox_formula is Squared.prox_formula
