"""Infimal convolution: the cheapest split, and what it inherits."""

import numpy as np
import pytest

from infimum.errors import IncompatibleError
from infimum.study.convexity import (
    BelowSet,
    Indicator,
    InfimalConvolution,
    Norm,
    NumericConjugate,
    Oracle,
    Simplex,
    SquaredNorm,
    Sum,
    rounding_allowance,
    smoothness_slacks,
)

huber = InfimalConvolution(Norm(1.0, 2.0), SquaredNorm())


def at(t):
    return np.array([float(t)])


def by_cases(x):
    size = abs(float(x[0]))
    return 0.5 * size**2 if size <= 2.0 else 2.0 * size - 2.0


@pytest.mark.parametrize("t", [-5.0, -2.0, -0.3, 0.0, 1.1, 7.0])
def test_absolute_value_and_parabola_make_the_huber_function(t):
    assert huber.value(at(t)) == pytest.approx(by_cases(at(t)), rel=1e-9, abs=1e-12)
    assert huber.gradient(at(t)) == pytest.approx(np.clip(t, -2.0, 2.0), abs=1e-6)
    part, rest = huber.split(at(t))
    assert part + rest == pytest.approx(at(t))
    assert rest == pytest.approx(np.clip(t, -2.0, 2.0), abs=1e-6)


def test_the_conjugate_of_a_split_is_the_sum_of_conjugates():
    dual = huber.conjugate()
    assert isinstance(dual, Sum)
    for slope in (-1.9, 0.0, 0.7):
        supremum = NumericConjugate(Oracle(by_cases, lambda x: np.clip(x, -2.0, 2.0)))
        found = supremum.value(at(slope))
        assert dual.value(at(slope)) == pytest.approx(found, abs=1e-7)
    assert dual.value(at(2.1)) == np.inf


def test_moduli_combine_like_resistors_in_parallel(rng):
    pair = InfimalConvolution(SquaredNorm(scale=3.0), SquaredNorm(scale=6.0))
    assert pair.strong_convexity == pytest.approx(2.0)
    assert pair.smoothness == pytest.approx(2.0)
    for _ in range(5):
        x, y = rng.normal(size=(2, 3))
        # The split of a quadratic is the quadratic of modulus 3·6/(3 + 6).
        assert pair.value(x) == pytest.approx(1.0 * float(x @ x), rel=1e-9)
        tiny = rounding_allowance(pair.value(x), pair.value(y)) + 1e-7
        assert min(smoothness_slacks(pair, x, y)) >= -tiny


def test_a_split_is_as_smooth_as_its_smoother_part():
    assert huber.smoothness == 1.0
    assert huber.strong_convexity == 0.0
    mixed = InfimalConvolution(SquaredNorm(3.0), SquaredNorm())
    assert (mixed.strong_convexity, mixed.smoothness) == (0.0, np.inf)


def test_what_cannot_be_split_is_refused_in_a_sentence():
    x = np.array([0.3, 2.0])
    for first in (Indicator(BelowSet(Norm(1.0), 1.0)), Norm(1.0)):
        with pytest.raises(IncompatibleError, match="differentiable everywhere"):
            InfimalConvolution(first, SquaredNorm()).value(x)
    with pytest.raises(IncompatibleError, match="one of them is smooth"):
        InfimalConvolution(Norm(1.0), Norm(1.0)).gradient(at(1.0))


def test_a_wall_and_a_square_split_at_the_projection(rng):
    region = Simplex()
    for x in rng.normal(size=(10, 4)):
        nearest = region.project(x)
        for parts in (
            (Indicator(region), SquaredNorm()),
            (SquaredNorm(), Indicator(region)),
        ):
            envelope = InfimalConvolution(*parts)
            assert envelope.value(x) == pytest.approx(0.5 * np.sum((x - nearest) ** 2))
            assert envelope.gradient(x) == pytest.approx(x - nearest)
