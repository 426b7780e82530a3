"""Rademacher complexity: exact where it can be, else inside its interval."""

from itertools import product

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.study.convexity.sets import Ball, Box
from infimum.theory import (
    HalfSpaces,
    Histograms,
    Intervals,
    SineWaves,
    Thresholds,
    rademacher,
)


@pytest.mark.syllabus("S4B-089")
def test_one_function_has_none_all_functions_have_one():
    assert rademacher([[1, -1, 1, 1]]).value == 0.0
    assert rademacher(list(product([-1, 1], repeat=4))).value == 1.0
    assert rademacher(SineWaves(), 10.0 ** -np.arange(1, 5)).value == 1.0
    decay = [
        rademacher(Thresholds(), np.arange(n), draws=300).value for n in (100, 1600)
    ]
    assert decay[0] / decay[1] == pytest.approx(4, rel=0.25)  # about c/√n


@pytest.mark.syllabus("S4B-089")
def test_a_ball_of_weights_gives_the_mean_length_of_a_random_sum(rng):
    X = rng.standard_normal((10, 3))
    found = rademacher(Ball(2, 1.5), X)
    signs = np.array(list(product([-1, 1], repeat=10)))
    assert found.method == "all signs"
    assert found.value == pytest.approx(
        1.5 * np.linalg.norm(signs @ X, axis=1).mean() / 10
    )
    assert found.value <= 1.5 * np.sqrt(np.sum(X**2)) / 10
    assert rademacher(Ball(1), X).value == pytest.approx(
        np.abs(signs @ X).max(axis=1).mean() / 10
    )
    box = Box(-np.ones(3), np.ones(3))
    assert rademacher(box, X).value == pytest.approx(
        np.abs(signs @ X).sum(axis=1).mean() / 10
    )


def test_draws_agree_with_all_signs_within_the_interval(rng):
    X = rng.standard_normal((20, 2))
    exact = rademacher(Ball(2), X).value
    more = np.vstack([X, np.zeros((5, 2))])  # 25 rows: drawn; zeros add nothing
    for seed in range(10):
        found = rademacher(Ball(2), more, draws=2000, random_state=seed)
        assert found.method == "draws"
        assert found.low <= exact * 20 / 25 <= found.high
    assert found.high - found.low < 0.04
    again = rademacher(Ball(2), more, draws=2000, random_state=9)
    assert again == found


def test_histograms_have_a_closed_form(rng):
    X = rng.random(12)
    closed = rademacher(Histograms(5), X)
    listed = rademacher(Histograms(5).patterns(X))
    assert closed.method == "closed form"
    assert closed.value == pytest.approx(listed.value)
    assert closed.low == closed.high == closed.value


@pytest.mark.parametrize("hypotheses", [Thresholds(), Intervals()])
def test_minimising_and_listing_give_the_same_draws(hypotheses, rng):
    X = rng.random(30)
    fitted = rademacher(hypotheses, X, draws=50, random_state=3)
    listed = rademacher(hypotheses.patterns(X), draws=50, random_state=3)
    assert fitted.value == pytest.approx(listed.value)
    assert fitted.low == pytest.approx(listed.low)


def test_half_planes_are_listed(rng):
    X = rng.standard_normal((25, 2))
    found = rademacher(HalfSpaces(2), X, draws=100)
    assert 0 < found.low < found.value < found.high < 1


def test_memory_stays_bounded_and_bad_input_is_refused():
    with pytest.raises(DataError, match="bounded set"):
        rademacher(Box(np.zeros(2), np.array([np.inf, 1.0])), np.ones((3, 2)))
    with pytest.raises(DataError, match="finite values"):
        rademacher([[1.0, np.nan]])
    with pytest.raises(DataError, match="finite values"):
        rademacher([1.0, 2.0])
