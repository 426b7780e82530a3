"""Bounds by betting hold for every law and for weighted rows, and are close."""

import numpy as np
import pytest
from scipy.stats import binom

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import (
    bernstein_guarantee,
    betting_guarantee,
    binomial_guarantee,
    hoeffding_guarantee,
)
from infimum.theory.betting import _stakes

DRAWS = 150


@pytest.mark.parametrize("heavy", [2.0, 5.0, 20.0])
def test_weighted_bounds_hold_where_heavy_rows_err_more(heavy):
    rng = np.random.default_rng(0)
    weights = np.where(rng.random((DRAWS, 100)) < 0.2, heavy, 1.0)
    losses = rng.random(weights.shape) < np.where(weights > 1, 0.3, 0.1)
    truth = (0.2 * heavy * 0.3 + 0.8 * 0.1) / (0.2 * heavy + 0.8)
    held = [
        betting_guarantee(each, weights=w, heaviest=heavy).bound >= truth
        for each, w in zip(losses.astype(float), weights, strict=True)
    ]
    assert sum(held) >= binom.ppf(0.001, DRAWS, 0.95)
    # Counting each row once bounds something else, which is smaller here.
    once = [betting_guarantee(each).bound >= truth for each in losses.astype(float)]
    assert np.mean(once) < np.mean(held)


@pytest.mark.parametrize("shape", [(0.5, 0.5), (1.0, 30.0), (8.0, 2.0)])
def test_bets_are_closer_than_the_inequalities(shape, rng):
    for losses in rng.beta(*shape, size=(5, 150)):
        tight = betting_guarantee(losses).bound
        assert tight < bernstein_guarantee(losses).bound
        assert tight < hoeffding_guarantee(losses).bound


def test_counts_are_bounded_nearly_exactly():
    for errors in (0, 5, 40):
        losses = (np.arange(200) < errors).astype(float)
        exact = binomial_guarantee(errors, 200).bound
        assert exact <= betting_guarantee(losses).bound <= exact + 0.02


def test_the_unit_of_losses_and_weights_does_not_matter(rng):
    losses, weights = rng.random(80), rng.integers(1, 4, 80)
    plain = betting_guarantee(losses, weights=weights, heaviest=3)
    moved = betting_guarantee(
        10 * losses - 2, low=-2, high=8, weights=weights / 7, heaviest=3 / 7
    )
    assert moved.bound == pytest.approx(10 * plain.bound - 2)
    assert plain.estimate == pytest.approx(np.average(losses, weights=weights))
    even = betting_guarantee(losses, weights=np.full(80, 4.0), heaviest=4.0)
    assert even.bound == betting_guarantee(losses).bound


def test_copies_are_no_evidence(rng):
    # A weight of 9 for all rows says nothing that a weight of 1 did not.
    losses = rng.random(40)
    copied = betting_guarantee(np.repeat(losses, 9)).bound
    assert betting_guarantee(losses, weights=np.full(40, 9.0)).bound > copied


def test_heavier_rows_count_as_the_heaviest(rng):
    losses, weights = rng.random(60), np.where(np.arange(60) < 3, 50.0, 1.0)
    capped = betting_guarantee(losses, weights=weights, heaviest=2.0)
    same = betting_guarantee(losses, weights=np.minimum(weights, 2.0), heaviest=2.0)
    assert capped == same


def test_a_stake_rests_on_earlier_rows_only(rng):
    values, weights = rng.random(50), rng.random(50)
    other_values, other_weights = values.copy(), weights.copy()
    other_values[30:], other_weights[30:] = 1.0, 0.01
    here = _stakes(values, weights, 0.1)
    there = _stakes(other_values, other_weights, 0.1)
    np.testing.assert_array_equal(here[:31], there[:31])
    assert (here[31:] != there[31:]).any()


def test_a_bound_is_never_below_what_was_measured():
    # In the order in which bets are made, all rows without a loss come first.
    order = np.random.default_rng(0).permutation(400)
    losses = np.zeros(400)
    losses[order[200:]] = 1.0
    found = betting_guarantee(losses)
    assert found.bound >= found.estimate == pytest.approx(0.5)
    assert found.slack >= 0


def test_the_assumption_says_where_the_heaviest_weight_is_from(rng):
    losses, weights = rng.random(20), rng.random(20)
    assert "measured" in betting_guarantee(losses, weights=weights).assumption
    known = betting_guarantee(losses, weights=weights, heaviest=1.0)
    assert "learned from" in known.assumption


def test_what_cannot_be_bet_on_is_refused():
    with pytest.raises(DataError, match="one loss and one weight"):
        betting_guarantee([0.5], weights=[1.0, 2.0])
    with pytest.raises(DataError, match=r"losses in \[0, 1\]"):
        betting_guarantee([0.5, 1.5])
    with pytest.raises(DataError, match="finite and >= 0"):
        betting_guarantee([0.5], weights=[-1.0])
    with pytest.raises(InvalidParameterError, match="heaviest"):
        betting_guarantee([0.5], weights=[1.0], heaviest=0.0)
