"""Differences of convex functions and the procedure that descends them."""

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.study.convexity import (
    Affine,
    ConcaveConvexProcedure,
    ConstrainedConcaveConvex,
    DifferenceOfConvex,
    GaussianMixtureLikelihood,
    Norm,
    Oracle,
    Quadratic,
    Softplus,
    SquaredNorm,
    numeric_gradient,
    numeric_hessian,
    split_by_curvature,
    worst_chord,
)


@pytest.fixture
def wave():
    """Return a function that is neither convex nor concave, |J″| ≤ 1.4."""
    return Oracle(
        lambda w: float(np.sum(np.cos(w)) + 0.2 * np.sum(w**2)),
        lambda w: -np.sin(w) + 0.4 * w,
        lambda w: np.diag(0.4 - np.cos(w)),
    )


@pytest.mark.syllabus("S0B-045")
def test_a_function_with_a_bounded_hessian_is_a_difference_of_convex_ones(wave, rng):
    points = 4.0 * rng.normal(size=(12, 2))
    split = split_by_curvature(wave, 0.6)
    assert worst_chord(wave, points).violates
    assert not worst_chord(split.convex, points).violates
    assert not worst_chord(split.subtracted, points).violates
    for point in points:
        assert split.value(point) == pytest.approx(wave.value(point))
        assert split.gradient(point) == pytest.approx(
            numeric_gradient(split.value, point), abs=1e-6
        )
        assert split.hessian(point) == pytest.approx(wave.hessian(point))


@pytest.mark.syllabus("S0B-045", "S0B-046")
def test_the_convex_model_touches_from_above(wave, rng):
    split = split_by_curvature(wave, 0.6)
    for point in rng.normal(size=(6, 2)):
        model = split.majorant(point)
        assert model.value(point) == pytest.approx(split.value(point))
        assert model.gradient(point) == pytest.approx(split.gradient(point))
        for other in 4.0 * rng.normal(size=(10, 2)):
            assert model.value(other) >= split.value(other) - 1e-12


@pytest.mark.syllabus("S0B-046", "S0B-047")
def test_values_never_rise_and_the_end_is_stationary(wave, rng):
    split = split_by_curvature(wave, 0.6)
    for start in 3.0 * rng.normal(size=(5, 2)):
        trace = ConcaveConvexProcedure(tolerance=1e-9).minimize(split, start)
        assert np.all(np.diff(trace.values) <= 1e-12)
        assert np.linalg.norm(split.gradient(trace.point)) < 1e-6
        for here, there in zip(trace.points, trace.points[1:], strict=False):
            matched = split.convex.gradient(there) - split.subtracted.gradient(here)
            assert np.linalg.norm(matched) < 1e-6


@pytest.mark.syllabus("S0B-047")
def test_a_stationary_end_need_not_be_a_minimum():
    # -w²/2 + w⁴/4 from 0, where the slope is 0 but the value is largest.
    quartic = Oracle(lambda w: float(0.25 * w[0] ** 4), lambda w: w**3)
    split = DifferenceOfConvex(quartic, SquaredNorm())
    trace = ConcaveConvexProcedure().minimize(split, np.zeros(1))
    assert trace.point == pytest.approx([0.0])
    assert split.value(np.ones(1)) < split.value(trace.point)


@pytest.mark.syllabus("S0B-048")
def test_a_toy_problem_is_walked_to_its_stationary_point_at_two():
    toy = DifferenceOfConvex(
        Oracle(lambda w: float(w[0] ** 4 / 16.0), lambda w: w**3 / 4.0),
        Quadratic(np.eye(1)),
    )
    # ∇f = ∇g where w³/4 = w: at 0 and ±2, and the steps have the form w₊ = (4w)^(1/3).
    procedure = ConcaveConvexProcedure(lambda slope: np.cbrt(4.0 * slope))
    trace = procedure.minimize(toy, np.array([0.2]))
    assert trace.point == pytest.approx([2.0], abs=1e-7)
    assert np.all(np.diff(trace.values) <= 1e-15)
    distances = np.abs(trace.points[:, 0] - 2.0)
    assert np.all(np.diff(distances[:-1]) < 0.0)
    again = ConcaveConvexProcedure(tolerance=1e-7).minimize(toy, np.array([0.2]))
    assert again.point == pytest.approx([2.0], abs=1e-4)


@pytest.mark.syllabus("S0B-050")
def test_the_rate_is_the_largest_eigenvalue_of_the_two_hessians():
    toy = DifferenceOfConvex(
        Oracle(
            lambda w: float(w[0] ** 4 / 16.0),
            lambda w: w**3 / 4.0,
            lambda w: np.diag(0.75 * w**2),
        ),
        Quadratic(np.eye(1)),
    )
    rate = toy.rate(np.array([2.0]))
    assert rate == pytest.approx(1 / 3)
    procedure = ConcaveConvexProcedure(lambda slope: np.cbrt(4.0 * slope))
    errors = np.abs(procedure.minimize(toy, np.array([1.0])).points[:, 0] - 2.0)
    ratios = errors[6:12] / errors[5:11]
    assert ratios == pytest.approx(rate, rel=1e-2)


