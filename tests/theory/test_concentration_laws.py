"""Laws of every exported inequality: monotone, inverse to itself, never too small."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from infimum import theory
from infimum.errors import InvalidParameterError
from infimum.theory import Concentration, Hoeffding, UnionBound

FILLED = {"Markov": {"mean": 0.3}, "UnionBound": {"each": Hoeffding(), "count": 7}}
CLASSES = [
    kind
    for kind in (getattr(theory, name) for name in theory.__all__)
    if isinstance(kind, type) and issubclass(kind, Concentration)
]
INEQUALITIES = [
    kind(**FILLED.get(kind.__name__, {}))
    for kind in CLASSES
    if kind is not Concentration
]
BY_DEVIATION = [each for each in INEQUALITIES if not isinstance(each, theory.Markov)]
PROVED = [each for each in BY_DEVIATION if not each.approximate]
GRID = list(product([1, 7, 40, 300], [0.02, 0.11, 0.3, 0.45]))


def named(each):
    return type(each).__name__


def test_eight_inequalities_are_found():
    assert len(INEQUALITIES) == 8


@pytest.mark.parametrize("law", INEQUALITIES, ids=named)
def test_probabilities_fall_with_the_deviation_and_lie_between_0_and_1(law):
    found = [law.probability(50, e) for e in np.geomspace(1e-3, 3, 60)]
    assert all(0 <= each <= 1 for each in found)
    assert np.all(np.diff(found) <= 1e-15)


@pytest.mark.parametrize("law", BY_DEVIATION, ids=named)
def test_more_draws_and_more_doubt_make_the_radius_smaller(law):
    by_draws = [law.radius(n, 0.1) for n in (10, 40, 160, 640)]
    by_doubt = [law.radius(100, delta) for delta in (1e-9, 1e-3, 0.1, 0.9)]
    assert np.all(np.diff(by_draws) < 0)
    assert np.all(np.diff(by_doubt) <= 0)


@pytest.mark.parametrize("law", INEQUALITIES, ids=named)
@pytest.mark.parametrize("delta", [1e-12, 0.01, 0.3])
def test_the_radius_is_reached_with_the_probability_asked_for(law, delta):
    for n in (5, 80, 2000):
        radius = law.radius(n, delta)
        assert law.probability(n, radius) <= delta * (1 + 1e-9)
        if named(law) != "ExactBinomial":
            assert law.probability(n, radius) == pytest.approx(delta)


@pytest.mark.parametrize("law", BY_DEVIATION, ids=named)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.05), (0.03, 0.2), (0.4, 1e-4)])
def test_the_sample_size_is_the_first_that_suffices(law, epsilon, delta):
    n = law.sample_size(epsilon, delta)
    assert n == int(n)
    assert law.probability(n, epsilon) <= delta * (1 + 1e-9)
    assert n == 1 or law.probability(n - 1, epsilon) > delta


@pytest.mark.parametrize("law", PROVED, ids=named)
def test_no_bound_lies_below_the_exact_tail_of_fair_coins(law):
    for n, epsilon in GRID:
        low, high = (
            np.floor(n * (0.5 - epsilon) + 1e-9),
            np.ceil(n * (0.5 + epsilon) - 1e-9),
        )
        exact = binom.cdf(low, n, 0.5) + binom.sf(high - 1, n, 0.5)
        assert law.probability(n, epsilon) >= exact * (1 - 1e-12)


@pytest.mark.parametrize("rate", [0.01, 0.2, 0.7])
def test_bounds_with_the_true_variance_hold_for_every_rate(rate):
    variance = rate * (1 - rate)
    exact = theory.ExactBinomial(rate)
    for n, epsilon in GRID:
        tail = exact.probability(n, epsilon) * (1 - 1e-12)
        assert theory.Chebyshev(variance).probability(n, epsilon) >= tail
        assert theory.Bernstein(variance).probability(n, epsilon) >= tail
        assert Hoeffding().probability(n, epsilon) >= tail
        one = theory.ExactBinomial(rate, "above").probability(n, epsilon)
        assert Hoeffding(sides=1).probability(n, epsilon) >= one * (1 - 1e-12)


def test_what_is_approximate_says_so_and_can_be_below_the_truth():
    normal, exact = theory.NormalApproximation(0.01 * 0.99), theory.ExactBinomial(0.01)
    assert normal.approximate
    assert not exact.approximate
    assert normal.probability(20, 0.1) < exact.probability(20, 0.1)


@pytest.mark.parametrize("law", INEQUALITIES, ids=named)
def test_every_inequality_names_its_assumption(law):
    assert isinstance(law.assumption, str)
    assert len(law.assumption) > 10


@pytest.mark.parametrize("law", INEQUALITIES, ids=named)
@pytest.mark.parametrize(
    ("call", "values"),
    [
        ("radius", (10, 0.0)),
        ("radius", (10, 1.0)),
        ("radius", (0, 0.1)),
        ("probability", (10, 0.0)),
        ("probability", (10, float("nan"))),
        ("probability", (2.5, 0.1)),
        ("sample_size", (-1.0, 0.1)),
        ("sample_size", (0.1, 1.5)),
    ],
)
def test_what_is_no_size_deviation_or_chance_is_refused(law, call, values):
    with pytest.raises(InvalidParameterError, match=named(law)):
        getattr(law, call)(*values)


def test_parameters_outside_their_domain_are_refused():
    for make in (
        lambda: Hoeffding(width=0.0),
        lambda: Hoeffding(sides=3),
        lambda: theory.Chebyshev(-1.0),
        lambda: theory.ExactBinomial(1.2),
        lambda: UnionBound(Hoeffding(), 0),
        lambda: UnionBound(Hoeffding(), 2.5),
    ):
        with pytest.raises(InvalidParameterError):
            make()


def test_a_number_of_statements_beyond_floats_is_taken_in_logarithms():
    many = UnionBound(Hoeffding(), 2**10_000)
    expected = np.sqrt((np.log(2) + 10_000 * np.log(2) - np.log(0.05)) / 2e6)
    assert many.radius(1_000_000, 0.05) == pytest.approx(expected)
    assert many.probability(10, 0.1) == 1.0


def test_extreme_scales_neither_overflow_nor_vanish():
    for scale in (1e-150, 1e150):
        wide = Hoeffding(width=scale)
        assert wide.radius(100, 0.05) == pytest.approx(
            scale * Hoeffding().radius(100, 0.05)
        )
        assert wide.sample_size(0.1 * scale, 0.05) == Hoeffding().sample_size(0.1, 0.05)
    assert Hoeffding().probability(10**9, 1.0) == 0.0
