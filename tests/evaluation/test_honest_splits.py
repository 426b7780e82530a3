"""Splits that keep groups whole and time in order."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import (
    forward_folds,
    forward_hold_out,
    grouped_folds,
    grouped_hold_out,
)

rows_in_groups = st.lists(st.integers(0, 12), min_size=12, max_size=80).filter(
    lambda groups: len(set(groups)) >= 4
)


@given(rows_in_groups, st.integers(0, 99), st.booleans())
def test_no_group_is_ever_on_both_sides(groups, seed, classes):
    groups = np.array(groups)
    y = np.random.default_rng(seed).integers(0, 3, len(groups))
    splits = list(grouped_folds(y, groups, 4, seed, classes=classes))
    for train, held in splits:
        assert len(train)
        assert len(held)
        assert not set(groups[train]) & set(groups[held])
    together = np.concatenate([split.held_back for split in splits])
    np.testing.assert_array_equal(np.sort(together), np.arange(len(groups)))
    train, held = grouped_hold_out(y, groups, 0.3, seed, classes=classes)
    assert len(train)
    assert len(held)
    assert not set(groups[train]) & set(groups[held])
    np.testing.assert_array_equal(np.sort([*train, *held]), np.arange(len(groups)))


@given(st.lists(st.integers(0, 30), min_size=8, max_size=90), st.integers(1, 5))
def test_what_is_learned_from_comes_before_what_is_held_back(times, n_folds):
    times = np.array(times)
    if len(set(times.tolist())) <= n_folds:
        with pytest.raises(DataError, match="different times"):
            list(forward_folds(times, n_folds))
        return
    splits = list(forward_folds(times, n_folds))
    assert len(splits) == n_folds
    for train, held in splits:
        assert times[train].max() < times[held].min()
    for before, after in pairwise(splits):
        np.testing.assert_array_equal(
            np.sort([*before.train, *before.held_back]), after.train
        )
    assert len(splits[-1].train) + len(splits[-1].held_back) == len(times)


def test_groups_are_dealt_evenly_in_size_and_class(rng):
    groups = rng.integers(0, 60, 900)
    y = (rng.random(900) < 0.1 + 0.4 * (groups % 5 == 0)).astype(int)
    shares, sizes = [], []
    for _, held in grouped_folds(y, groups, 5, seed=2):
        shares.append(y[held].mean())
        sizes.append(len(held))
    assert max(sizes) - min(sizes) < 0.15 * 180
    assert max(shares) - min(shares) < 0.03
    held = grouped_hold_out(y, groups, 0.2, seed=2).held_back
    assert abs(len(held) - 180) < 10
    assert y[held].mean() == pytest.approx(y.mean(), abs=0.02)


def test_a_measured_target_is_stratified_along_its_range(rng):
    level = rng.normal(size=50)
    groups = np.repeat(np.arange(50), 8)
    y = level[groups] + 0.1 * rng.random(400)
    means = [y[held].mean() for _, held in grouped_folds(y, groups, 5, classes=False)]
    at_random = level[rng.permutation(50)].reshape(5, 10).mean(axis=1)
    assert np.std(means) < 0.5 * np.std(at_random)


def test_the_seed_decides_and_nothing_else():
    groups = [f"g{k % 30}" for k in range(90)]
    y = np.arange(90) % 2
    first, again, other = (grouped_hold_out(y, groups, seed=s) for s in (1, 1, 3))
    np.testing.assert_array_equal(first.held_back, again.held_back)
    assert not np.array_equal(first.held_back, other.held_back)
    dealt = [
        [held.tolist() for _, held in grouped_folds(y, groups, 3, s)] for s in (1, 1, 3)
    ]
    assert dealt[0] == dealt[1] != dealt[2]


def test_the_latest_rows_are_held_back_in_any_order_of_rows(rng):
    order = rng.permutation(100)
    days = np.datetime64("2024-01-01") + order
    train, held = forward_hold_out(days, 0.25)
    assert len(held) == 25
    assert days[train].max() < days[held].min()
    words = [f"{2000 + year}-01" for year in order]
    np.testing.assert_array_equal(forward_hold_out(words, 0.25).held_back, held)


def test_a_group_of_the_future_is_not_learned_from():
    times = np.arange(12)
    groups = [0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 5, 1]
    train, held = forward_hold_out(times, 0.25, groups=groups)
    assert held.tolist() == [9, 10, 11]
    assert train.tolist() == [2, 3, 6, 7, 8]
    with pytest.raises(DataError, match="split by time or by group, not both"):
        forward_hold_out(times, 0.5, groups=["one"] * 12)


def test_wishes_that_cannot_be_met_are_refused_in_a_sentence():
    y = [0, 1, 0, 1]
    with pytest.raises(DataError, match="at least 3 groups, got 2"):
        list(grouped_folds(y, [1, 1, 2, 2], 3))
    with pytest.raises(DataError, match="at least 2 groups, got 1"):
        grouped_hold_out(y, ["a"] * 4)
    with pytest.raises(DataError, match="Row 2 has no group"):
        grouped_hold_out(y, ["a", None, "b", "b"])
    with pytest.raises(DataError, match="4 targets but the groups of 3 rows"):
        grouped_hold_out(y, ["a", "b", "c"])
    for times in (np.array([1.0, 2.0, np.nan]), [1, 2, None]):
        with pytest.raises(DataError, match="Row 3 has no time"):
            forward_hold_out(times)
    with pytest.raises(DataError, match="Row 2 has no time"):
        forward_hold_out(np.array(["2024-01-01", "NaT"], dtype="datetime64[D]"))
    with pytest.raises(InvalidParameterError, match="fraction"):
        forward_hold_out([1, 2, 3], 1.5)
