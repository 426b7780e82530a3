"""Several labels are made ready, too: a few of their rows are rows of the table."""

import numpy as np
import polars as pl
import pytest

from infimum.learn.compare.runners import both_encodings, few_rows
from infimum.learn.labels import pose_labels
from infimum.learn.options import Options


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    table = {"x": rng.normal(size=400), "rare": np.arange(400) >= 394}
    table |= {"often": rng.random(400) < 0.7, "even": rng.random(400) < 0.5}
    return pose_labels(pl.DataFrame(table), ("rare", "often", "even"), Options())


@pytest.mark.parametrize("count", [1, 10, 100])
def test_a_few_rows_hold_every_answer_to_every_label(problem, count):
    few = few_rows(problem, count)
    assert count <= len(few.y) <= count + 6
    assert few.rows.height == len(few.y)
    for label in few.y.T:
        assert set(label) == {0, 1}


def test_the_few_are_spread_over_the_table(problem):
    few = few_rows(problem, 100)
    assert len(set(few.rows["x"])) == len(few.y)
    many, less = both_encodings(few)
    assert len(many.problem.y) >= len(less.problem.y) >= 100
