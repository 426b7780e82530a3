"""Compiling before the race costs no budget, fails no run and changes no result."""

import json
import time
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import job
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import runners as warm_up
from infimum.learn.compare.race import Step
from infimum.learn.compare.runners import (
    both_encodings,
    can_be_sent,
    few_rows,
    try_out,
    warm,
)
from infimum.learn.journal import Journal
from infimum.learn.problem import pose
from infimum.learn.result import Stage
from infimum.learn.worker import Crew


@pytest.fixture
def problem(binary_table):
    return pose(binary_table, "verdict")


@pytest.fixture
def unwarmed(monkeypatch):
    monkeypatch.setattr(warm_up, "_ready", set())


def broken():
    return shelf.Contender(
        "broken", "Broken", lambda: infimum.models.linear.Ridge(alpha=-1.0), fixed=True
    )


def plain(result):
    told = result.to_plain()
    moving = ("stages", "created", "evidence", "contenders")
    return json.dumps({k: v for k, v in told.items() if k not in moving}, default=str)


def two(_problem):
    return shelf.classifiers()[:2]


def test_the_clock_stands_still_while_much_code_is_made_ready(
    binary_table, monkeypatch
):
    now, ends = [0.0], []

    def slow(*_):
        now[0] += 1000.0
        return True

    class Over(Exception):  # noqa: N818
        pass

    def start(*_, deadline, **__):
        ends.append(deadline)
        raise Over

    monkeypatch.setattr(job, "perf_counter", lambda: now[0])
    monkeypatch.setattr("infimum.learn.clock.perf_counter", lambda: now[0])
    monkeypatch.setattr(job, "warm", slow)
    monkeypatch.setattr(job, "race", start)
    with pytest.raises(Over):
        infimum.learn(binary_table, "verdict", budget=20.0)
    counted = job._COMPILING * 20.0
    assert ends == [pytest.approx(1000.0 - counted + job._RACE_SHARE * 20.0)]


def test_a_little_compiling_counts_so_that_the_budget_is_kept():
    learning = job.Job(0, 60.0, print, Journal(None))
    began = learning.clock.began
    learning.stages.append(Stage("warm", 15.0))
    learning.put_back_compiling()
    assert learning.clock.began == began
    learning.stages.append(Stage("warm", 33.0))
    learning.put_back_compiling()
    assert learning.clock.began == pytest.approx(began + 12.0)


def test_the_result_tells_how_long_it_took_and_is_the_same_without(
    binary_table, monkeypatch, unwarmed
):
    monkeypatch.setattr(job, "entrants", two)
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    with_it = infimum.learn(binary_table, "verdict", budget=600.0)
    monkeypatch.setattr(job, "warm", lambda *_: None)
    without = infimum.learn(binary_table, "verdict", budget=600.0)
    assert [stage.name for stage in with_it.stages[:3]] == ["read", "warm", "race"]
    assert plain(with_it) == plain(without)
    scores = [
        [contender.scores for contender in each.contenders]
        for each in (with_it, without)
    ]
    assert scores[0] == scores[1]


def test_what_fails_here_is_left_to_the_race(problem, unwarmed):
    said = []
    warm((broken(), *shelf.classifiers()[:1]), problem, said.append)
    assert all(isinstance(step, Step) for step in said)
    with pytest.raises(infimum.errors.InvalidParameterError):
        broken().make().fit(np.eye(3), np.arange(3.0))


def test_ctrl_c_is_not_a_failure(problem, unwarmed):
    def press():
        raise KeyboardInterrupt

    contender = replace(broken(), make=press)
    with pytest.raises(KeyboardInterrupt):
        try_out(contender, both_encodings(problem))


def test_a_field_is_made_ready_once(problem, monkeypatch, unwarmed):
    tried = []
    monkeypatch.setattr(warm_up, "try_out", lambda each, _: tried.append(each.name))
    for _ in range(2):
        warm(shelf.classifiers()[:3], problem, print)
    assert tried == ["baseline", "logistic-l2", "logistic-l1"]


def test_strangers_are_not_tried():
    made = []

    class Stranger:
        def fit(self, *_):
            made.append(self)

    contender = replace(broken(), make=Stranger)
    try_out(
        contender,
        both_encodings(pose(pl.DataFrame({"x": range(20), "y": range(20)}), "y")),
    )
    assert made == []


def test_a_few_rows_hold_every_class_and_the_whole_range():
    y = ["rare"] * 5 + ["often"] * 3000
    few = few_rows(pose(pl.DataFrame({"x": np.arange(3005), "y": y}), "y"), 20)
    assert len(few.y) <= 22
    assert set(few.y) == {"rare", "often"}
    measured = few_rows(
        pose(pl.DataFrame({"x": range(500), "y": np.arange(500) / 3}), "y"), 50
    )
    assert len(measured.y) == 50
    assert measured.y.min() == 0
    assert measured.y.max() == 499 / 3


def test_who_is_slow_on_a_few_rows_is_left_to_the_race(problem, monkeypatch, unwarmed):
    tried = []

    def slow(contender, _grounds):
        tried.append(contender.name)
        time.sleep(0.3 if len(tried) == 1 else 0)

    monkeypatch.setattr(warm_up, "try_out", slow)
    monkeypatch.setattr(warm_up, "_PATIENCE", 0.05)
    warm(shelf.classifiers()[:2], problem, print)
    assert tried == ["baseline"]


def test_the_loops_that_explain_trees_are_made_ready(problem, monkeypatch):
    explained = []
    monkeypatch.setattr(
        warm_up, "shapley_values", lambda model, *_: explained.append(type(model))
    )
    for contender in shelf.classifiers():
        if contender.name in ("logistic-l2", "tree", "forest", "boosting"):
            try_out(contender, both_encodings(problem))
    names = [kind.__name__ for kind in explained]
    assert sorted(names) == ["DecisionTreeClassifier", "HistGradientBoostingClassifier"]


def test_the_compiler_at_work_is_told_once():
    said = []
    at_work = warm_up._AtWork(said.append)
    assert not at_work.cold
    at_work.label = "Gradient boosting"
    at_work.notice()
    at_work.notice()
    assert at_work.cold
    assert [step.note for step in said] == [
        "compiling, once for this machine: Gradient boosting"
    ]


def test_workers_make_their_parts_ready_and_survive_failures(problem):
    with Crew(2) as crew:
        field = (broken(), *shelf.classifiers()[:2])
        assert warm(shelf.classifiers()[:2], problem, print, crew) in (True, False)
        assert not crew.busy
        assert not can_be_sent(field)
