"""Laws that every penalty obeys. Adding one to `infimum.penalties` adds it here."""

import numpy as np
import pytest

from infimum.penalties import SeparablePenalty
from tests.laws.parts import EVERY_PENALTY

every_penalty = pytest.mark.parametrize("penalty", EVERY_PENALTY, ids=repr)
#: Laws about slopes and chords hold for convex penalties; the others say they are not.
convex_penalty = pytest.mark.parametrize(
    "penalty", [p for p in EVERY_PENALTY if p.convex], ids=repr
)
concave_penalty = pytest.mark.parametrize(
    "penalty", [p for p in EVERY_PENALTY if not p.convex], ids=repr
)
separable = pytest.mark.parametrize(
    "penalty", [p for p in EVERY_PENALTY if isinstance(p, SeparablePenalty)], ids=repr
)
every_shape = pytest.mark.parametrize("shape", [(6,), (6, 3)], ids=["vector", "matrix"])
STEPS = (0.05, 0.8, 30.0)


def inner(a, b):
    return float(np.sum(a * b))


def inside(penalty, z):
    """Return a point near z where the penalty is finite."""
    return penalty.prox(z, 1e-9)


@every_penalty
@every_shape
@pytest.mark.parametrize("step", STEPS)
def test_prox_beats_every_nearby_point(penalty, shape, step, rng):
    z = 2 * rng.normal(size=shape)
    best = penalty.prox(z, step)

    def price(w):
        return inner(w - z, w - z) / (2 * step) + penalty.value(w)

    assert np.isfinite(price(best))
    for size in (1.0, 1e-1, 1e-2, 1e-3):
        for _ in range(20):
            rival = inside(penalty, best + size * rng.normal(size=shape))
            assert price(best) <= price(rival) + 1e-9 * (1 + abs(price(rival)))


@convex_penalty
@every_shape
@pytest.mark.parametrize("step", STEPS)
def test_moreau_identity_links_prox_and_conjugate(penalty, shape, step, rng):
    # (z - prox)/step is a subgradient at the prox, so Fenchel-Young is tight there.
    z = 3 * rng.normal(size=shape)
    w = penalty.prox(z, step)
    v = (z - w) / step
    v = np.where(np.abs(v) < 1e-13, 0.0, v)
    v = np.where(np.abs(v - penalty.admit(v)) < 1e-12, penalty.admit(v), v)
    tight = penalty.value(w) + penalty.conjugate(v)
    assert tight == pytest.approx(inner(w, v), abs=1e-10 * (1 + abs(tight)))


@every_penalty
@every_shape
def test_the_least_value_is_zero_and_that_of_the_origin_unless_forbidden(
    penalty, shape, rng
):
    assert penalty.value(np.zeros(shape)) in {0.0, np.inf}
    assert penalty.conjugate(np.zeros(shape)) == pytest.approx(0.0, abs=1e-12)
    lowest = penalty.prox(np.zeros(shape), 1e9)
    assert penalty.value(lowest) == pytest.approx(0.0, abs=1e-6)
    for _ in range(20):
        assert penalty.value(2 * rng.normal(size=shape)) >= 0.0


@concave_penalty
def test_a_penalty_that_is_not_convex_lies_above_a_chord_somewhere(penalty):
    near, far = np.zeros(6), np.full(6, 10.0)
    middle = penalty.value(0.5 * far)
    assert middle > 0.5 * (penalty.value(near) + penalty.value(far)) + 1e-6


@every_penalty
def test_the_majorant_is_convex_touches_the_penalty_and_lies_above(penalty, rng):
    w = inside(penalty, rng.normal(size=6))
    above = penalty.majorant(w)
    assert above.convex
    lift = penalty.value(w) - above.value(w)
    for _ in range(30):
        there = inside(penalty, 2 * rng.normal(size=6))
        assert above.value(there) + lift >= penalty.value(there) - 1e-12


@convex_penalty
@every_shape
def test_the_value_is_convex_and_never_negative(penalty, shape, rng):
    for share in rng.uniform(size=30):
        a, b = (inside(penalty, 2 * rng.normal(size=shape)) for _ in range(2))
        chord = share * penalty.value(a) + (1 - share) * penalty.value(b)
        assert 0.0 <= penalty.value(share * a + (1 - share) * b) <= chord + 1e-12


