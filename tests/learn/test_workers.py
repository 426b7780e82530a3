"""Workers share the work, change no result, and end with whoever has started them."""

import math
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import sparse

import infimum
from infimum.evaluation import Split
from infimum.learn import job
from infimum.learn.clock import TimeUpError
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare.runners import crew_size
from infimum.learn.folds import EncodedFold, shared_fold, splits_of, write_problem
from infimum.learn.problem import pose
from infimum.learn.worker import Crew, WorkerEndedError
from infimum.limits import begin_fits, check_pressed, listening, time_is_up

SOURCE = Path(infimum.__file__).parent.parent


@pytest.fixture(scope="module")
def crew():
    with Crew(2) as crew:
        yield crew


def test_calls_come_back_with_what_they_return_or_raise(crew):
    for key in range(2):
        crew.start(key, math.pow, 2.0, key)
    assert not crew.free
    assert sorted((key, told.get()) for key, told in (crew.next(), crew.next())) == [
        (0, 1.0),
        (1, 2.0),
    ]
    with pytest.raises(ValueError, match="math domain error"):
        crew.call(math.sqrt, -1.0)


def test_warnings_of_a_worker_are_given_again(crew):
    with pytest.warns(UserWarning, match="look out"):
        crew.call(warnings.warn, "look out")


def test_who_is_late_is_ended_and_the_next_call_has_a_new_process(crew):
    began = time.perf_counter()
    with pytest.raises(TimeUpError):
        crew.call(time.sleep, 600, kill_at=began + 0.2)
    assert time.perf_counter() - began < 300
    assert crew.call(len, "abc") == 3


def test_a_process_that_ends_by_itself_is_told(crew):
    with pytest.raises(WorkerEndedError, match="has ended"):
        crew.call(os._exit, 3)
    assert crew.call(len, "abc") == 3


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_workers_and_what_they_share_end_with_a_killed_process(tmp_path):
    code = (
        "import os, time\n"
        "from infimum.learn.worker import Crew\n"
        "crew = Crew(1)\n"
        "print(crew.folder, crew.call(os.getpid), flush=True)\n"
        "crew.start('sleep', time.sleep, 600)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        text=True,
    )
    folder, worker = parent.stdout.readline().split()
    assert Path(folder).is_dir()
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    end = time.perf_counter() + 60
    while time.perf_counter() < end and (Path(folder).exists() or _lives(int(worker))):
        time.sleep(0.05)
    assert not Path(folder).exists()
    assert not _lives(int(worker))


def _lives(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().split()[2] == "Z")


def test_a_shared_fold_is_the_fold(binary_table, tmp_path):
    problem = pose(binary_table, "verdict")
    splits = splits_of(problem, 0)
    write_problem(problem, splits, tmp_path)
    for view in ("linear", "trees"):
        own = EncodedFold(problem, splits[1]).view(view)
        for _ in range(2):  # made, then read again
            shared_fold.cache_clear()
            shared = shared_fold(tmp_path, 1).view(view)
            for mine, theirs in zip(own[1:], shared[1:], strict=True):
                np.testing.assert_array_equal(_dense(mine), _dense(theirs))
                assert mine.dtype == theirs.dtype
            assert shared[0].get_feature_names_out().tolist() == (
                own[0].get_feature_names_out().tolist()
            )
    np.testing.assert_array_equal(
        shared_fold(tmp_path, 1).held_targets, problem.y[splits[1].held_back]
    )


def test_sparse_rows_are_shared_too(tmp_path):
    rng = np.random.default_rng(0)
    X = sparse.random(40, 30, 0.1, format="csr", random_state=0)
    lines = [
        f"{rng.integers(2)} "
        + " ".join(
            f"{j + 1}:{v:.4f}" for j, v in zip(row.indices, row.data, strict=True)
        )
        for row in X
    ]
    path = tmp_path / "rows.svm"
    path.write_text("\n".join(lines) + "\n")
    problem = pose(path)
    folder = tmp_path / "shared"
    folder.mkdir()
    split = Split(np.arange(30), np.arange(30, 40))
    write_problem(problem, [split], folder)
    own, shared = EncodedFold(problem, split), shared_fold(folder, 0)
    for mine, theirs in zip(
        own.view("linear")[1:], shared.view("linear")[1:], strict=True
    ):
        np.testing.assert_array_equal(_dense(mine), _dense(theirs))


def _dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def few(*given):
    return shelf.classifiers()[:4]


def plain(result):
    told = result.to_plain()
    moving = ("stages", "created", "evidence", "contenders", "versions")
    return {name: each for name, each in told.items() if name not in moving}


def test_the_number_of_workers_changes_no_result(binary_table, monkeypatch):
    monkeypatch.setattr(job, "classifiers", few)
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    runs = [
        infimum.learn(binary_table, "verdict", budget=1e4, workers=count)
        for count in (0, 1, 3)
    ]
    assert plain(runs[0]) == plain(runs[1]) == plain(runs[2])
    scores = [[each.scores for each in run.contenders] for run in runs]
    assert scores[0] == scores[1] == scores[2]
    assert all(each.folds == 5 for each in runs[2].contenders)


def test_ctrl_c_ends_fits_first_and_the_block_when_pressed_again():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with listening():
            signal.raise_signal(signal.SIGINT)
            assert time_is_up()
            with pytest.raises(KeyboardInterrupt):
                check_pressed()
            assert not time_is_up()
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            assert not time_is_up()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        begin_fits()
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_is_heard_while_workers_are_waited_for(binary_table, monkeypatch):
    monkeypatch.setattr(job, "classifiers", few)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def press(step):
        if step.stage == "race" and step.done == 6:
            signal.raise_signal(signal.SIGINT)

    try:
        result = infimum.learn(
            binary_table, "verdict", budget=1e4, workers=2, progress=press
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.ended == "interrupted"


def test_without_any_process_the_race_runs_here(binary_table, monkeypatch):
    monkeypatch.setattr(job, "classifiers", few)
    monkeypatch.setattr("infimum.learn.worker._COMMAND", "raise SystemExit(1)")
    result = infimum.learn(binary_table, "verdict", budget=1e4, workers=2)
    assert result.ended == "finished"


def test_many_levels_make_a_small_table_one_for_workers():
    rng = np.random.default_rng(0)
    sellers = [f"s{k}" for k in rng.integers(0, 400, 2000)]
    few = [f"s{k}" for k in rng.integers(0, 4, 2000)]
    y = rng.normal(size=2000)
    sizes = [
        crew_size(pose(pl.DataFrame({"seller": names, "x": y**2, "y": y}), "y"))
        for names in (few, sellers)
    ]
    assert sizes[0] == 0 < sizes[1]


def test_a_number_of_workers_is_a_whole_number(binary_table):
    with pytest.raises(infimum.errors.InvalidParameterError, match="workers"):
        infimum.learn(binary_table, "verdict", workers=-1)
