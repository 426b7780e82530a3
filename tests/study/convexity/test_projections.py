"""Projections onto sets, and the descents that stay in them."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.errors import IncompatibleError
from infimum.study.convexity import (
    AffineSet,
    Ball,
    Box,
    ConditionalGradient,
    HalfSpace,
    NuclearBall,
    Oracle,
    ProjectedBarzilaiBorwein,
    ProjectedGradient,
    Quadratic,
    Simplex,
    projected_gradient,
)

ROWS = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 2.0]])
SETS = {
    "box": Box(np.full(4, -0.5), np.array([0.5, 1.0, np.inf, 0.2])),
    "simplex": Simplex(1.5),
    "euclidean ball": Ball(2.0, 0.8),
    "1-norm ball": Ball(1.0, 0.8),
    "maximum ball": Ball(np.inf, 0.4),
    "half-space": HalfSpace(np.array([1.0, -1.0, 2.0, 0.0]), 0.3),
    "affine set": AffineSet(ROWS, np.array([0.5, -1.0])),
    "nuclear ball": NuclearBall((2, 2), 0.9),
}


@pytest.mark.syllabus("S0B-022")
@pytest.mark.parametrize("name", SETS)
def test_a_projection_is_the_nearest_point_and_never_spreads(name, rng):
    region = SETS[name]
    for _ in range(15):
        x, y = 2.0 * rng.normal(size=4), 2.0 * rng.normal(size=4)
        at_x, at_y = region.project(x), region.project(y)
        assert region.contains(at_x, 1e-9)
        assert region.project(at_x) == pytest.approx(at_x, abs=1e-9), "twice is once"
        assert np.linalg.norm(at_x - at_y) <= np.linalg.norm(x - y) + 1e-12
        assert (x - at_x) @ (at_y - at_x) <= 1e-9, "an obtuse angle to every member"


@pytest.mark.parametrize("name", ["simplex", "1-norm ball", "nuclear ball", "box"])
def test_the_linear_oracle_reaches_farther_than_any_member(name, rng):
    region = SETS[name]
    for _ in range(10):
        direction = rng.normal(size=4)
        direction[2] = -abs(direction[2]) if name == "box" else direction[2]
        corner = region.support_point(direction)
        assert region.contains(corner, 1e-9)
        assert region.support(direction) == pytest.approx(corner @ direction)
        for _ in range(5):
            member = region.project(rng.normal(size=4))
            assert member @ direction <= region.support(direction) + 1e-9


def test_an_affine_set_reaches_infinitely_far_unless_along_its_rows():
    region = SETS["affine set"]
    along = ROWS.T @ np.array([2.0, -1.0])
    assert region.support(along) == pytest.approx(2.0)
    assert region.support_point(along) @ along == pytest.approx(2.0)
    assert region.support(np.ones(4)) == np.inf
    with pytest.raises(IncompatibleError, match="unbounded in this direction"):
        region.support_point(np.ones(4))


@pytest.fixture
def bowl(rng, make_definite):
    return Quadratic(make_definite(rng), 2.0 * rng.normal(size=4))


@pytest.mark.syllabus("S0B-023")
@pytest.mark.parametrize("name", ["box", "simplex", "1-norm ball", "affine set"])
def test_the_projected_gradient_vanishes_at_the_minimum_only(name, bowl, rng):
    region = SETS[name]
    trace = ProjectedGradient(region, tolerance=1e-10, max_iterations=5000).minimize(
        bowl, np.zeros(4)
    )
    assert trace.reason == "gradient"
    assert np.linalg.norm(projected_gradient(bowl, trace.point, region)) <= 1e-10
    for _ in range(10):
        other = region.project(trace.point + 0.3 * rng.normal(size=4))
        if np.linalg.norm(other - trace.point) > 1e-3:
            assert np.linalg.norm(projected_gradient(bowl, other, region)) > 1e-4
            assert bowl.value(other) > bowl.value(trace.point)


@pytest.mark.syllabus("S0B-024", "S0B-025")
def test_projected_descent_on_a_box_ends_where_scipys_does(bowl):
    box = Box(np.full(4, -0.3), np.full(4, 0.3))
    found = minimize(
        bowl.value,
        np.zeros(4),
        jac=bowl.gradient,
        bounds=[(-0.3, 0.3)] * 4,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-10},
    )
    trace = ProjectedGradient(box).minimize(bowl, np.ones(4))
    assert trace.point == pytest.approx(found.x, abs=1e-6)
    assert all(box.contains(point) for point in trace.points)
    assert np.all(np.diff(trace.values) <= 1e-12)
    for here, there in zip(trace.points, trace.points[1:], strict=False):
        step = here - bowl.gradient(here) / bowl.smoothness
        assert there == pytest.approx(box.project(step))


@pytest.mark.syllabus("S0B-025")
def test_the_linear_rate_of_gradient_descent_survives_the_projection(bowl):
    box = Box(np.full(4, -0.3), np.full(4, 0.3))
    trace = ProjectedGradient(box, tolerance=1e-12).minimize(bowl, np.full(4, 0.3))
    gaps = trace.values - trace.best
    share = 1.0 - bowl.strong_convexity / bowl.smoothness
    powers = share ** np.arange(len(gaps))
    assert np.all(gaps <= gaps[0] * powers + 1e-12)


def test_without_a_known_smoothness_the_step_is_found(bowl):
    box = Box(np.full(4, -0.3), np.full(4, 0.3))
    known = ProjectedGradient(box).minimize(bowl, np.zeros(4))
    unknown = ProjectedGradient(box).minimize(
        Oracle(bowl.value, bowl.gradient), np.zeros(4)
    )
    assert unknown.point == pytest.approx(known.point, abs=1e-6)
    assert unknown.steps[-1] <= 2.0 / bowl.strong_convexity


@pytest.mark.syllabus("S0B-026")
@pytest.mark.parametrize(
    "region", [Simplex(), Ball(1.0, 0.5), Ball(2.0, 0.7)], ids=["simplex", "1", "2"]
)
def test_spectral_steps_reach_the_same_minimum_in_fewer_iterations(region, rng):
    spectrum = np.geomspace(1.0, 200.0, 8)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    bowl = Quadratic((turn * spectrum) @ turn.T, rng.normal(size=8))
    start = region.project(np.ones(8))
    plain = ProjectedGradient(region, max_iterations=20_000).minimize(bowl, start)
    spectral = ProjectedBarzilaiBorwein(region).minimize(bowl, start)
    assert spectral.reason == "gradient"
    assert spectral.point == pytest.approx(plain.point, abs=1e-6)
    assert 3 * spectral.iterations < plain.iterations
    assert spectral.gap <= 1e-6
    assert all(region.contains(point, 1e-9) for point in spectral.points)


@pytest.mark.parametrize("name", ["simplex", "1-norm ball", "euclidean ball"])
def test_conditional_gradients_prove_their_own_gap(name, bowl):
    region = SETS[name]
    start = region.support_point(np.ones(4))
    best = ProjectedGradient(region, tolerance=1e-12).minimize(bowl, start).best
    trace = ConditionalGradient(region, tolerance=1e-3, max_iterations=20_000).minimize(
        bowl, start
    )
    assert trace.reason == "gap"
    assert np.all(np.minimum.accumulate(trace.values) - best <= trace.gaps + 1e-12)
    assert all(region.contains(point, 1e-9) for point in trace.points)


def test_conditional_gradients_complete_a_matrix_with_few_ranks(rng):
    truth = np.outer(rng.normal(size=6), rng.normal(size=5))
    seen = rng.random(30) < 0.7
    square = Quadratic(np.diag(seen.astype(float)), -(seen * truth.ravel()))
    radius = float(np.linalg.norm(truth, "nuc"))
    method = ConditionalGradient(
        NuclearBall((6, 5), radius), tolerance=0.0, max_iterations=3
    )
    trace = method.minimize(square, np.zeros(30))
    ranks = [np.linalg.matrix_rank(p.reshape(6, 5), tol=1e-9) for p in trace.points]
    assert all(rank <= t for t, rank in enumerate(ranks)), "one corner an iteration"
    longer = ConditionalGradient(
        NuclearBall((6, 5), radius), max_iterations=2000
    ).minimize(square, np.zeros(30))
    fitted = longer.point - truth.ravel()
    assert np.linalg.norm(fitted[seen]) < 0.05 * np.linalg.norm(truth)
