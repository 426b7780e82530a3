"""Convex sets: no chord leaves them, nor their intersections."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

from infimum.errors import DataError, IncompatibleError
from infimum.study.convexity import (
    Ball,
    Box,
    ConvexHull,
    HalfSpace,
    Intersection,
    LinearImage,
    Simplex,
    convex_combination,
    stray_chord,
)

DIMENSION = 3
CORNERS = np.array(
    [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.2],
        [0.0, 1.0, 0.0],
        [0.3, 0.1, 1.0],
        [1.0, 1.0, 1.0],
    ]
)
SETS = {
    "box": Box(np.full(DIMENSION, -1.0), np.array([0.5, 1.0, 2.0])),
    "simplex": Simplex(2.0),
    "1-ball": Ball(1.0, 1.5),
    "2-ball": Ball(2.0, 1.2, np.array([0.3, 0.0, -0.2])),
    "maximum-ball": Ball(np.inf, 0.8),
    "half-space": HalfSpace(np.array([1.0, -2.0, 0.5]), 0.4),
    "hull": ConvexHull(CORNERS),
}
SETS["intersection"] = Intersection((SETS["box"], SETS["1-ball"], SETS["half-space"]))
with_projection = pytest.mark.parametrize(
    "name", [name for name in SETS if name != "hull"]
)


def members(region, rng, count=12):
    if isinstance(region, ConvexHull):
        weights = rng.dirichlet(np.ones(len(region.points)), count)
        return weights @ region.points
    return np.array(
        [region.project(2.0 * rng.normal(size=DIMENSION)) for _ in range(count)]
    )


@pytest.mark.syllabus("S0A-217")
@pytest.mark.parametrize("name", SETS)
def test_chords_between_members_stay_in_a_convex_set(name, rng):
    region = SETS[name]
    points = members(region, rng)
    assert all(region.contains(point, 1e-8) for point in points)
    assert stray_chord(lambda x: region.contains(x, 1e-8), points) is None


@pytest.mark.syllabus("S0A-217", "S0B-056")
def test_an_intersection_is_convex_and_holds_exactly_the_common_members(rng):
    parts = (Ball(1.0, 1.5), Box(np.full(2, -0.5), np.ones(2)))
    both = Intersection(parts)
    points = rng.uniform(-1.5, 1.5, size=(200, 2))
    inside = [both.contains(point) for point in points]
    assert inside == [all(p.contains(point) for p in parts) for point in points]
    assert 20 < sum(inside) < 180
    assert stray_chord(both.contains, points[:60]) is None


@pytest.mark.syllabus("S0A-217")
def test_an_annulus_and_a_union_of_balls_are_caught(rng):
    def annulus(x):
        return bool(1.0 <= np.linalg.norm(x) <= 2.0)

    def union(x):
        return Ball(2.0, 0.6).contains(x) or Ball(2.0, 0.6, np.ones(2)).contains(x)

    points = rng.uniform(-2.0, 2.0, size=(80, 2))
    for contains in (annulus, union):
        stray = stray_chord(contains, points)
        assert contains(stray.x)
        assert contains(stray.y)
        assert not contains(stray.middle)


@pytest.mark.syllabus("S0B-056")
def test_the_linear_image_of_a_convex_set_is_convex(rng):
    matrix = rng.normal(size=(4, 3))
    image = LinearImage(SETS["1-ball"], matrix)
    points = members(SETS["1-ball"], rng) @ matrix.T
    assert all(image.contains(point) for point in points)
    assert stray_chord(image.contains, points) is None
    assert not image.contains(1.6 / 1.5 * image.support_point(rng.normal(size=4)))
    off_range = np.linalg.svd(matrix)[0][:, 3]
    assert not image.contains(points[0] + 0.1 * off_range)
    for _ in range(10):
        direction = rng.normal(size=4)
        farthest = image.support_point(direction)
        assert image.contains(farthest)
        assert image.support(direction) == pytest.approx(farthest @ direction)
        assert np.max(points @ direction) <= image.support(direction) + 1e-12


@pytest.mark.syllabus("S0B-056")
def test_the_hull_is_the_smallest_convex_set_around_its_points(rng):
    ball = Ball(2.0, 1.2)
    points = np.array([ball.project(2.0 * rng.normal(size=3)) for _ in range(10)])
    hull = ConvexHull(points)
    assert all(hull.contains(point) for point in points)
    # Whatever is convex and holds the points holds their mixtures, so the hull.
    for _ in range(50):
        mixture = convex_combination(points, rng.dirichlet(np.ones(10)))
        assert hull.contains(mixture)
        assert ball.contains(mixture)
    for direction in rng.normal(size=(20, 3)):
        assert hull.support(direction) <= ball.support(direction) + 1e-12


@pytest.mark.syllabus("S0A-218")
def test_membership_in_a_hull_agrees_with_a_triangulation(rng):
    for dimension in (2, 3):
        points = rng.normal(size=(12, dimension))
        hull, cells = ConvexHull(points), Delaunay(points)
        probes = 1.2 * rng.normal(size=(60, dimension))
        expected = cells.find_simplex(probes) >= 0
        assert [hull.contains(probe) for probe in probes] == expected.tolist()
        assert 5 < np.sum(expected) < 55


@pytest.mark.syllabus("S0A-218")
def test_a_hull_proves_membership_by_the_weights_of_a_convex_combination(rng):
    points = rng.normal(size=(9, 4))
    inside = convex_combination(points, rng.dirichlet(np.ones(9)))
    weights = ConvexHull(points).weights(inside)
    assert np.min(weights) >= 0.0
    assert np.sum(weights) == pytest.approx(1.0, abs=1e-15)
    assert convex_combination(points, weights) == pytest.approx(inside, abs=1e-7)


@with_projection
def test_a_projection_is_a_member_and_the_nearest_one(name, rng):
    region = SETS[name]
    for _ in range(5):
        x = 2.0 * rng.normal(size=DIMENSION)
        nearest = region.project(x)
        assert region.contains(nearest, 1e-8)
        # ⟨x - Px, z - Px⟩ ≤ 0 for every member z characterises the projection.
        for member in members(region, rng, 6):
            assert (x - nearest) @ (member - nearest) <= 1e-7


@pytest.mark.parametrize("name", ["box", "simplex", "1-ball", "2-ball", "hull"])
def test_the_support_point_is_a_member_that_no_member_beats(name, rng):
    region = SETS[name]
    for _ in range(5):
        direction = rng.normal(size=DIMENSION)
        farthest = region.support_point(direction)
        assert region.contains(farthest)
        assert region.support(direction) == pytest.approx(farthest @ direction)
        assert np.all(members(region, rng) @ direction <= farthest @ direction + 1e-12)


def test_a_half_space_reaches_infinitely_far_except_along_its_normal():
    plane = HalfSpace(np.array([3.0, 4.0]), 10.0)
    assert plane.support(np.array([1.5, 2.0])) == 5.0
    assert plane.support(np.array([-3.0, -4.0])) == np.inf
    assert plane.support(np.array([1.0, 0.0])) == np.inf
    assert plane.support_point(plane.normal) @ plane.normal == pytest.approx(10.0)


def test_a_box_may_be_unbounded():
    quadrant = Box(np.zeros(2), np.full(2, np.inf))
    assert quadrant.support(np.array([0.0, -1.0])) == 0.0
    assert quadrant.support(np.array([0.0, 1.0])) == np.inf


def test_missing_formulas_and_disjoint_sets_are_refused():
    with pytest.raises(IncompatibleError, match="projection"):
        Ball(3.0).project(np.array([2.0, 2.0]))
    with pytest.raises(IncompatibleError, match="support point"):
        Intersection((Ball(), Ball(1.0))).support(np.ones(2))
    apart = Intersection((Ball(), Ball(2.0, 1.0, np.full(2, 5.0))), max_rounds=50)
    with pytest.raises(DataError, match="no point in common"):
        apart.project(np.zeros(2))
    with pytest.raises(DataError, match="independent columns"):
        LinearImage(Ball(), np.ones((2, 2)))
