"""Finite probability, exactly, in the words of the lecture and of the problems."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import (
    Hypergeometric,
    best_linear_predictor,
    sample_moments,
)
from infimum.errors import DataError
from infimum.study.probability import (
    FiniteSpace,
    chance_of_none,
    matching_coins,
    monty_hall,
)

DIE = FiniteSpace.uniform(range(1, 7))
COINS = FiniteSpace.uniform([0, 1]) * FiniteSpace.uniform([0, 1])
DICE = DIE * DIE
#: A tumour is rare; the picture shows it in 8 of 10 cases, and often without one.
BREAST = FiniteSpace(
    {
        ("ill", "+"): Fraction("0.008"),
        ("ill", "-"): Fraction("0.002"),
        ("well", "+"): Fraction("0.99") * Fraction("0.096"),
        ("well", "-"): Fraction("0.99") * Fraction("0.904"),
    }
)


def identity(w):
    return w


def first(w):
    return w[0]


def second(w):
    return w[1]


def total(w):
    return w[0] + w[1]


@pytest.mark.syllabus("S4B-255", "S4B-256")
def test_a_die_as_a_probability_space():
    assert DIE.probability({1, 2, 5}) == Fraction(1, 2)
    assert DIE.probability(set()) == 0
    assert DIE.probability(lambda _: True) == 1
    assert DIE.conditional({3}, lambda x: x % 2 == 1) == Fraction(1, 3)
    for wrong in ({1: 0.5, 2: 0.4}, {1: Fraction(3, 2), 2: Fraction(-1, 2)}, {}):
        with pytest.raises(DataError, match="sum to 1"):
            FiniteSpace(wrong)
    with pytest.raises(DataError, match="probability 0"):
        DIE.conditional({3}, set())
    with pytest.raises(DataError, match="no outcome 9"):
        DIE.probability({9})


@pytest.mark.syllabus("S4B-257")
def test_the_union_bound(rng):
    for _ in range(30):
        events = [set(rng.choice(6, size=3).tolist()) for _ in range(3)]
        events = [{x + 1 for x in event} for event in events]
        joined, bound = DIE.union_bound(events)
        assert joined == DIE.probability(set.union(*events)) <= bound
    assert DIE.union_bound([{1}, {2, 3}]) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.syllabus("S4B-258", "S4B-259")
def test_mammography():
    ill, shown = (lambda w: w[0] == "ill"), (lambda w: w[1] == "+")
    well = lambda w: w[0] == "well"  # noqa: E731
    assert float(BREAST.total(shown, [ill, well])) == pytest.approx(0.10304)
    assert BREAST.total(shown, [ill, well]) == BREAST.probability(shown)
    assert float(BREAST.bayes(ill, shown)) == pytest.approx(0.07764, abs=5e-6)
    assert BREAST.bayes(ill, shown) == BREAST.conditional(ill, shown)
    with pytest.raises(DataError, match="exactly one part"):
        BREAST.total(shown, [ill, ill])


@pytest.mark.syllabus("S4B-260")
def test_an_urn_without_putting_back():
    urn = FiniteSpace.uniform(combinations(range(10), 3))
    law = urn.law(lambda balls: sum(ball < 5 for ball in balls))
    assert [law[k] for k in range(4)] == [
        Fraction(1, 12),
        Fraction(5, 12),
        Fraction(5, 12),
        Fraction(1, 12),
    ]
    reference = stats.hypergeom(10, 5, 3).pmf(range(4))
    assert Hypergeometric(10, 5, 3).density(range(4)) == pytest.approx(reference)


@pytest.mark.syllabus("S4B-264")
def test_independence_of_two_coins():
    assert COINS.independent(first, second)
    assert not COINS.independent(first, total)
    x, y = COINS.dependence(first, total)
    both = COINS.joint(first, total).get((x, y), Fraction(0))
    assert both != COINS.law(first)[x] * COINS.law(total)[y]
    assert COINS.independent_events(lambda w: w[0] == 1, lambda w: w[0] == w[1])


@pytest.mark.syllabus("S4B-265", "S4B-266")
def test_expectation_and_variance_of_sums():
    assert DIE.expectation(identity) == Fraction(7, 2)
    coin = FiniteSpace({1: Fraction(3, 10), 0: Fraction(7, 10)})
    assert coin.expectation(identity) == Fraction(3, 10)
    assert coin.variance(identity) == Fraction(3, 10) * Fraction(7, 10)
    assert DICE.expectation(total) == 7
    assert DICE.expectation(lambda w: w[0] * w[1]) == Fraction(49, 4)
    assert DICE.variance(total) == 2 * DIE.variance(identity) == Fraction(35, 6)
    assert DIE.variance(lambda x: 3 * x + 5) == 9 * DIE.variance(identity)
    square = DIE.expectation(lambda x: x**2)
    assert square - DIE.expectation(identity) ** 2 == DIE.variance(identity)


@pytest.mark.syllabus("S4B-267", "S4B-269")
def test_uncorrelated_is_not_independent(rng):
    space = FiniteSpace.uniform([-1, 0, 1])
    assert space.covariance(identity, lambda x: x * x) == 0
    assert not space.independent(identity, lambda x: x * x)
    for slope in (0.2, -3.0):
        assert DIE.correlation(identity, lambda x, s=slope: s * x + 1) == pytest.approx(
            np.sign(slope)
        )
    X = rng.normal(size=(40, 2))
    assert sample_moments(X).correlation == pytest.approx(np.corrcoef(X.T))
    turn = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    ring = sample_moments(np.column_stack([np.cos(turn), np.sin(turn)]))
    assert abs(ring.correlation[0, 1]) < 1e-12


@pytest.mark.syllabus("S4B-268")
def test_the_best_line(rng):
    slope, intercept = DICE.best_linear_predictor(first, total)
    assert (slope, intercept) == (1, Fraction(7, 2))
    x = rng.normal(size=50)
    y = 2 * x + rng.normal(size=50)
    assert best_linear_predictor(x, y) == pytest.approx(np.polyfit(x, y, 1))
    standard = [(v - v.mean()) / v.std() for v in (x, y)]
    covariance = sample_moments(np.column_stack(standard)).covariance[0, 1]
    assert best_linear_predictor(*standard) == pytest.approx((covariance, 0), abs=1e-12)
    with pytest.raises(DataError, match="x is constant"):
        best_linear_predictor([1, 1], [0, 2])


@pytest.mark.syllabus("S4B-272")
def test_conditional_independence_and_a_collider():
    three = COINS * FiniteSpace.uniform([0, 1])  # ((e1, e2), z)
    z, x, y = second, lambda w: w[0][0] + w[1], lambda w: w[0][1] + w[1]
    assert three.independent(x, y, given=z)
    assert not three.independent(x, y)
    assert COINS.independent(first, second)
    assert not COINS.independent(first, second, given=total)
    assert len(COINS.dependence(first, second, given=total)) == 3


@pytest.mark.syllabus("S4B-273", "S4B-274")
def test_moments_of_samples(rng):
    X = rng.normal(size=(30, 3))
    found = sample_moments(X)
    assert found.mean == pytest.approx(X.mean(axis=0))
    assert found.covariance == pytest.approx(np.cov(X.T, bias=True))
    assert found.variance == pytest.approx(X.var(axis=0))
    assert found.overall_variance == pytest.approx(X.var(axis=0).sum())
    assert sample_moments(X, unbiased=True).covariance == pytest.approx(np.cov(X.T))
    counts = rng.integers(1, 4, size=30)
    repeated = sample_moments(np.repeat(X, counts, axis=0))
    assert sample_moments(X, counts).covariance == pytest.approx(repeated.covariance)
    with pytest.raises(DataError, match="two for an unbiased"):
        sample_moments([1.0], unbiased=True)


@pytest.mark.syllabus("S4B-275")
def test_conditional_expectation_of_a_sum_of_dice():
    assert DICE.expectation(total, given=lambda w: w[0] == 3) == Fraction(13, 2)
    inner = lambda w: DICE.expectation(total, given=lambda v: v[0] == w[0])  # noqa: E731
    assert DICE.expectation(inner) == 7


@pytest.mark.syllabus("S0A-064")
def test_a_search_in_a_database_of_millions():
    assert chance_of_none(1e-7, 10_000_000) == pytest.approx(0.3679, abs=1e-4)
    assert chance_of_none(0.3, 4) == pytest.approx(0.7**4)


@pytest.mark.syllabus("S0A-065")
def test_bringing_a_bomb_does_not_make_another_less_probable():
    rare = Fraction(1, 1_000_000)
    bomb = FiniteSpace({1: rare, 0: 1 - rare})
    two = bomb * bomb
    assert two.probability(lambda w: w[0] and w[1]) == Fraction(1, 10**12)
    assert two.conditional(lambda w: w[1] == 1, lambda w: w[0] == 1) == rare


@pytest.mark.syllabus("S0A-066")
def test_monty_hall():
    game = monty_hall()
    assert game.probability(lambda w: w[0] == w[1]) == Fraction(1, 3)
    switched = lambda w: ({0, 1, 2} - {w[1], w[2]}) == {w[0]}  # noqa: E731
    assert game.probability(switched) == Fraction(2, 3)
    assert game.conditional(switched, lambda w: w[1:] == (0, 2)) == Fraction(2, 3)
    drawn = game.sample(6000, random_state=0)
    assert np.mean([switched(w) for w in drawn]) == pytest.approx(2 / 3, abs=0.025)


@pytest.mark.syllabus("S0A-069")
def test_matching_coins():
    same = lambda w: w[0] == w[1]  # noqa: E731
    for p, q in (
        (Fraction(1, 2), Fraction(9, 10)),
        (Fraction(3, 10), Fraction(1, 2)),
        (Fraction(3, 10), Fraction(9, 10)),
    ):
        told = p * q + (1 - p) * (1 - q)
        assert matching_coins(p, q).probability(same) == told
    assert matching_coins(Fraction(1, 2), Fraction(9, 10)).probability(
        same
    ) == Fraction(1, 2)
    # Against a biased coin the best answer is always the same side.
    wins = [
        matching_coins(Fraction(k, 10), Fraction(7, 10)).probability(same)
        for k in range(11)
    ]
    assert max(wins) == wins[10] == Fraction(7, 10)
