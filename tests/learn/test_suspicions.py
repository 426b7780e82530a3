"""Leaks are told to whoever learns from the table."""

import numpy as np
import polars as pl
import pytest

from infimum.data import repeated_across
from infimum.errors import DataError
from infimum.evaluation import hold_out
from infimum.learn.labels import pose_labels, split_labels
from infimum.learn.options import Options
from infimum.learn.problem import pose
from infimum.learn.tasks import noting_copies


@pytest.fixture
def leaky(rng):
    y = rng.integers(0, 2, 200)
    return pl.DataFrame(
        {
            "size": rng.normal(size=200),
            "refund": 5.0 * y + rng.random(200),
            "bought": np.where(y == 1, "yes", "no"),
        }
    )


def test_a_giveaway_is_in_the_warnings_unless_it_is_dropped(leaky):
    warnings = pose(leaky, "bought").warnings
    assert any("'refund' alone saves" in each for each in warnings)
    assert pose(leaky.drop("refund"), "bought").warnings == ()


def test_many_of_a_kind_are_counted(leaky):
    copies = {f"refund {k}": leaky["refund"] + k for k in range(6)}
    warnings = pose(leaky.with_columns(**copies), "bought").warnings
    assert sum("alone saves" in each for each in warnings) == 3
    assert "4 more columns of the kind 'giveaway'." in warnings


def test_copies_across_the_split_are_counted(leaky):
    twice = pose(pl.concat([leaky, leaky]), "bought")
    noted = noting_copies(twice, hold_out(twice.y, 0.2, 1))
    assert "test rows" in noted.warnings[-1]
    assert "are copies of training rows" in noted.warnings[-1]
    once = pose(leaky, "bought")
    assert noting_copies(once, hold_out(once.y, 0.2, 1)) is once


def test_an_identifier_or_a_weight_makes_no_copy_another_case(leaky):
    twice = pl.concat([leaky, leaky]).with_columns(
        id=pl.Series([f"c{k}" for k in range(400)]),
        count=pl.Series(np.arange(400) + 1.0),
        mood=pl.Series(np.arange(400) * 1.5),
    )
    problem = pose(twice, "bought", options=Options.of(weights="count", drop="mood"))
    noted = noting_copies(problem, hold_out(problem.y, 0.2, 1))
    assert "are copies of training rows" in noted.warnings[-1]


def test_several_targets_have_their_leaks_and_copies_told(leaky):
    both = pl.concat([leaky, leaky]).with_columns(
        sold=pl.Series(np.arange(400) % 200 % 2)
    )
    problem = pose_labels(both, ("bought", "sold"), Options())
    assert any("'refund' alone saves" in each for each in problem.warnings)
    assert len(set(problem.warnings)) == len(problem.warnings)
    split, _ = split_labels(problem, 0)
    noted = noting_copies(problem, split)
    assert "are copies of training rows" in noted.warnings[-1]


@pytest.mark.parametrize(
    ("rows", "words"),
    [(4, "1 of 4 test rows (25 %)"), (476, "1 of 476 test rows (0.2 %)")],
)
def test_the_share_of_a_few_copies_is_not_nothing(rows, words):
    train = pl.DataFrame({"x": [-1.0, -2.0]})
    test = pl.DataFrame({"x": [-1.0, *map(float, range(rows - 1))]})
    assert repeated_across(train, test).sentence.startswith(words)


def test_a_handful_of_numbers_is_too_few():
    rows = pl.DataFrame({"x": [1.5, 2.0, 3.5], "y": [1.25, 2.5, 4.75]})
    with pytest.raises(DataError, match=r"has 3 rows with a target; .* at least 10"):
        pose(rows, "y")
