"""Capacity against the lectures: shattered sets, growth, VC dimensions."""

from itertools import product
from math import comb, e, inf, log

import numpy as np
import pytest
from scipy.optimize import linprog

from infimum.errors import DataError, InvalidParameterError
from infimum.theory import (
    Discs,
    FiniteClass,
    HalfPlanesAbove,
    HalfSpaces,
    Histograms,
    Intervals,
    MarginHalfSpaces,
    Polygons,
    Rectangles,
    SineWaves,
    Stumps,
    Thresholds,
    growth_function,
    log_sauer_shelah,
    sauer_shelah,
    shatters,
    vc_bracket,
)


def circle(n):
    turn = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(turn), np.sin(turn)])


@pytest.mark.syllabus("S4B-072", "S4B-073")
def test_half_lines_label_n_points_in_n_plus_1_ways():
    for n in (1, 2, 5, 50):
        X = np.random.default_rng(n).permutation(n)
        assert len(Thresholds().patterns(X)) == Thresholds().growth(n) == n + 1
    assert vc_bracket(Thresholds()).low == vc_bracket(Thresholds()).high == 1
    assert len(Thresholds().patterns([3, 3, 3])) == 2


@pytest.mark.syllabus("S4B-074")
def test_half_planes_above_depend_on_the_heights():
    heights = np.column_stack([np.zeros(6), [4, 1, 3, 2, 6, 5]])
    level = np.column_stack([np.arange(6), np.ones(6)])
    assert len(HalfPlanesAbove().patterns(heights)) == 7
    assert len(HalfPlanesAbove().patterns(level)) == 2
    assert HalfPlanesAbove().growth(6) == 7


@pytest.mark.syllabus("S4B-075")
def test_discs_grow_like_cubes(rng):
    for n, expected in ((2, 4), (3, 8), (4, 15), (5, 26)):
        assert growth_function(Discs(), n, tries=10).low == expected
        assert Discs().growth(n) == expected == sum(comb(n, i) for i in range(4))
    assert vc_bracket(Discs(), tries=5).low == vc_bracket(Discs(), tries=5).high == 3
    X = rng.standard_normal((6, 2))
    for labels in Discs().patterns(X):
        centre, radius = Discs().circle(Discs().realize(X, labels))
        inside = np.linalg.norm(X - centre, axis=1) <= radius
        assert np.array_equal(inside, labels > 0)


@pytest.mark.syllabus("S4B-078", "S4B-079")
def test_intervals_shatter_two_points_never_three():
    assert [Intervals().growth(n) for n in range(1, 7)] == [2, 4, 7, 11, 16, 22]
    assert [len(Intervals().patterns(np.arange(n))) for n in range(1, 7)] == [
        2,
        4,
        7,
        11,
        16,
        22,
    ]
    found = vc_bracket(Intervals())
    assert found.low == found.high == 2
    assert shatters(Intervals(), found.witness)
    exhausted = vc_bracket(Intervals(), np.arange(8))
    assert exhausted.low == exhausted.high == 2
    assert "no 3 of the 8 points" in exhausted.sentence
    assert Intervals().realize([0, 1, 2], [1, -1, 1]) is None


@pytest.mark.syllabus("S4B-080")
def test_rectangles_shatter_a_diamond_and_no_five_points(rng):
    diamond = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])
    assert shatters(Rectangles(), diamond)
    assert not shatters(Rectangles(), [[0, 0], [1, 1], [2, 2], [3, 3]])
    assert not shatters(Rectangles(), [[0, 0], [4, 0], [0, 4], [1, 1]])
    most = max(len(Rectangles().patterns(rng.random((5, 2)))) for _ in range(300))
    assert most == 28
    found = vc_bracket(Rectangles())
    assert found.low == found.high == 4


@pytest.mark.syllabus("S4B-081")
def test_triangles_shatter_seven_points_of_a_circle():
    triangles, X = Polygons(3), circle(7)
    for labels in product([-1, 1], repeat=7):
        edges = triangles.realize(X, labels)
        assert edges is not None
        assert len(edges[0]) <= 3
        assert triangles.predict(edges, X).tolist() == list(labels)
        # Edges that face one half of the plane would leave a triangle open.
        assert set(triangles.predict(edges, 1e12 * circle(360)).tolist()) == {-1}
    assert triangles.vc_dimension == 7
    alternating = [1, -1] * 4
    assert triangles.realize(circle(8), alternating) is None
    assert Polygons(4).realize(circle(8), alternating) is not None
    assert triangles.realize([[0, 0], [1, 0], [2, 0]], [1, -1, 1]) is None


@pytest.mark.syllabus("S4B-082")
def test_sine_waves_shatter_as_many_points_as_you_like():
    X = 10.0 ** -np.arange(1, 6)
    for labels in product([-1, 1], repeat=5):
        t = SineWaves().realize(X, labels)
        digits = sum((1 - y) / 2 * 10**i for i, y in enumerate(labels, start=1))
        assert t == pytest.approx(np.pi * (1 + digits))
        assert np.sign(np.sin(t * X)).tolist() == list(labels)
    assert shatters(SineWaves(), X)
    assert SineWaves().vc_dimension == inf
    assert SineWaves().growth(30) == 2**30
    assert SineWaves().realize([0.3, 0.3], [1, -1]) is None
    found = vc_bracket(SineWaves(), most=6)
    assert (found.low, found.high) == (6, inf)
    assert "no finite bound" in found.sentence