def test_each_step_pays_at_least_the_divergence_so_some_step_is_short(wave):
    split = split_by_curvature(wave, 0.6)
    method = ConcaveConvexProcedure(max_iterations=20)
    trace = method.minimize(split, np.array([2.0, -1.0]))
    moves = 0.5 * 0.6 * np.sum(np.diff(trace.points, axis=0) ** 2, axis=1)
    drops = -np.diff(trace.values)
    assert np.all(drops >= moves - 1e-9)
    gap = trace.values[0] - (-2.0)  # each cosine is at least -1
    for count in range(1, trace.iterations + 1):
        assert np.min(moves[:count]) <= method.bound(count, gap)


def expectation_maximization(samples, weights, means):
    """Take one step of EM as it is usually written."""
    scores = np.log(weights) - 0.5 * (samples[:, None] - means) ** 2
    shares = np.exp(scores) / np.sum(np.exp(scores), axis=1, keepdims=True)
    counts = np.sum(shares, axis=0)
    return counts / len(samples), samples @ shares / counts


@pytest.mark.syllabus("S0B-050")
def test_expectation_maximisation_is_the_procedure_on_a_mixtures_likelihood(rng):
    samples = np.concatenate([rng.normal(-2.0, 1.0, 40), rng.normal(1.5, 1.0, 60)])
    mixture = GaussianMixtureLikelihood(samples, 2)
    split = mixture.split
    weights, means = np.array([0.3, 0.7]), np.array([-0.5, 0.4])
    start = mixture.natural(weights, means)
    density = np.exp(-0.5 * (samples[:, None] - means) ** 2) @ weights
    missing = -np.sum(np.log(density)) - 0.5 * np.sum(samples**2)
    assert split.value(start) == pytest.approx(missing), "it is the likelihood"
    method = ConcaveConvexProcedure(mixture.moments_matched, max_iterations=15)
    trace = method.minimize(split, start)
    for point in trace.points:
        found = mixture.moments(point)
        assert found[0] == pytest.approx(weights, rel=1e-9)
        assert found[1] == pytest.approx(means, rel=1e-9)
        weights, means = expectation_maximization(samples, weights, means)
    assert np.all(np.diff(trace.values) < 0.0)


def test_both_parts_of_a_mixtures_likelihood_are_convex_with_right_derivatives(rng):
    mixture = GaussianMixtureLikelihood(rng.normal(size=20), 2)
    split = mixture.split
    points = rng.normal(size=(8, 4))
    for part in (split.convex, split.subtracted):
        assert not worst_chord(part, points).violates
        for point in points[:3]:
            assert part.gradient(point) == pytest.approx(
                numeric_gradient(part.value, point), abs=1e-5
            )
    bend = split.convex.hessian(points[0])
    assert bend == pytest.approx(numeric_hessian(split.convex, points[0]), abs=1e-5)
    with pytest.raises(DataError, match="no sample belongs to"):
        mixture.moments_matched(np.array([1.0, 1.0, 0.0, 20.0]))


@pytest.mark.syllabus("S0B-049")
def test_under_constraints_iterates_stay_feasible_and_fall():
    # Nearest to a place inside the unit circle, but outside of it: not convex.
    place = np.array([0.4, 0.3])
    objective = DifferenceOfConvex(SquaredNorm(), Affine(place))
    outside = DifferenceOfConvex(Affine(np.zeros(2)), 2.0 * SquaredNorm())
    inside = DifferenceOfConvex(Norm(1.0), Affine(np.zeros(2)))
    limits = [(outside, -1.0), (inside, 2.5)]
    start = np.array([1.5, 0.2])
    trace = ConstrainedConcaveConvex(1e-3, 6).minimize(objective, limits, start)
    for point in trace.points:
        assert all(part.value(point) <= limit + 1e-9 for part, limit in limits)
    assert np.all(np.diff(trace.values) <= 0.0)
    assert trace.point == pytest.approx(place / np.linalg.norm(place), abs=0.1)
    model = ConstrainedConcaveConvex.model(objective, limits, start)
    flipped = 1.0 - 3.0 * start @ start + 2.0 * start @ place
    # The tangent enters with a minus: f - g(w_t) - ⟨w - w_t, ∇g(w_t)⟩.
    value = model.inequalities[0].value(place)
    assert value == pytest.approx(1.0 + start @ start - 2.0 * start @ place)
    assert value != pytest.approx(flipped)
    assert value >= outside.value(place) + 1.0


def test_an_infeasible_start_is_refused():
    outside = DifferenceOfConvex(Affine(np.zeros(2)), 2.0 * SquaredNorm())
    bowl = DifferenceOfConvex(SquaredNorm(), Softplus())
    with pytest.raises(DataError, match="feasible start"):
        ConstrainedConcaveConvex().minimize(bowl, [(outside, -1.0)], np.zeros(2))
