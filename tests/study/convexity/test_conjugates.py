"""Fenchel conjugates: definition, rules, and the inequality of Fenchel and Young."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial import ConvexHull as QuickHull
from scipy.special import softmax

from infimum.study.convexity import (
    BFGS,
    Affine,
    BinaryEntropy,
    Box,
    Dilated,
    ExponentialSum,
    Indicator,
    InfimalConvolution,
    LogBarrier,
    LogSumExp,
    NegativeEntropy,
    Norm,
    NumericConjugate,
    Oracle,
    Quadratic,
    Raised,
    Softplus,
    SquaredNorm,
    Tilted,
    Translated,
    UnnormalizedEntropy,
    conjugate_of_infimum,
    fenchel_young_gap,
    legendre_transform,
    rounding_allowance,
    worst_chord,
)

interval = Box(np.array([-1.0]), np.array([2.0]))
#: Functions of one variable with slopes at which their conjugate is finite.
ONE_VARIABLE = {
    "quadratic": (Quadratic(np.array([[3.0]]), np.array([1.0]), 2.0), (-2.0, 0.0, 5.0)),
    "squared norm": (SquaredNorm(scale=0.4), (-1.0, 0.5)),
    "absolute value": (Norm(1.0, 2.0), (-2.0, -0.7, 0.0, 2.0)),
    "exponential": (ExponentialSum(), (0.2, 1.0, 7.0)),
    "entropy": (UnnormalizedEntropy(), (-2.0, 0.0, 1.5)),
    "barrier": (LogBarrier(), (-3.0, -1.0, -0.2)),
    "softplus": (Softplus(2.0), (0.1, 1.0, 1.9)),
    "binary entropy": (BinaryEntropy(), (-3.0, 0.0, 2.0)),
    "interval": (Indicator(interval), (-2.0, 0.0, 3.0)),
    "support": (Indicator(interval).conjugate(), (-1.0, 0.5, 2.0)),
}
one_variable = pytest.mark.parametrize("name", ONE_VARIABLE)


def at(t):
    return np.array([float(t)])


def assert_conjugate(function, slopes, centre=0.0):
    """Assert that the rule's conjugate is the supremum that defines it."""
    by_rule, by_search = function.conjugate(), NumericConjugate(function, centre)
    for slope in slopes:
        expected = by_search.value(at(slope))
        # The search knows the maximiser to 1e-8; at a kink that is also the error.
        assert by_rule.value(at(slope)) == pytest.approx(expected, rel=1e-7, abs=1e-7)


@pytest.mark.syllabus("S0A-234")
@one_variable
def test_the_conjugate_is_the_supremum_that_defines_it(name):
    function, slopes = ONE_VARIABLE[name]
    assert_conjugate(function, slopes, centre=0.5)


@pytest.mark.syllabus("S0A-234")
def test_a_conjugate_is_infinite_where_the_supremum_is():
    for function, slope in ((Norm(1.0), 1.5), (ExponentialSum(), -1.0)):
        assert function.conjugate().value(at(slope)) == np.inf
        assert NumericConjugate(function).value(at(slope)) == np.inf


