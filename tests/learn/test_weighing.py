"""Weights in the test: numbers are those of repeated rows, intervals do not pretend."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import infimum
from infimum.evaluation import clopper_pearson, error_limit
from infimum.evaluation.scoring import Predictions, criterion_for, measure
from infimum.evaluation.uncertainty.metrics import mean_interval, residual_intervals
from infimum.evaluation.uncertainty.weighing import (
    effective_rows,
    weighted_limit,
    weighted_quantiles,
    weighted_share,
)
from infimum.learn import job
from infimum.learn.compare import contenders as shelf
from infimum.learn.final_test import examine, examine_labels
from infimum.learn.labels import pose_labels
from infimum.learn.options import Options
from infimum.learn.problem import pose
from infimum.models.linear import LogisticRegression, Ridge
from infimum.report import render

COUNTS = np.random.default_rng(2).integers(0, 4, 160).astype(float)
#: What every row counts for itself: the shape of a picture, not its number.
ONCE = {"errors", "effective_rows", "weighted"}


class Plain:
    """A fitted model that takes a table's two numeric columns."""

    def __init__(self, model, rows, y):
        self.model = model.fit(self.matrix(rows), y)
        self.classes_ = getattr(model, "classes_", np.array([]))
        if hasattr(model, "predict_proba"):
            self.predict_proba = lambda X: self.model.predict_proba(self.matrix(X))
            self.decision_function = lambda X: self.model.decision_function(
                self.matrix(X)
            )

    def matrix(self, rows):
        return rows.select(pl.col("size").fill_null(0), "noise").to_numpy()

    def predict(self, rows):
        return self.model.predict(self.matrix(rows))


@pytest.mark.parametrize("target", ["verdict", "grade", "signal"])
def test_the_numbers_of_the_exam_are_those_of_repeated_rows(rows, target):
    problem = pose(rows.select("size", "noise", target), target)
    linear = LogisticRegression() if len(problem.classes) else Ridge()
    model = Plain(linear, problem.rows, problem.y)
    criterion = criterion_for(problem.classes, problem.goal)
    places = np.repeat(np.arange(160), COUNTS.astype(int))
    weighed = examine(
        model, problem.rows, problem.y, problem, criterion, weights=COUNTS
    )
    repeated = examine(
        model, problem.rows[places], problem.y[places], problem, criterion
    )
    assert weighed.metrics == pytest.approx(repeated.metrics)
    assert weighed.weights["effective_rows"] == effective_rows(COUNTS)
    assert repeated.weights is None


def test_weights_that_are_all_equal_change_nothing(rows):
    problem = pose(rows.select("size", "noise", "verdict"), "verdict")
    model = Plain(LogisticRegression(), problem.rows, problem.y)
    given = (model, problem.rows, problem.y, problem, None)
    plain, even = examine(*given), examine(*given, np.full(160, 2.5))
    assert even.metrics == pytest.approx(plain.metrics)
    bound = {k: v for k, v in even.bound.items() if k not in ONCE - {"errors"}}
    assert bound == pytest.approx(plain.bound)


def test_labels_are_weighed_like_repeated_rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, (160, 2))
    table = pl.DataFrame({"x": rng.normal(size=160), "a": y[:, 0], "b": y[:, 1]})
    problem = pose_labels(table, ("a", "b"), Options())
    shares = rng.random((160, 2))
    said = Predictions((shares > 0.5).astype(int), shares, shares)
    places = np.repeat(np.arange(160), COUNTS.astype(int))
    again = Predictions(*(part[places] for part in said))
    weighed = examine_labels(problem, y, said, y, COUNTS)
    repeated = examine_labels(problem, y[places], again, y)
    assert weighed.metrics == pytest.approx(repeated.metrics)
    for one, other in zip(
        weighed.bound["labels"], repeated.bound["labels"], strict=True
    ):
        assert one["estimate"] == pytest.approx(other["estimate"])
        # Rows that were copied would promise more than they know.
        assert one["upper"] > other["upper"]


def test_the_usual_answer_is_that_of_the_weighted_training_rows():
    table = pl.DataFrame({"x": np.arange(40.0), "a": [0, 1] * 20, "b": [1, 0] * 20})
    problem = pose_labels(table, ("a", "b"), Options())
    y = np.array([[0, 0]] * 9 + [[1, 1]])
    said = Predictions(y, y + 0.0, y + 0.0)
    heavy = np.array([1.0] * 9 + [20.0])
    even = examine_labels(problem, y, said, y)
    weighed = examine_labels(problem, y, said, y, None, heavy)
    assert even.metrics["baseline_hamming"] == pytest.approx(0.1)
    assert weighed.metrics["baseline_hamming"] == pytest.approx(0.9)


