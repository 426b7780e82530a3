"""Of a large table as many rows are learned from as there is time for."""

import json
import math
import time
from functools import partial

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.evaluation import Split
from infimum.learn import job, recheck
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import rows_in_time
from infimum.learn.compare.rows_in_time import bearable, in_time, seconds_a_row
from infimum.learn.evidence import case as case_room
from infimum.learn.evidence.case import Case
from infimum.learn.folds import some_rows
from infimum.learn.journal import Journal
from infimum.learn.problem import Posed, pose
from infimum.learn.worker import WorkerEndedError
from infimum.report.sentences import answer, learned_from


def table(n, rare=0):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    label = np.where(x + rng.normal(size=n) > 0, "a", "b")
    label[:rare] = "c"
    return pl.DataFrame({"x": x, "z": rng.normal(size=n), "y": label})


class Slow:
    """A boosting whose fit moves an imaginary clock on, row by row."""

    now, per_row = 0.0, 0.0

    def __init__(self, **_):
        self.n_iter_ = 1000

    def set_params(self, **_):
        return self

    def _after(self, rounds):
        return self

    def fit(self, X, y):
        Slow.now += 1.0 + self.per_row * len(y)
        return self


def boosting():
    grid = tuple({"max_iter": rounds} for _ in range(4) for rounds in (25, 50))
    return shelf.Contender(
        "slow", "Slow", Slow, grid=grid, stages=2, view="trees", convex=False
    )


def test_what_one_row_costs_is_told_by_rows_alone(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: Slow.now)
    monkeypatch.setattr(Slow, "per_row", 1e-3)
    problem = pose(table(9_000), "y")
    # Eight times the fit, and the second that every fit takes is no row's.
    assert seconds_a_row([boosting()], problem) == pytest.approx(8e-3)


def test_rows_are_as_many_as_the_pace_allows(monkeypatch):
    problem = pose(table(30_000), "y")
    asked = []

    def pace(contenders, some):
        asked.append(len(some.y))
        return 1e-3

    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(rows_in_time, "seconds_a_row", pace)
    assert bearable(problem, [], 62.5) == 25_000  # two fifths of the time
    assert bearable(problem, [], 1e9) == 30_000
    assert bearable(problem, [], -1.0) == 20_000
    assert bearable(problem, [], math.inf) == 30_000
    assert max(asked) < len(problem.y) / 2
    assert len(asked) == 3


@pytest.mark.parametrize("error", [WorkerEndedError, rows_in_time.TimeUpError])
def test_a_measurement_that_does_not_end_is_ended(error):
    class Crew:
        def call(self, function, *given, kill_at):
            assert kill_at < time.perf_counter() + 21
            raise error

    assert bearable(pose(table(30_000), "y"), [], 60.0, Crew()) == 20_000


def test_rare_classes_are_drawn_too_and_the_seed_decides():
    problem = pose(table(3_000, rare=20), "y")
    drawn = some_rows(problem, 100, 3)
    assert drawn.drawn == 100
    assert 100 <= len(drawn.y) <= 100 + 3 * 50
    assert (drawn.y == "c").sum() == 20
    assert np.array_equal(drawn.numbers, some_rows(problem, 100, 3).numbers)
    assert not np.array_equal(drawn.numbers, some_rows(problem, 100, 4).numbers)


def test_a_resumed_run_draws_the_same_rows(monkeypatch, tmp_path):
    monkeypatch.setattr(rows_in_time, "_NO_QUESTION", 1_000)
    problem = pose(table(2_000), "y")
    every = np.arange(2_000)
    posed = Posed(problem, problem, Split(every, every[:0]), ())
    counts = iter([700, 900])
    monkeypatch.setattr(rows_in_time, "bearable", lambda *_: next(counts))
    found = []
    for resume in (False, True):
        journal = Journal(tmp_path / "run", resume=resume)
        journal.open({"data": "same"})
        found.append(in_time(posed, [], math.inf, 0, journal).training.drawn)
    assert found == [700, 700]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("large")
    table(900).write_csv(place / "large.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_in_time, "_NO_QUESTION", 500)
        patch.setattr(rows_in_time, "bearable", lambda *_: 300)
        patch.setattr(job, "classifiers", lambda: shelf.classifiers()[:3])
        result = infimum.learn(
            place / "large.csv", "y", budget=600.0, out=place / "run"
        )
    return place, result


def test_the_result_says_how_many_rows_were_learned_from(run):
    place, result = run
    assert (result.data.rows, result.data.test_rows) == (900, 180)
    assert result.data.drawn == 300
    assert 300 <= result.data.train_rows <= 400
    assert result.exam.rows == 180
    plain = json.loads((place / "run" / "result.json").read_text())
    said = f"{result.data.train_rows} of 720 rows"
    assert learned_from(plain["data"]) == said
    first, second, *_ = answer(plain)
    assert said in first
    assert "some of the rows only" in second


def test_its_proof_is_computed_again_from_the_rows_it_has_seen(run):
    place, result = run
    again = recheck(place / "run" / "model.infimum", place / "large.csv")
    assert again.same_data
    assert again.rows == result.data.train_rows
    assert result.proof is not None
    assert again.certificate.closed
    assert again.certificate.primal == pytest.approx(result.proof.primal, rel=1e-12)


class Answering:
    """A model that answers at once."""

    def predict(self, rows):
        return np.full(rows.shape[0], "a")


def test_promises_rest_on_as_many_unseen_rows_as_there_is_time_to_ask(monkeypatch):
    monkeypatch.setattr(case_room, "_LONG_PROBE", 100)
    problem = pose(table(2_000), "y")
    made = partial(
        Case,
        model=Answering(),
        training=problem,
        rows=problem.rows,
        y=problem.y,
        classes=problem.classes,
        task=problem.task,
        sensitive=(),
        models_compared=1,
        seed=0,
        weights=np.arange(2_000.0),
    )
    # A tenth of fifty seconds, a hundredth for each.
    case = made(deadline=time.perf_counter() + 50, pace=1e-2).bearable()
    assert 450 <= case.n_rows <= 500
    places = case.weights.astype(int)
    assert np.array_equal(case.y, problem.y[places])
    assert case.rows["x"].to_list() == problem.rows["x"][places].to_list()
    assert made(deadline=-math.inf, pace=1e-2).bearable().n_rows == 100
    quick = made(deadline=time.perf_counter() + 50, pace=1e-4)
    assert quick.bearable() is quick
