"""A gallery of convex functions, each with points of the interior of its domain."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from infimum.study.convexity import (
    Affine,
    BinaryEntropy,
    ConvexFunction,
    ExponentialSum,
    LogBarrier,
    LogSumExp,
    Maximum,
    NegativeEntropy,
    Norm,
    Quadratic,
    Softplus,
    SquaredNorm,
    UnnormalizedEntropy,
    norm,
)

DIMENSION = 4


class Specimen(NamedTuple):
    """A function and a way to draw points where it is finite."""

    function: ConvexFunction
    draw: Callable[[np.random.Generator], np.ndarray]


def definite(rng, size=DIMENSION, floor=0.5):
    factor = rng.normal(size=(size, size))
    return factor @ factor.T + floor * np.eye(size)


def logistic_ridge(rng, samples=30, size=DIMENSION, strength=0.1):
    """Return mean logistic loss plus ridge, and the margins' matrix it is made of."""
    signed = rng.choice([-1.0, 1.0], samples)[:, None] * rng.normal(
        size=(samples, size)
    )
    return Softplus(1.0 / samples).after(-signed) + SquaredNorm(scale=strength), signed


def anywhere(rng):
    return 2.0 * rng.normal(size=DIMENSION)


def positive(rng):
    return rng.uniform(0.1, 3.0, DIMENSION)


def probability(rng):
    return rng.dirichlet(np.ones(DIMENSION))


def unit_box(rng):
    return rng.uniform(0.05, 0.95, DIMENSION)


def _gallery():
    rng = np.random.default_rng(7)
    planes = tuple(Affine(rng.normal(size=DIMENSION), rng.normal()) for _ in range(3))
    return {
        "affine": Specimen(planes[0], anywhere),
        "quadratic": Specimen(Quadratic(definite(rng), np.ones(DIMENSION)), anywhere),
        "negative_entropy": Specimen(NegativeEntropy(), probability),
        "log_barrier": Specimen(LogBarrier(), positive),
        "log_sum_exp": Specimen(LogSumExp(), anywhere),
        "unnormalized_entropy": Specimen(UnnormalizedEntropy(), positive),
        "exponential_sum": Specimen(ExponentialSum(), anywhere),
        "softplus": Specimen(Softplus(0.3), anywhere),
        "binary_entropy": Specimen(BinaryEntropy(), unit_box),
        "squared_2_norm": Specimen(SquaredNorm(scale=0.7), anywhere),
        "squared_1.5_norm": Specimen(SquaredNorm(1.5), anywhere),
        "squared_3_norm": Specimen(SquaredNorm(3.0, 2.0), anywhere),
        "1_norm": Specimen(Norm(1.0), anywhere),
        "2_norm": Specimen(Norm(2.0, 3.0), anywhere),
        "maximum_norm": Specimen(Norm(np.inf), anywhere),
        "piecewise": Specimen(Maximum(planes), anywhere),
        "logistic_ridge": Specimen(logistic_ridge(rng)[0], anywhere),
    }


GALLERY = _gallery()


@pytest.fixture(params=GALLERY)
def specimen(request):
    return GALLERY[request.param]


@pytest.fixture(params=[n for n, s in GALLERY.items() if s.function.strong_convexity])
def strongly_convex(request):
    return GALLERY[request.param]


@pytest.fixture(
    params=[n for n, s in GALLERY.items() if 0.0 < s.function.smoothness < np.inf]
)
def smooth(request):
    return GALLERY[request.param]


@pytest.fixture
def make_definite():
    return definite


@pytest.fixture
def make_logistic_ridge():
    return logistic_ridge


@pytest.fixture
def allowance():
    """Bound the rounding of an inequality between values and slopes at two points."""

    def bound(function, x, y):
        values = abs(function.value(x)) + abs(function.value(y))
        slopes = norm(function.gradient(x)) + norm(function.gradient(y))
        return 64 * np.finfo(float).eps * (values + slopes * (norm(x) + norm(y)))

    return bound
