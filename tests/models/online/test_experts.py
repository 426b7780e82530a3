"""Advice of experts: mistakes and losses stay below their bounds on every sequence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infimum.certificates import Regret, halving_bound
from infimum.errors import DataError
from infimum.models.online import Halving, Hedge, WeightedMajority


@pytest.mark.syllabus("S0B-068", "S0B-069")
@given(st.integers(0, 10**6), st.integers(1, 70))
@settings(max_examples=60, deadline=None)
def test_halving_never_makes_more_than_log2_n_mistakes(seed, experts):
    rng = np.random.default_rng(seed)
    votes = rng.choice([-1.0, 1.0], size=(40, experts))
    right = rng.integers(experts)
    committee = Halving(experts)
    for row in votes:
        standing = committee.standing & (row == row[right])
        committee.learn(row, row[right])
        np.testing.assert_array_equal(committee.standing, standing)
    assert committee.mistakes <= np.log2(experts)
    assert committee.regret().holds


@pytest.mark.syllabus("S0B-069")
def test_an_adversary_makes_halving_err_just_log2_n_times():
    committee = Halving(1024)
    for bit in range(10):
        votes = np.where((np.arange(1024) >> bit) & 1, 1.0, -1.0)
        committee.learn(votes, -committee.predict(votes))
    assert committee.mistakes == halving_bound(1024) == 10
    assert committee.standing.sum() == 1
    with pytest.raises(DataError, match="never errs"):
        committee.learn(np.ones(1024), -1.0)


@given(st.integers(0, 10**6), st.integers(1, 20), st.sampled_from([0.1, 0.5, 0.9]))
@settings(max_examples=40, deadline=None)
def test_weighted_majorities_stay_below_their_bounds(seed, experts, factor):
    rng = np.random.default_rng(seed)
    firm = WeightedMajority(experts, factor=factor)
    drawn = WeightedMajority(experts, factor=factor, randomized=True, random_state=seed)
    for row in rng.choice([-1.0, 1.0], size=(60, experts)):
        y = -firm.predict(row) if seed % 2 else rng.choice([-1.0, 1.0])
        firm.learn(row, y)
        drawn.learn(row, y)
    assert firm.regret().holds
    assert drawn.regret().holds


def test_expected_mistakes_are_the_mean_over_draws():
    rng = np.random.default_rng(0)
    votes, truth = rng.choice([-1.0, 1.0], size=(20, 5)), rng.choice([-1.0, 1.0], 20)
    runs = []
    for seed in range(200):
        drawn = WeightedMajority(5, randomized=True, random_state=seed)
        for row, y in zip(votes, truth, strict=True):
            drawn.learn(row, y)
        runs.append(drawn.mistakes)
    # Each round adds a variance of 1/4 at most: 4 standard errors.
    assert abs(np.mean(runs) - drawn.expected_mistakes) < 4 * np.sqrt(20 / 4 / 200)


@given(st.integers(0, 10**6), st.integers(1, 10), st.booleans())
@settings(max_examples=40, deadline=None)
def test_hedge_stays_below_its_bound_against_chance_and_an_adversary(
    seed, experts, adverse
):
    rng = np.random.default_rng(seed)
    stake = Hedge(experts, rounds=80)
    for _ in range(80):
        losses = rng.uniform(size=experts)
        if adverse:  # burn whatever holds the most
            losses = (stake.shares == stake.shares.max()).astype(float)
        stake.learn(losses)
    proof = stake.regret()
    assert proof.holds
    assert proof.bound <= np.sqrt(80 * np.log(max(experts, 2)) / 2) + 1e-9


def test_a_regret_says_when_it_is_too_large():
    proof = Regret(incurred=10.0, comparator=2.0, bound=5.0)
    assert not proof.holds
    assert "NOT within" in str(proof)
    assert "within the bound 8" in str(Regret(10.0, 2.0, 8.0))


def test_advice_of_the_wrong_form_is_refused():
    with pytest.raises(DataError, match="3 votes"):
        Halving(3).predict([1, 1])
    with pytest.raises(DataError, match="losses in"):
        Hedge(2).learn([0.0, 2.0])