@every_penalty
@every_shape
@pytest.mark.parametrize("size", [0.0, 0.01, 1.0, 100.0])
def test_dual_scale_and_admit_reach_the_domain_of_the_conjugate(
    penalty, shape, size, rng
):
    v = size * rng.normal(size=shape)
    scale = penalty.dual_scale(v)
    assert 0.0 <= scale <= 1.0
    assert np.isfinite(penalty.conjugate(scale * v))
    admitted = penalty.admit(v)
    assert np.isfinite(penalty.conjugate(admitted))
    np.testing.assert_array_equal(penalty.admit(admitted * 0.5), admitted * 0.5)


@every_penalty
@every_shape
def test_dual_scale_is_the_largest_that_will_do(penalty, shape, rng):
    for v in (5 * rng.normal(size=shape), 0.01 * rng.normal(size=shape)):
        scale = penalty.dual_scale(v)
        if scale < 1.0:
            assert penalty.conjugate((scale + 1e-6) * v) == np.inf
        else:
            assert np.isfinite(penalty.conjugate(v))


@every_penalty
@every_shape
def test_fenchel_young_inequality(penalty, shape, rng):
    for _ in range(40):
        w = inside(penalty, 2 * rng.normal(size=shape))
        v = penalty.admit(2 * rng.normal(size=shape))
        both = penalty.value(w) + penalty.conjugate(v)
        assert both >= inner(w, v) - 1e-9 * (1 + abs(inner(w, v)))


@every_penalty
def test_quadratic_is_claimed_exactly_when_it_is_true(penalty, rng):
    draws = rng.normal(size=(20, 6))
    squares = 0.5 * (draws**2).sum(axis=1)
    values = np.array([penalty.value(w) for w in draws])
    if penalty.quadratic is not None:
        np.testing.assert_allclose(values, penalty.quadratic * squares, rtol=1e-12)
    else:
        finite = np.isfinite(values)
        ratios = values[finite] / squares[finite]
        assert not finite.all() or np.ptp(ratios) > 1e-6


@separable
def test_elastic_parts_add_up_to_the_value_where_it_is_finite(penalty, rng):
    if penalty.elastic is None and not penalty.convex:
        assert penalty.value(np.full(6, 1e6)) == penalty.value(np.full(6, 2e6))
        return
    if penalty.elastic is None:
        assert penalty.value(np.full(6, 1e6)) == np.inf or not np.isfinite(
            penalty.value(np.full(6, -1e6))
        )
        return
    l1, l2 = penalty.elastic
    for w in np.abs(rng.normal(size=(10, 6))):
        expected = np.sum(l1 * w + 0.5 * l2 * w * w)
        assert penalty.value(w) == pytest.approx(expected, rel=1e-12)


@separable
def test_the_corner_is_where_a_coefficient_leaves_zero(penalty):
    # w = 0 minimises ω(w) - v·w exactly when the proximal step from v stays at 0.
    corner = np.broadcast_to(penalty.corner, 6)
    stays = penalty.prox(np.maximum(corner - 1e-9, 0.0), 1.0)
    assert not stays[corner > 0].any()
    leaves = penalty.prox(corner + 1e-6, 1.0) != penalty.prox(-corner - 1e-6, 1.0)
    assert leaves.all()


@convex_penalty
@every_shape
@pytest.mark.parametrize("size", [1e-6, 0.1, 3.0])
def test_a_conjugate_rises_by_no_more_than_it_says(penalty, shape, size, rng):
    for _ in range(20):
        v, sizes = rng.normal(size=shape), size * rng.random(shape)
        moved = v + sizes * rng.choice([-1.0, 1.0], size=shape)
        before = penalty.conjugate(v)
        if np.isfinite(before) and np.isfinite(bound := penalty.rise(v, sizes)):
            rise = penalty.conjugate(moved) - before
            assert rise <= bound + 1e-12 * (1 + abs(before))