def test_where_nothing_counts_all_rows_count_alike():
    y, said = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])
    told = Predictions(said, said[:, None], None)
    classes = np.array([])
    none = measure(y, told, classes, weights=np.zeros(3))
    assert none == measure(y, told, classes)


def test_few_heavy_rows_are_worth_few_rows():
    assert effective_rows(np.ones(50)) == pytest.approx(50)
    assert effective_rows(np.array([1e6] + [1e-6] * 49)) == pytest.approx(1)
    flags = np.arange(50) < 5
    even, heavy = np.ones(50), np.where(np.arange(50) % 10 == 0, 20.0, 1.0)
    exact = clopper_pearson(5, 50)
    assert np.allclose(weighted_share(flags, even), exact)
    found = weighted_share(flags, heavy)
    assert found.high - found.low > exact.high - exact.low


def test_a_share_of_none_or_all_keeps_its_end():
    none = weighted_share(np.zeros(30, dtype=bool), np.ones(30))
    every = weighted_share(np.ones(30, dtype=bool), np.ones(30))
    assert (none.low, every.high) == (0.0, 1.0)
    assert 0 < none.upper < 0.1
    assert 0.9 > every.low > 0.8


def test_the_interval_of_a_weighted_share_covers_as_often_as_it_says():
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        weights = rng.uniform(0.2, 3.0, 120)
        found = weighted_share(rng.random(120) < 0.15, weights)
        held += found.low <= 0.15 <= found.high
    # 95 % of 400, less two standard deviations of the count.
    assert held >= 371


def test_errors_beyond_a_weighted_limit_are_as_rare_as_it_says():
    rng = np.random.default_rng(3)
    kept, once = [], []
    for _ in range(150):
        # Rows that are off more count for three.
        heavy = rng.random(120) < 0.2
        sizes = rng.exponential(np.where(heavy, 4.0, 1.0))
        weights = np.where(heavy, 3.0, 1.0)
        for limit, marks in (
            (weighted_limit(sizes, weights), kept),
            (error_limit(sizes), once),
        ):
            beyond = 0.6 * np.exp(-limit / 4) + 0.8 * np.exp(-limit)
            marks.append(beyond / 1.4 <= 0.1)
    assert sum(kept) >= binom.ppf(0.001, 150, 0.95)
    assert np.mean(once) < 0.5


def test_a_weighted_limit_needs_rows_and_keeps_ties_together():
    assert weighted_limit(np.ones(28), np.ones(28)) is None
    assert weighted_limit(np.ones(29), np.ones(29)) == 1.0
    sizes = np.repeat([1.0, 2.0], [60, 40])
    for order in (slice(None), slice(None, None, -1)):
        assert weighted_limit(sizes[order], np.full(100, 0.5)) == 2.0
    # Rows that count for nothing may be as far off as they like.
    assert weighted_limit(np.r_[sizes, 9.0], np.r_[np.ones(100), 0.0]) == 2.0


def test_a_weighted_run_of_numbers_bounds_their_errors_by_weight(rows):
    problem = pose(rows.select("size", "noise", "signal"), "signal")
    model = Plain(Ridge(), problem.rows, problem.y)
    given = (model, problem.rows, problem.y, problem, None)
    bound = examine(*given, COUNTS).bound
    left = np.abs(problem.y - model.predict(problem.rows))
    assert bound["weighted"]
    assert bound["limit"] == weighted_limit(left, COUNTS)
    plain, even = examine(*given), examine(*given, np.full(160, 2.5))
    assert even.bound["limit"] == plain.bound["limit"]


def test_weighted_intervals_of_means_and_medians_agree_with_even_ones():
    rng = np.random.default_rng(1)
    values = rng.normal(size=400)
    even = mean_interval(values, weights=np.full(400, 3.0))
    assert even == pytest.approx(mean_interval(values), abs=1e-3)
    plain = residual_intervals(values, values)
    weighed = residual_intervals(values, values, weights=np.ones(400))
    for name, ends in plain.items():
        assert weighed[name] == pytest.approx(ends, abs=0.02), name
    assert weighted_quantiles(values, np.ones(400), [0.0, 1.0]) == [
        values.min(),
        values.max(),
    ]


def test_a_weighted_run_says_what_is_weighed_and_what_is_not(rows, monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
    monkeypatch.setattr(job, "warm", lambda *_: None)
    table = rows.select("size", "noise", "verdict").with_columns(
        count=pl.Series(COUNTS + 1)
    )
    result = infimum.learn(table, "verdict", weights="count", budget=1e-6)
    assert result.exam.weights["column"] == "count"
    assert result.exam.weights["effective_rows"] < result.exam.rows
    assert result.exam.bound["weighted"]
    assert any("effective number of rows" in each for each in result.data.warnings)
    assert "weigh" in render(result.to_plain())
