"""Weighted runs: bounds and sets are about the population that the rows stand for."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from infimum.errors import InvalidParameterError
from infimum.evaluation.conformal import (
    Strata,
    conformal_threshold,
    weighted_threshold,
)
from infimum.learn.evidence import gather
from infimum.learn.evidence import gathering as shelf
from infimum.learn.folds import split_off_test
from infimum.learn.options import Options
from infimum.learn.problem import pose
from infimum.models.linear import LogisticRegression, Ridge

DRAWS, ROWS = 20, 300


def drawn(rng, n):
    """Draw rows of which the noisy ones are kept rarely and count for several."""
    rare = rng.random(n) < 0.15
    x, z = rng.normal(size=(2, n))
    signal = x - z + np.where(rare, 3.0, 0.5) * rng.normal(size=n)
    words = np.where(signal > 0, "yes", "no")
    count = np.where(rare, 4.0, 1.0)
    return pl.DataFrame(
        {"x": x, "z": z, "signal": signal, "verdict": words, "count": count}
    )


@pytest.fixture(scope="module", params=["verdict", "signal"])
def promised(request):
    """Learn from weighted draws; return what was promised and what is true."""
    rng = np.random.default_rng(0)
    others = {"verdict": "signal", "signal": "verdict"}[request.param]
    everybody = drawn(rng, 20_000).drop(others)
    whole = pose(everybody, request.param, "auto", Options.of(weights="count"))
    made = []
    with pytest.MonkeyPatch.context() as patch:
        owed = {name: shelf.SECTIONS[name] for name in ("guarantees", "conformal")}
        patch.setattr(shelf, "SECTIONS", owed)
        for seed in range(DRAWS):
            table = drawn(rng, ROWS).drop(others)
            made.append(_promised(table, whole, request.param, seed))
    return made


def _promised(table, whole, target, seed):
    problem = pose(table, target, "auto", Options.of(weights="count"))
    split = split_off_test(problem, seed)
    training, test = problem.only(split.train), problem.only(split.held_back)
    model = LogisticRegression() if len(problem.classes) else Ridge()
    steps = [("encoder", clone(training.encoder)), ("model", model)]
    pipeline = Pipeline(steps).fit(training.rows, training.y)
    options = {"classes": problem.classes, "task": problem.task, "seed": seed}
    found = gather(
        pipeline,
        training,
        test.rows,
        test.y,
        test_weights=test.weights,
        expected_error=0.2,
        **options,
    )
    said = pipeline.predict(whole.rows)
    losses = said != whole.y
    if not len(problem.classes):
        losses = np.minimum(np.abs(whole.y - said), np.ptp(training.y))
    return found, np.average(losses, weights=whole.weights), np.mean(losses)


def test_weighted_bounds_hold_for_the_population_that_rows_stand_for(promised):
    kept = []
    for found, truth, once in promised:
        (bound,) = [
            each
            for each in found["guarantees"]["bounds"]
            if each["quantity"]
            in {"weighted error rate", "weighted mean absolute error"}
        ]
        assert "their weights" in bound["assumption"]
        assert truth > once
        kept.append(bound["bound"] >= truth)
    assert sum(kept) >= binom.ppf(0.001, DRAWS, 0.95)


def test_weighted_answers_cover_the_population_that_rows_stand_for(promised):
    covers = [found["conformal"]["coverage"] for found, _, _ in promised]
    measured = np.array([each["measured"] for each in covers])
    error = measured.std(ddof=1) / DRAWS**0.5
    assert measured.mean() >= covers[0]["promised"] - 3 * error
    assert np.mean([each["kept"] for each in covers]) >= 0.8
    assert all("counted by their weights" in each["sentence"] for each in covers)


def test_weights_that_are_all_equal_promise_what_plain_rows_do():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=57)
    for coverage in (0.5, 0.9, 0.99):
        plain = conformal_threshold(scores, coverage)
        assert weighted_threshold(scores, np.full(57, 3.0), coverage, 3.0) == plain
        # A newcomer that may weigh more asks for more.
        assert weighted_threshold(scores, np.ones(57), coverage, 9.0) >= plain


def test_a_population_that_rows_stand_for_is_covered_by_weighted_thresholds():
    rng = np.random.default_rng(4)
    covered = []
    for _ in range(400):
        rare = rng.random(40) < 0.2
        scores = np.abs(np.where(rare, 3.0, 1.0) * rng.normal(size=40))
        weights = np.where(rare, 5.0, 1.0)
        limit = weighted_threshold(scores, weights, 0.8, 5.0)
        # The newcomer is one of the population: heavy rows come more often.
        heavy = rng.random() < 0.2 * 5 / (0.2 * 5 + 0.8)
        covered.append(abs((3.0 if heavy else 1.0) * rng.normal()) <= limit)
    assert np.mean(covered) >= 0.8 - 3 * (0.8 * 0.2 / 400) ** 0.5
    # Counting each row once would promise too much.
    once = []
    for _ in range(400):
        rare = rng.random(40) < 0.2
        scores = np.abs(np.where(rare, 3.0, 1.0) * rng.normal(size=40))
        limit = conformal_threshold(scores, 0.8)
        once.append(abs((3.0 if rng.random() < 5 / 9 else 1.0) * rng.normal()) <= limit)
    assert np.mean(once) < 0.8 - 3 * (0.8 * 0.2 / 400) ** 0.5


def test_calibration_rows_are_capped_at_the_heaviest_and_must_count():
    scores, weights = np.arange(10.0), np.r_[np.ones(9), 50.0]
    capped = Strata.of(scores, None, weights, 2.0)
    same = Strata.of(scores, None, np.minimum(weights, 2.0), 2.0)
    for level in (0.5, 0.8):
        limit = capped.thresholds(level, None, 1)
        np.testing.assert_array_equal(limit, same.thresholds(level, None, 1))
    with pytest.raises(InvalidParameterError, match="heaviest"):
        Strata.of(scores, None, np.zeros(10))


def test_rows_that_weigh_next_to_nothing_calibrate_no_interval():
    rng = np.random.default_rng(5)
    table = drawn(rng, ROWS).drop("verdict")
    table = table.with_columns(count=pl.Series(np.where(np.arange(ROWS) < 9, 99.0, 1)))
    problem = pose(table, "signal", "auto", Options.of(weights="count"))
    training, test = problem.only(np.arange(200)), problem.only(np.arange(200, 300))
    steps = [("encoder", clone(training.encoder)), ("model", Ridge())]
    pipeline = Pipeline(steps).fit(training.rows, training.y)
    assert np.ptp(test.weights) == 0
    found = gather(
        pipeline,
        training,
        test.rows,
        test.y,
        classes=problem.classes,
        task=problem.task,
        test_weights=test.weights,
    )
    # Heavy rows are in the population even if none of them is among the unseen ones.
    assert "too few for intervals" in found["conformal"]["reason"]
    told = found["guarantees"]
    assert all("weighted" in b["quantity"] for b in told["bounds"] + told["vacuous"])
