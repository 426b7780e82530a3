"""Rows held back: folds, hold-out sets and the sealed test set."""

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import SealedTestSet, deal, folds, hold_out


@pytest.mark.syllabus("S1-032", "S0A-125")
def test_folds_are_disjoint_and_hold_every_row_back_once(rng):
    y = rng.integers(0, 3, 103)
    splits = list(folds(y, 10, seed=3))
    held = np.concatenate([split.held_back for split in splits])
    np.testing.assert_array_equal(np.sort(held), np.arange(103))
    sizes = [len(split.held_back) for split in splits]
    assert max(sizes) - min(sizes) <= 1
    for split in splits:
        assert not set(split.train) & set(split.held_back)
        assert len(split.train) + len(split.held_back) == 103


@pytest.mark.syllabus("S1-033")
def test_as_many_folds_as_rows_leave_one_out():
    splits = list(folds(np.arange(7.0), 7))
    assert sorted(int(split.held_back[0]) for split in splits) == list(range(7))
    assert all(len(split.train) == 6 for split in splits)


def test_every_class_is_shared_out_evenly(rng):
    y = rng.choice([0, 1, 2], 200, p=[0.8, 0.18, 0.02])
    for label in (0, 1, 2):
        counts = [np.sum(y[split.held_back] == label) for split in folds(y, 5, 1)]
        assert max(counts) - min(counts) <= 1


def test_a_measured_target_is_shared_out_along_its_range(rng):
    y = rng.exponential(size=200)
    means = [y[split.held_back].mean() for split in folds(y, 5, 2)]
    plain = [y[s.held_back].mean() for s in folds(y, 5, 2, stratified=False)]
    assert np.std(means) < np.std(plain)


@pytest.mark.parametrize("classes", [True, False])
def test_the_same_seed_gives_the_same_split_and_another_seed_another(classes):
    y = np.arange(60) % 2 if classes else np.sqrt(np.arange(60))
    tests = [hold_out(y, seed=s, classes=classes).held_back for s in range(20)]
    again = hold_out(y, seed=4, classes=classes).held_back
    np.testing.assert_array_equal(again, tests[4])
    assert len({test.tobytes() for test in tests}) == 20
    hands = [deal(y, 5, seed) for seed in range(20)]
    np.testing.assert_array_equal(deal(y, 5, 4), hands[4])
    assert len({hand.tobytes() for hand in hands}) == 20


@pytest.mark.parametrize("size, fraction", [(50, 0.2), (53, 0.2)])
def test_every_row_of_a_measured_target_has_about_the_same_chance(size, fraction):
    y = np.sqrt(np.arange(size))
    held = np.zeros(size)
    for seed in range(1000):
        held[hold_out(y, fraction, seed, classes=False).held_back] += 1
    chance = round(fraction * size) / size
    margin = 5 * np.sqrt(chance * (1 - chance) / 1000)
    np.testing.assert_allclose(held / 1000, chance, atol=margin)


@pytest.mark.parametrize("classes", [True, False])
def test_the_hold_out_set_has_the_asked_size_and_likeness(rng, classes):
    y = rng.integers(0, 2, 500).astype(float)
    train, held = hold_out(y, 0.2, seed=1, classes=classes)
    assert abs(len(held) - 100) <= 1
    assert y[held].mean() == pytest.approx(y.mean(), abs=0.011)
    np.testing.assert_array_equal(np.sort([*train, *held]), np.arange(500))


def test_a_lonely_row_of_a_class_stays_for_learning():
    y = np.array(["common"] * 30 + ["lonely"])
    assert "lonely" in y[hold_out(y, 0.5).train]


def test_impossible_wishes_are_refused():
    with pytest.raises(DataError, match="too few"):
        hold_out([1], 0.2)
    with pytest.raises(InvalidParameterError, match="number of folds"):
        list(folds([0, 1, 0], 4))


@pytest.mark.syllabus("S4A-085")
def test_a_test_set_opens_once():
    sealed = SealedTestSet(y=[1, 2])
    assert not sealed.opened
    assert sealed.open() == {"y": [1, 2]}
    assert sealed.opened
    with pytest.raises(DataError, match="second look"):
        sealed.open()
