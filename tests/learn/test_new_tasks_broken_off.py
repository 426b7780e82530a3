"""Every task is killed and resumed, interrupted, and ends where it would have."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import job, predict_table
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import other_contenders as watchers
from infimum.report import render

TASKS = {
    "novelty": {"task": "novelty", "drop": ["hot", "wet", "size", "visits", "grade"]},
    "labels": {"target": ["hot", "wet"]},
    "binary": {"target": "hot"},
    "regression": {"target": "size"},
    "counts": {"target": "visits", "task": "counts"},
    "quantile": {"target": "size", "task": "quantile", "quantile": 0.8},
    "ordinal": {"target": "grade", "task": "ordinal"},
}
#: Where the contenders of all tasks come from.
SHELVES = (
    "classifiers",
    "regressors",
    "count_models",
    "quantile_models",
    "ordered_classifiers",
)


class Killed(BaseException):
    """Stands for a kill: nobody catches it, and nothing is tidied up."""


def stop_at(done, stop):
    def progress(step):
        if step.total and step.stage == "race" and step.done == done:
            raise stop

    return progress


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(6)
    x, z = rng.normal(size=(2, 220))
    hot = (x + 0.5 * rng.normal(size=220) > 0).astype(int)
    wet = (z + 0.5 * rng.normal(size=220) > 0).astype(int)
    size = x - z + 0.3 * rng.normal(size=220)
    return pl.DataFrame(
        {
            "x": x,
            "z": z,
            "hot": hot,
            "wet": wet,
            "size": size,
            "visits": rng.poisson(np.exp(0.5 * x)),
            "grade": np.digitize(size, [-1.0, 1.0]),
        }
    )


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(job, "detectors", lambda: watchers.detectors()[:3])
    for name in SHELVES:
        full = getattr(shelf, name)
        monkeypatch.setattr(job, name, lambda *given, full=full: full(*given)[:3])


@pytest.mark.parametrize("given", TASKS.values(), ids=TASKS)
def test_a_killed_run_goes_on_and_ends_where_it_would_have(
    table, given, tmp_path, monkeypatch
):
    out = tmp_path / "run"
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    with pytest.raises(Killed):
        infimum.learn(table, **given, out=out, progress=stop_at(8, Killed()))
    assert [entry.name for entry in out.iterdir()] == ["journal"]
    resumed = infimum.learn(table, **given, out=out, resume=True, budget=1e4)
    whole = infimum.learn(table, **given, out=tmp_path / "whole", budget=1e4)
    assert (resumed.choice, resumed.exam) == (whole.choice, whole.exam)
    assert not (out / "journal").exists()
    said = [predict_table(run.out / "model.infimum", table) for run in (resumed, whole)]
    assert said[0].equals(said[1])


def test_ctrl_c_while_strange_rows_are_looked_for_costs_these_only(
    table, tmp_path, monkeypatch
):
    given = {**TASKS["novelty"], "out": tmp_path / "run", "budget": 1e4}

    def pressed(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("infimum.learn.unlabelled.strangest", pressed)
        broken = infimum.learn(table, **given, render=render)
    assert "--resume goes on" in broken.evidence["strangest"]["reason"]
    assert "Gathering evidence was interrupted" in broken.warnings[-1]
    whole = infimum.learn(table, **given, resume=True)
    assert len(whole.evidence["strangest"]) == 10
    assert whole.exam == broken.exam


@pytest.mark.parametrize("given", TASKS.values(), ids=TASKS)
def test_ctrl_c_keeps_the_best_so_far(table, given, tmp_path):
    result = infimum.learn(
        table,
        **given,
        out=tmp_path / "run",
        progress=stop_at(5, KeyboardInterrupt()),
        render=render,
    )
    assert result.ended == "interrupted"
    page = (tmp_path / "run" / "report.html").read_text()
    assert "The race was interrupted" in page
