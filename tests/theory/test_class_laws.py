"""Laws of every exported hypothesis class: witnesses, counts, exact minimisers."""

from itertools import product

import numpy as np
import pytest

from infimum import theory
from infimum.errors import DataError
from infimum.theory import HypothesisClass, growth_function, sauer_shelah

ALL_ON_FOUR = list(product([-1, 1], repeat=4))
FILLED = {
    "FiniteClass": ({"table": ALL_ON_FOUR[:11]},),
    "HalfSpaces": ({"columns": 1}, {"columns": 2}, {"columns": 3}),
    "Rectangles": ({"columns": 2}, {"columns": 3}),
    "Stumps": ({"columns": 1}, {"columns": 3}),
    "Histograms": ({"cells": 3},),
    "Polygons": ({"edges": 3}, {"edges": 4}),
    "MarginHalfSpaces": ({"radius": 2.0, "margin": 0.3},),
}
CLASSES = [
    kind(**fields)
    for kind in (getattr(theory, name) for name in theory.__all__)
    if isinstance(kind, type)
    and issubclass(kind, HypothesisClass)
    and kind is not HypothesisClass
    for fields in FILLED.get(kind.__name__, ({},))
]
SEARCHABLE = [each for each in CLASSES if not isinstance(each, theory.SineWaves)]
ON_GIVEN_POINTS = theory.FiniteClass | theory.Histograms | theory.MarginHalfSpaces
EVERYWHERE = [each for each in SEARCHABLE if not isinstance(each, ON_GIVEN_POINTS)]


def named(each):
    return f"{type(each).__name__}{each.dimension}"


def points_of(hypotheses, n, rng):
    if isinstance(hypotheses, theory.FiniteClass):
        return np.arange(4)[:n, None] * 1.0
    if isinstance(hypotheses, theory.SineWaves):
        return 10.0 ** -np.arange(1, n + 1)[:, None]
    return rng.random((n, hypotheses.dimension))


def test_twelve_classes_are_found():
    assert len({type(each) for each in CLASSES}) == 12


@pytest.mark.parametrize("hypotheses", CLASSES, ids=named)
def test_patterns_are_those_that_brute_force_realizes(hypotheses, rng):
    n = 4
    X = points_of(hypotheses, n, rng)
    listed = {tuple(row) for row in hypotheses.patterns(X).tolist()}
    realized = set()
    for labels in product([-1, 1], repeat=n):
        parameters = hypotheses.realize(X, labels)
        if parameters is not None:
            assert hypotheses.predict(parameters, X).tolist() == list(labels)
            realized.add(labels)
    assert listed == realized
    assert len(hypotheses.patterns(X)) == len(listed)


@pytest.mark.parametrize("hypotheses", SEARCHABLE, ids=named)
def test_patterns_stay_below_growth_and_the_lemma(hypotheses, rng):
    for n in (1, 2, 4, 7):
        X = points_of(hypotheses, n, rng)
        count = len(hypotheses.patterns(X))
        lemma = sauer_shelah(n, hypotheses.vc_dimension)
        assert count <= hypotheses.growth(n) <= max(lemma, 2)


@pytest.mark.parametrize("hypotheses", SEARCHABLE, ids=named)
def test_the_minimiser_beats_every_function_of_the_class(hypotheses, rng):
    for _ in range(5):
        X = points_of(hypotheses, 6, rng)
        y = rng.choice([-1, 1], len(X))
        weights = rng.random(len(X)) * (rng.random(len(X)) < 0.8) + 1e-3
        best = hypotheses.minimize(X, y, weights)
        wrong = hypotheses.predict(best.parameters, X) != y
        assert best.risk == pytest.approx(np.average(wrong, weights=weights))
        risks = (hypotheses.patterns(X) != y) @ (weights / weights.sum())
        assert best.risk == pytest.approx(risks.min())


@pytest.mark.parametrize("hypotheses", SEARCHABLE, ids=named)
def test_a_weight_means_copies_and_copies_make_no_pattern(hypotheses, rng):
    X = points_of(hypotheses, 4, rng)
    y = np.array([1, -1, -1, 1])
    counts = np.array([1, 3, 2, 1])
    once = hypotheses.minimize(X, y, counts)
    copied = hypotheses.minimize(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert once.risk == pytest.approx(copied.risk)
    twice = hypotheses.patterns(np.vstack([X, X[::-1]]))
    assert len(twice) == len(hypotheses.patterns(X))
    assert np.array_equal(twice[:, :4], twice[:, :3:-1])


@pytest.mark.parametrize("hypotheses", SEARCHABLE, ids=named)
def test_one_point_and_no_point(hypotheses, rng):
    X = points_of(hypotheses, 1, rng)
    assert len(hypotheses.patterns(X)) == 2
    assert hypotheses.patterns(X[:0]).shape == (1, 0)
    assert hypotheses.growth(0) == 1


@pytest.mark.parametrize("hypotheses", EVERYWHERE, ids=named)
def test_moved_and_scaled_points_have_as_many_patterns(hypotheses, rng):
    X = points_of(hypotheses, 5, rng)
    count = len(hypotheses.patterns(X))
    for scale, shift in ((1e-6, 0.0), (1e6, 3.0), (1.0, 1e4)):
        assert len(hypotheses.patterns(scale * X + shift)) == count


@pytest.mark.parametrize("hypotheses", CLASSES, ids=named)
def test_bad_points_and_labels_are_refused(hypotheses, rng):
    X = points_of(hypotheses, 3, rng)
    with pytest.raises(DataError, match="numbers"):
        hypotheses.patterns(np.ones((2, 9)))
    with pytest.raises(DataError, match="finite"):
        hypotheses.patterns(np.where(np.arange(3)[:, None] == 1, np.nan, X))
    with pytest.raises(DataError, match="labels"):
        hypotheses.realize(X, [1, 2, 3])
    with pytest.raises(DataError, match="labels"):
        hypotheses.realize(X, [1, -1])


@pytest.mark.parametrize("hypotheses", SEARCHABLE, ids=named)
def test_bad_weights_are_refused(hypotheses, rng):
    X = points_of(hypotheses, 3, rng)
    for weights in ([0, 0, 0], [1, -1, 1], [1, 1]):
        with pytest.raises(DataError, match="weights"):
            hypotheses.minimize(X, [1, 1, -1], weights)


@pytest.mark.parametrize(
    "hypotheses",
    [
        theory.Thresholds(),
        theory.Intervals(),
        theory.HalfPlanesAbove(),
        theory.Discs(),
        theory.HalfSpaces(1),
        theory.HalfSpaces(2),
        theory.HalfSpaces(3),
        theory.Histograms(3),
        theory.Stumps(1),
    ],
    ids=named,
)
def test_growth_is_attained_where_a_formula_is_exact(hypotheses):
    for n in (1, 2, 3, 4, 5):
        found = growth_function(hypotheses, n, tries=20)
        assert found.low == found.high == hypotheses.growth(n)
