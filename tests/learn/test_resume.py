"""A run that is killed goes on where it was, and ends where it would have ended."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import DataError
from infimum.learn import job, predict_table
from infimum.learn.clock import Clock
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare.runners import Here
from infimum.learn.compare.tally import FoldResult
from infimum.learn.journal import Journal
from infimum.learn.run_directory import check_place

SOURCE = Path(infimum.__file__).parent.parent
KILLED = """
import json, os, signal, sys
import polars as pl
import infimum
from infimum.learn import job
from infimum.learn.compare import contenders
from infimum.learn.compare import race

race.SWEEPS = 1
for name in ("classifiers", "regressors"):
    full = getattr(contenders, name)
    setattr(job, name, lambda *given, full=full: full(*given)[:3])

def kill(step):
    if step.total and step.done == 7:
        os.kill(os.getpid(), signal.SIGKILL)

table, out, target = sys.argv[1:]
infimum.learn(table, json.loads(target), out=out, budget=1e4, progress=kill)
"""
#: Targets of every kind: two classes, three, numbers, and two at once.
TARGETS = {
    "binary": "verdict",
    "multiclass": "grade",
    "regression": "signal",
    "several targets": ["hot", "loud"],
}


class _Counter:
    """Counts the fits of the race by the contenders' turns that needed one."""

    def __init__(self, monkeypatch):
        self.turns = 0
        run = Here.start

        def counted(runner, *args):
            self.turns += 1
            return run(runner, *args)

        monkeypatch.setattr(Here, "start", counted)


@pytest.fixture
def three(monkeypatch):
    for name in ("classifiers", "regressors"):
        full = getattr(shelf, name)
        monkeypatch.setattr(job, name, lambda *given, full=full: full(*given)[:3])
    monkeypatch.setattr(job, "warm", lambda *_: None)


@pytest.fixture(scope="module")
def table(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "t.csv"
    hot, loud = pl.col("signal") > 0, pl.col("noise") > 0
    rows.drop("visits").with_columns(
        hot=hot.cast(int), loud=(loud | hot).cast(int)
    ).write_csv(path)
    return path


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_kill_minus_nine_and_resume_give_the_model_of_an_unbroken_run(
    table, target, tmp_path, three, monkeypatch
):
    out = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(table), str(out), json.dumps(target)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert [entry.name for entry in out.iterdir()] == ["journal"]
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    whole = infimum.learn(table, target, out=tmp_path / "whole", budget=1e4)
    counter = _Counter(monkeypatch)
    resumed = infimum.learn(table, target, out=out, resume=True, budget=1e4)
    assert counter.turns == 3 * 5 - 7
    # Another process may sum in another order: the last digits of a float are free.
    assert asdict(resumed.choice) == pytest.approx(asdict(whole.choice))
    assert resumed.exam.metrics == pytest.approx(whole.exam.metrics)
    said = [predict_table(run.out / "model.infimum", table) for run in (resumed, whole)]
    for ours, theirs in zip(*(frame.to_dict().values() for frame in said), strict=True):
        close = pytest.approx(theirs.to_list(), rel=1e-6, abs=1e-9)
        assert ours.to_list() == (
            close if theirs.dtype.is_float() else theirs.to_list()
        )
    assert {entry.name for entry in out.iterdir()} == {"model.infimum", "result.json"}


def shown(**changes):
    base = {
        "parameter": "C",
        "values": (0.1, 1 / 3),
        "errors": [0.25, 0.1],
        "weights": [1, 2],
        "metrics": [{"auc": 0.75, "log_loss": None}, {"auc": 0.9, "log_loss": 0.3}],
        "fits": 2,
        "seconds": 1.5,
        "said": np.array([[[0.5], [0.25]], [[1.0], [0.0]]], dtype=np.float32),
    }
    return FoldResult(**{**base, **changes})


def test_what_is_written_is_read_exactly(tmp_path):
    journal = Journal(tmp_path / "run", clock=Clock(time.perf_counter() - 60.0))
    journal.open({"seed": 0})
    journal.write("ridge", 0, 2, shown())
    again = Journal(tmp_path / "run", resume=True)
    again.check()
    again.open({"seed": 0})
    found = again.read("ridge", 0, 2)
    np.testing.assert_array_equal(found.said, shown().said)
    assert found._replace(said=None) == shown(said=None)
    assert 60.0 <= again.clock.seconds < 100.0
    assert again.read("ridge", 0, 3) is None


def test_a_damaged_entry_counts_as_not_there(tmp_path):
    journal = Journal(tmp_path / "run")
    journal.open({"seed": 0})
    journal.write("ridge", 0, 0, shown())
    place = tmp_path / "run" / "journal" / "ridge-sweep0-fold0.npz"
    place.write_bytes(place.read_bytes()[:-30])
    again = Journal(tmp_path / "run", resume=True)
    again.open({"seed": 0})
    assert again.read("ridge", 0, 0) is None


def test_only_the_same_job_can_be_resumed(tmp_path):
    journal = Journal(tmp_path / "run")
    journal.open({"seed": 0})
    journal.write("ridge", 0, 0, shown())
    check_place(tmp_path / "run")
    with pytest.raises(DataError, match="another seed"):
        Journal(tmp_path / "run", resume=True).open({"seed": 1})
    header = json.loads((tmp_path / "run" / "journal" / "run.json").read_text())
    assert header == {"seed": 0}


def test_a_run_that_was_killed_before_its_race_starts_over(
    binary_table, tmp_path, three, monkeypatch
):
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    given = {"out": tmp_path / "run", "budget": 1e4, "resume": True}
    first = infimum.learn(binary_table, "verdict", **given)
    assert first.ended == "finished"
    with pytest.raises(DataError, match="holds a finished run"):
        infimum.learn(binary_table, "verdict", **given)
    with pytest.raises(DataError, match="needs the directory"):
        infimum.learn(binary_table, "verdict", resume=True)


def test_a_closed_journal_leaves_no_trace_and_an_older_run_stays(tmp_path):
    fresh = Journal(tmp_path / "run")
    fresh.open({})
    fresh.write("ridge", 0, 0, shown())
    fresh.close()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "result.json").write_text("{}")
    other = Journal(tmp_path / "run")
    other.open({})
    other.write("ridge", 0, 0, shown())
    other.close()
    assert [entry.name for entry in (tmp_path / "run").iterdir()] == ["result.json"]


def test_a_link_that_leads_to_nothing_yet_is_followed(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "disk" / "real")
    journal = Journal(tmp_path / "run")
    journal.open({"seed": 0})
    journal.write("ridge", 0, 0, shown())
    assert (tmp_path / "disk" / "real" / "journal").is_dir()
    journal.close()
    assert (tmp_path / "run").is_symlink()
    assert list((tmp_path / "disk").iterdir()) == []