@pytest.mark.syllabus("S0A-234")
def test_a_conjugate_is_convex_even_when_the_function_is_not():
    double_well = Oracle(lambda x: float((x[0] ** 2 - 1.0) ** 2), lambda x: x)
    grid = np.linspace(-2.0, 2.0, 401)
    values = np.array([double_well.value(at(t)) for t in grid])
    slopes = np.linspace(-5.0, 5.0, 21)
    conjugate = legendre_transform(grid, values, slopes)
    lookup = dict(zip(slopes, conjugate, strict=True))
    assert worst_chord(double_well.value, grid[100:301:20, None]).violates
    found = worst_chord(
        lambda s: float(np.interp(s[0], slopes, conjugate)), slopes[:, None]
    )
    assert not found.violates
    assert lookup[0.0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.syllabus("S0A-234")
def test_conjugating_twice_gives_the_convex_envelope():
    grid = np.linspace(-2.0, 2.0, 201)
    values = (grid**2 - 1.0) ** 2
    slopes = np.diff(values) / np.diff(grid)
    candidates = np.unique(np.concatenate([slopes, [0.0]]))
    twice = legendre_transform(
        candidates, legendre_transform(grid, values, candidates), grid
    )
    hull = QuickHull(np.column_stack([grid, values]))
    lower = hull.equations[hull.equations[:, 1] < -1e-12]
    envelope = np.max((-lower[:, [0]] * grid - lower[:, [2]]) / lower[:, [1]], axis=0)
    assert twice == pytest.approx(envelope, abs=1e-10)
    assert np.all(twice <= values + 1e-12)
    assert np.max(values - twice) == pytest.approx(1.0), "the well is bridged"


@pytest.mark.syllabus("S0A-234")
@one_variable
def test_conjugating_twice_gives_a_closed_convex_function_back(name):
    function, _ = ONE_VARIABLE[name]
    again = NumericConjugate(function.conjugate(), centre=0.5)
    for t in (0.0, 0.3, 0.9):
        expected = function.value(at(t))
        assert again.value(at(t)) == pytest.approx(expected, rel=1e-6, abs=1e-6)


PAIRS = {
    "quadratic": (Quadratic(np.diag([1.0, 4.0]), np.array([1.0, -1.0])), None, None),
    "entropy": (NegativeEntropy(), "simplex", None),
    "log-sum-exp": (LogSumExp(), None, "simplex"),
    "unnormalised entropy": (UnnormalizedEntropy(), "positive", None),
    "exponential": (ExponentialSum(), None, "positive"),
    "softplus": (Softplus(), None, "unit"),
    "binary entropy": (BinaryEntropy(), "unit", None),
    "squared 3-norm": (SquaredNorm(3.0, 0.5), None, None),
    "2-norm": (Norm(2.0), None, "unit"),
    "box": (Indicator(Box(np.zeros(2), np.ones(2))), "unit", None),
}


def draw(rng, domain):
    if domain == "simplex":
        return rng.dirichlet(np.ones(2))
    if domain == "positive":
        return rng.uniform(0.1, 3.0, 2)
    return rng.uniform(0.05, 0.65, 2) if domain == "unit" else 2.0 * rng.normal(size=2)


@pytest.mark.syllabus("S0A-235")
@pytest.mark.parametrize("name", PAIRS)
def test_fenchel_and_young_with_equality_exactly_at_subgradients(name, rng):
    function, primal, dual = PAIRS[name]
    conjugate = function.conjugate()
    gaps = []
    for _ in range(40):
        x, s = draw(rng, primal), draw(rng, dual)
        tiny = rounding_allowance(function.value(x), conjugate.value(s), float(x @ s))
        gaps.append(fenchel_young_gap(function, x, s))
        assert gaps[-1] >= -tiny
        slope = function.gradient(x)
        terms = (
            function.value(x),
            conjugate.value(slope),
            float(np.abs(x) @ np.abs(slope)),
        )
        assert abs(fenchel_young_gap(function, x, slope)) <= rounding_allowance(*terms)
    assert max(gaps) > 1e-3, "other slopes leave a gap"


@pytest.mark.syllabus("S0A-236")
@pytest.mark.parametrize(
    "function",
    [
        Raised(Softplus(), 3.0),
        2.5 * Softplus(),
        Dilated(Softplus(), -2.0),
        Softplus().after(np.array([[4.0]]), np.array([1.0])),
        Translated(Softplus(), np.array([1.5])),
        Tilted(Softplus(), np.array([-0.5])),
        Softplus() + SquaredNorm(),
        Norm(1.0) + SquaredNorm(),
    ],
    ids=["constant", "multiple", "dilation", "map", "shift", "tilt", "sum", "kink"],
)
def test_each_rule_of_duality_agrees_with_the_supremum(function):
    # Slopes inside the range of the derivative, where the supremum is attained.
    low, high = np.sort([function.gradient(at(t))[0] for t in (-3.0, 3.0)])
    assert_conjugate(function, np.linspace(low, high, 7)[1:-1])


@pytest.mark.syllabus("S0A-236")
def test_an_invertible_map_acts_on_the_conjugate_by_its_inverse_adjoint(rng):
    matrix, offset = rng.normal(size=(3, 3)), rng.normal(size=3)
    function = LogSumExp().after(matrix, offset) + 0.0
    x = rng.normal(size=3)
    slope = function.gradient(x)
    pulled = np.linalg.solve(matrix.T, slope)
    expected = NegativeEntropy().value(pulled) - float(pulled @ offset)
    assert function.conjugate().value(slope) == pytest.approx(expected)
    assert fenchel_young_gap(function, x, slope) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.syllabus("S0A-236")
def test_the_conjugate_of_a_sum_is_the_cheapest_split(rng, make_definite):
    first = Quadratic(make_definite(rng), rng.normal(size=4))
    second = Quadratic(make_definite(rng), rng.normal(size=4))
    split = (first + second).conjugate()
    assert isinstance(split, InfimalConvolution)
    whole = Quadratic(first.matrix + second.matrix, first.slope + second.slope)
    for _ in range(5):
        s = rng.normal(size=4)
        assert split.value(s) == pytest.approx(whole.conjugate().value(s), rel=1e-9)
        part, rest = split.split(s)
        assert part + rest == pytest.approx(s)
        assert split.gradient(s) == pytest.approx(
            whole.conjugate().gradient(s), abs=1e-7
        )


@pytest.mark.syllabus("S0A-236")
def test_the_conjugate_of_a_pointwise_infimum_is_the_supremum_of_conjugates():
    wells = (
        Translated(SquaredNorm(), at(2.0)),
        Raised(Translated(SquaredNorm(), at(-1.0)), 0.3),
    )
    supremum = conjugate_of_infimum(wells)
    grid = np.linspace(-12.0, 12.0, 2401)
    lowest = np.min([[well.value(at(t)) for t in grid] for well in wells], axis=0)
    slopes = np.linspace(-4.0, 4.0, 17)
    expected = legendre_transform(grid, lowest, slopes)
    # On a grid of width h the supremum of a 1-smooth function is short by ≤ h²/8.
    found = [supremum.value(at(slope)) for slope in slopes]
    assert found == pytest.approx(expected, abs=0.01**2 / 8 + 1e-12)


@pytest.mark.syllabus("S0B-061")
@pytest.mark.parametrize(
    ("function", "formula", "slopes"),
    [
        (Indicator(interval), lambda u: max(-u, 2 * u), (-2.0, 0.0, 3.0)),
        (Affine(at(2.0), 3.0), lambda u: -3.0 if u == 2.0 else np.inf, (1.0, 2.0, 2.5)),
        (Quadratic(np.array([[4.0]])), lambda u: u**2 / 8, (-3.0, 0.0, 1.0)),
        (LogBarrier(), lambda u: -1 - np.log(-u), (-3.0, -1.0, -0.2)),
        (ExponentialSum(), lambda u: u * np.log(u) - u, (0.2, 1.0, 5.0)),
        (
            UnnormalizedEntropy() + Affine(at(1.0)),  # x log x
            lambda u: np.exp(u - 1),
            (-2.0, 0.0, 1.0, 3.0),
        ),
    ],
    ids=["indicator", "affine", "quadratic", "-log x", "exp x", "x log x"],
)
def test_six_conjugates_have_their_closed_forms(function, formula, slopes):
    conjugate = function.conjugate()
    for slope in slopes:
        assert conjugate.value(at(slope)) == pytest.approx(formula(slope), rel=1e-12)
    assert_conjugate(function, slopes, centre=0.5)
    again = conjugate.conjugate()
    for x in (0.3, 1.0, 1.7):
        expected = function.value(at(x))
        assert again.value(at(x)) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert fenchel_young_gap(function, at(x), at(slopes[1])) >= -1e-12


@pytest.mark.syllabus("S0A-238")
def test_half_the_squared_norm_is_its_own_conjugate(rng):
    half = SquaredNorm()
    for _ in range(10):
        s = rng.normal(size=3)
        assert half.conjugate().value(s) == half.value(s)
        found = BFGS().minimize(half - Affine(s), np.zeros(3))
        assert -found.value == pytest.approx(half.value(s), rel=1e-12)
    assert_conjugate(half, (-3.0, 0.0, 1.0))


@pytest.mark.syllabus("S0A-239")
def test_the_conjugate_of_negative_entropy_is_log_sum_exp(rng):
    entropy, soft = NegativeEntropy(), NegativeEntropy().conjugate()
    for _ in range(3):
        s = 2.0 * rng.normal(size=4)
        best = minimize(
            lambda x, s=s: float(np.sum(x * np.log(np.maximum(x, 1e-300))) - x @ s),
            np.full(4, 0.25),
            bounds=[(1e-12, 1.0)] * 4,
            constraints={"type": "eq", "fun": lambda x: np.sum(x) - 1.0},
            options={"ftol": 1e-14},
        )
        assert soft.value(s) == pytest.approx(np.log(np.sum(np.exp(s))), rel=1e-14)
        assert soft.value(s) == pytest.approx(-best.fun, abs=1e-6)
        assert soft.gradient(s) == pytest.approx(softmax(s), rel=1e-14)
        assert fenchel_young_gap(entropy, softmax(s), s) == pytest.approx(
            0.0, abs=1e-14
        )
