"""Groups stay whole and time runs forward, in the test and in every fold."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from infimum.errors import DataError
from infimum.learn.folds import split_off_test, splits_of
from infimum.learn.options import Options
from infimum.learn.problem import pose


@pytest.fixture
def visits(rng):
    day = dt.date(2024, 1, 1)
    days = rng.permutation(150)
    return pl.DataFrame(
        {
            "patient": [f"p{k % 23}" for k in range(150)],
            "day": [day + dt.timedelta(days=int(k)) for k in days],
            "dose": rng.normal(size=150),
            "cured": rng.choice(["yes", "no"], 150),
            "weight": rng.normal(70, 5, 150),
        }
    )


@pytest.mark.parametrize("target", ["cured", "weight"])
def test_a_patient_is_never_on_both_sides(visits, target):
    problem = pose(visits, target, options=Options(group="patient"))
    assert "patient" not in problem.kinds
    train, held = split_off_test(problem, 3)
    assert abs(len(held) - 30) <= 8
    assert not set(problem.groups[train]) & set(problem.groups[held])
    training = problem.only(train)
    splits = splits_of(training, 3)
    assert len(splits) == 5
    for split in splits:
        sides = (training.groups[split.train], training.groups[split.held_back])
        assert not set(sides[0]) & set(sides[1])


@pytest.mark.parametrize("target", ["cured", "weight"])
def test_the_future_is_never_learned_from(visits, target):
    problem = pose(visits, target, options=Options(time="day"))
    train, held = split_off_test(problem, 3)
    assert len(held) == 30
    assert problem.moments[train].max() < problem.moments[held].min()
    training = problem.only(train)
    for split in splits_of(training, 3):
        past, future = training.moments[split.train], training.moments[split.held_back]
        assert past.max() < future.min()


def test_folds_that_would_learn_one_class_are_left_out(visits):
    late = visits.sort("day").with_columns(
        cured=pl.Series(["no"] * 60 + ["yes", "no"] * 45)
    )
    training = pose(late, "cured", options=Options(time="day"))
    splits = splits_of(training, 0)
    assert 0 < len(splits) < 5
    assert all(len(np.unique(training.y[split.train])) == 2 for split in splits)


def test_folds_that_would_be_judged_by_one_class_are_left_out(visits):
    ends = visits.sort("day").with_columns(
        cured=pl.Series(["yes", "no"] * 45 + ["no"] * 60)
    )
    training = pose(ends, "cured", options=Options(time="day"))
    splits = splits_of(training, 0)
    assert 0 < len(splits) < 5
    assert all(len(np.unique(training.y[split.held_back])) == 2 for split in splits)
    early = visits.sort("day").with_columns(
        cured=pl.Series(["yes", "no"] * 10 + ["no"] * 130)
    )
    with pytest.raises(DataError, match="judged by rows of one class"):
        splits_of(pose(early, "cured", options=Options(time="day")), 0)


def test_a_split_that_leaves_one_class_is_refused(visits):
    late = visits.sort("day").with_columns(cured=pl.Series(["no"] * 130 + ["yes"] * 20))
    with pytest.raises(DataError, match="one class only; split them another way"):
        split_off_test(pose(late, "cured", options=Options(time="day")), 0)


def test_a_single_group_is_refused(visits):
    one = visits.with_columns(patient=pl.lit("p"))
    with pytest.raises(DataError, match="at least 2 groups, got 1"):
        split_off_test(pose(one, "cured", options=Options(group="patient")), 0)
