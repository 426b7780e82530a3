"""Novelty and several targets: killed and resumed, interrupted, seeded alike."""

from contextlib import nullcontext

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.learn import contenders as shelf
from infimum.learn import detectors as watchers
from infimum.learn import job
from infimum.report import render

TASKS = {"novelty": {"task": "novelty"}, "labels": {"target": ["hot", "wet"]}}


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
    return pl.DataFrame({"x": x, "z": z, "hot": hot, "wet": wet})


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:3])
    monkeypatch.setattr(job, "detectors", lambda: watchers.detectors()[:3])


@pytest.mark.parametrize("given", TASKS.values(), ids=TASKS)
def test_a_killed_run_goes_on_and_ends_where_it_would_have(
    table, given, tmp_path, monkeypatch
):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(job, "closing_on_failure", lambda _: nullcontext())
        with pytest.raises(Killed):
            infimum.learn(table, **given, out=out, progress=stop_at(8, Killed()))
    assert [entry.name for entry in out.iterdir()] == ["journal"]
    resumed = infimum.learn(table, **given, out=out, resume=True, budget=1e4)
    whole = infimum.learn(table, **given, budget=1e4)
    assert (resumed.choice, resumed.exam) == (whole.choice, whole.exam)
    assert not (out / "journal").exists()


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