@pytest.mark.syllabus("S4B-083")
def test_hyperplanes_shatter_a_simplex_and_no_more(rng):
    for d in (1, 2, 3, 4):
        corners = np.vstack([np.zeros(d), np.eye(d)])
        assert shatters(HalfSpaces(d), corners)
        assert HalfSpaces(d).vc_dimension == d + 1
    for _ in range(10):
        assert len(HalfSpaces(2).patterns(rng.standard_normal((4, 2)))) == 14
        assert len(HalfSpaces(3).patterns(rng.standard_normal((5, 3)))) == 30
    assert [HalfSpaces(2).growth(n) for n in (3, 4, 5)] == [8, 14, 22]


@pytest.mark.syllabus("S4B-084")
def test_a_margin_bounds_the_capacity_in_any_dimension(rng):
    kinds = [MarginHalfSpaces(1.0, rho, 50) for rho in (0.2, 0.3, 0.5, 0.9, 1.2)]
    assert [each.vc_dimension for each in kinds] == [51, 23, 9, 3, 2]
    for margin in (0.25, 0.6, 0.8, 1.0):
        hypotheses = MarginHalfSpaces(1.0, margin, 3)
        for n in (3, 4, 5):
            for _ in range(10):
                X = rng.standard_normal((n, 3))
                X /= np.linalg.norm(X, axis=1, keepdims=True)
                count = len(hypotheses.patterns(X))
                assert count < 2**n or n <= hypotheses.vc_dimension
    two = MarginHalfSpaces(1.0, 1.0, 2)
    assert shatters(two, [[1.0, 0.0], [-1.0, 0.0]])
    assert not shatters(two, [[0.9, 0.0], [-0.9, 0.0]])
    with pytest.raises(DataError, match="outside"):
        two.patterns([[2.0, 0.0]])


@pytest.mark.syllabus("S4B-085")
def test_the_lemma_is_attained_by_intervals_and_discs_and_bounded_by_a_power():
    assert sauer_shelah(2000, 3) == 1_333_335_001
    assert (e * 2000 / 3) ** 3 == pytest.approx(5.9513e9, rel=1e-4)
    for n in (3, 7, 20):
        assert sauer_shelah(n, 2) == Intervals().growth(n)
        assert sauer_shelah(n, 3) == Discs().growth(n)
        for d in (1, 2, 3):
            assert sauer_shelah(n, d) <= (e * n / d) ** d
    assert sauer_shelah(10, inf) == 1024 == sauer_shelah(10, 10)
    assert sauer_shelah(0, 3) == 1 == sauer_shelah(5, 0)
    for n, d in ((5, 0), (100, 7), (3000, 40), (8, 9)):
        assert log_sauer_shelah(n, d) == pytest.approx(log(sauer_shelah(n, d)))
    for bad in (-1, float("nan"), -inf):
        with pytest.raises((InvalidParameterError, ValueError)):
            sauer_shelah(5, bad)


def test_half_plane_patterns_are_those_of_linear_programmes(rng):
    for X in (
        rng.standard_normal((8, 2)),
        np.array(list(product([0.0, 1, 2], repeat=2))),  # many on a line
        np.column_stack([np.arange(6.0), 0.5 * np.arange(6.0)]),  # all on a line
        np.repeat(rng.random((3, 2)), 2, axis=0),  # twins
    ):
        listed = {tuple(row) for row in (HalfSpaces(2).patterns(X) > 0).tolist()}
        for labels in product([False, True], repeat=len(X)):
            signs = np.where(labels, 1.0, -1.0)
            table = -signs[:, None] * np.column_stack([X, np.ones(len(X))])
            free = [(None, None)] * 3
            asked = linprog(np.zeros(3), table, -np.ones(len(X)), bounds=free)
            assert (labels in listed) == (asked.status == 0)


def test_500_points_in_general_position_have_all_their_patterns(rng):
    X = rng.standard_normal((500, 2))
    listed = HalfSpaces(2).patterns(X)
    assert listed.shape == (249_502, 500)
    packed = np.packbits(listed > 0, axis=1)
    assert len(np.unique(packed, axis=0)) == 249_502
    for row in rng.integers(0, len(listed), 5):
        assert HalfSpaces(2).realize(X, listed[row]) is not None


def test_stumps_have_the_dimension_of_middle_binomials():
    # Each column is one order; halves must be first or last in one of them.
    four = np.array([[0, 1, 2, 3], [0, 2, 1, 3], [0, 2, 3, 1]]).T
    assert Stumps(3).vc_dimension == 4
    assert (
        shatters(Stumps(3), four) or growth_function(Stumps(3), 4, tries=400).low == 16
    )
    assert Stumps(1).vc_dimension == 2
    assert shatters(Stumps(1), [1.0, 2.0])


def test_what_costs_too_much_is_refused_with_its_cost():
    with pytest.raises(DataError, match="more than 1,048,576 ways"):
        Histograms(40).patterns(np.linspace(0, 1, 100))
    with pytest.raises(DataError, match="more than 1,048,576 ways"):
        HalfSpaces(2).patterns(np.random.default_rng(0).random((1200, 2)))
    with pytest.raises(DataError, match="2\\^30 labellings"):
        shatters(SineWaves(), 10.0 ** -np.arange(1, 31))
    with pytest.raises(DataError, match="sets of 4 points"):
        vc_bracket(Histograms(9), np.linspace(0, 1, 40))
    with pytest.raises(DataError, match="FiniteClass labels"):
        FiniteClass([[1, -1]]).patterns([2])
    with pytest.raises(DataError, match="in \\[0, 1\\]"):
        Histograms(3).patterns([1.5])
