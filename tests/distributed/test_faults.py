"""What happens to workers and disks: the same bits, or one sentence; never a hang."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import dask
import numpy as np
import polars as pl
import pytest

import infimum
from infimum.data.streams import LocalRunner, runner
from infimum.distributed import cluster
from infimum.errors import Interrupted, StreamError
from infimum.models.clustering import KMeans
from infimum.models.ensembles import HistGradientBoostingClassifier
from infimum.models.linear import LogisticRegression
from tests.models.test_callbacks_and_interruption import Witness

pytestmark = pytest.mark.filterwarnings("ignore")
N, D, KILLS = 40_000, 10, 20

MODELS = [
    (LogisticRegression(C=0.1), "coef_"),
    (KMeans(4, init="random", random_state=0, max_iter=4, tol=0.0), "cluster_centers_"),
    (HistGradientBoostingClassifier(max_iter=1, random_state=0), "_raw"),
]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D))
    y = (X[:, 0] + rng.logistic(size=N) > 0).astype(int)
    path = tmp_path_factory.mktemp("faults") / "rows.parquet"
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(D)])
    frame.with_columns(y=y).write_parquet(path)
    return infimum.scan(path, target="y")


@pytest.fixture(scope="module", autouse=True)
def few():
    """Let fits begin from few rows, so that they make several passes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infimum.solvers.second_order._gram_newton.SAMPLE", 2_000)
        yield


@pytest.fixture(scope="module")
def known(rows):
    with runner(LocalRunner(1)):
        return [outcome(model, name, rows) for model, name in MODELS]


def outcome(model, name, rows):
    """Return the bits of what a fit has found."""
    from sklearn.base import clone

    fitted = clone(model).fit(rows)
    if name == "_raw":
        return fitted.trees_.value.tobytes() + fitted.trees_.threshold.tobytes()
    return getattr(fitted, name).tobytes()


def nannies(local):
    return list(local.client.cluster.workers.values())


def pid_of(nanny, patience=60.0):
    """Return the process of a worker, as soon as there is one."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if nanny.pid is not None:
            return nanny.pid
        time.sleep(0.05)
    raise AssertionError


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def both_there(local, patience=60.0):
    """Wait until two workers answer, none of them killed and not missed yet.

    One that dies before it has joined would be given up by its nanny.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = set(local.client.run(os.getpid, on_error="ignore").values())
        if len(found) == 2 and found == {nanny.pid for nanny in nannies(local)}:
            return
        time.sleep(0.05)
    raise AssertionError


@pytest.fixture(scope="module")
def local():
    with cluster(workers=2) as chosen:
        yield chosen


def test_each_worker_killed_at_a_random_moment_twenty_times(rows, known, local):
    rng = np.random.default_rng(0)
    for turn in range(KILLS):
        both_there(local)
        victim = pid_of(nannies(local)[turn % 2])
        moment = threading.Timer(rng.uniform(0.0, 0.25), kill, (victim,))
        moment.start()
        k = turn % len(MODELS)
        assert outcome(*MODELS[k], rows) == known[k]
        moment.join()


def test_all_workers_killed_at_once(rows, known, local):
    both_there(local)
    victims = [pid_of(nanny) for nanny in nannies(local)]
    moment = threading.Timer(0.05, lambda: [kill(pid) for pid in victims])
    moment.start()
    assert outcome(*MODELS[0], rows) == known[0]
    moment.join()


def test_a_worker_that_stops_is_left_behind(rows, known, monkeypatch):
    monkeypatch.setattr("infimum.distributed.runner.SILENT", "3s")
    with cluster(workers=2) as local:
        victim = pid_of(nannies(local)[0])
        os.kill(victim, signal.SIGSTOP)
        began = time.monotonic()
        try:
            assert outcome(*MODELS[2], rows) == known[2]
            assert time.monotonic() - began < 60.0
        finally:
            kill(victim)


def deadly(leaf):
    """End the worker as the kernel does where memory is out."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_block_that_ends_every_worker_is_told(rows):
    once = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with once, cluster(), pytest.raises(StreamError, match="want of memory"):
        rows.run(deadly)


def test_a_scheduler_that_is_gone_is_told_with_the_best_point(rows):
    code = (
        "import asyncio, distributed\n"
        "async def main():\n"
        "    async with distributed.Scheduler(host='127.0.0.1', port=0,\n"
        "                                     dashboard=False) as s:\n"
        "        async with distributed.Worker(s.address, nthreads=1):\n"
        "            print(s.address, flush=True)\n"
        "            await s.finished()\n"
        "asyncio.run(main())\n"
    )
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], env=paths, **how) as process:
        address = process.stdout.readline().strip()
        began = time.monotonic()
        with cluster(address, patience=3.0):
            count = iter(range(100))
            plain = type(rows).run

            def run(self, work, source=None):
                if next(count) == 2:
                    process.kill()
                return plain(self, work, source)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(type(rows), "run", run)
                with pytest.raises(StreamError, match="best point so far") as caught:
                    LogisticRegression(C=1e-3, l1_ratio=1).fit(rows)
    assert time.monotonic() - began < 60.0
    assert caught.value.gap >= 0.0
    assert "\n" not in str(caught.value)


def test_a_disk_without_room_is_told(rows, monkeypatch, tmp_path):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "x.csv"
    path.write_text("a,y\n" + "1,2\n2,3\n" * 50)
    fresh = infimum.scan(rows.layout.files[0].path, target="y")
    with runner(LocalRunner(1)), monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(StreamError, match="no room left: give spool="):
            HistGradientBoostingClassifier(max_iter=2).fit(fresh)
        with pytest.raises(StreamError, match="no room left"):
            infimum.Ridge().fit(infimum.scan(path, target="y", spool=tmp_path))
    assert not list(tmp_path.glob("infimum-spool-*"))


@pytest.mark.parametrize(
    ("model", "turn"),
    [(LogisticRegression(C=1e-3, l1_ratio=1), 2), (KMeans(4, random_state=0), 9)],
)
def test_a_file_that_changes_in_a_fit_is_told_with_the_best_point(
    rows, tmp_path, monkeypatch, model, turn
):
    path = tmp_path / "x.parquet"
    path.write_bytes(rows.layout.files[0].path.read_bytes())
    changing = infimum.scan(path, target="y")
    count, plain = iter(range(100)), type(changing).run

    def run(self, work, source=None):
        if next(count) == turn:
            os.utime(path, ns=(1, time.time_ns()))
        return plain(self, work, source)

    monkeypatch.setattr(type(changing), "run", run)
    with pytest.raises(StreamError, match=r"has changed.*best") as caught:
        model.fit(changing)
    assert caught.value.point is not None
    assert caught.value.gap >= 0.0


def test_centres_that_are_interrupted_are_kept_with_their_inertia(rows, monkeypatch):
    count, plain = iter(range(100)), type(rows).run

    def run(self, work, source=None):
        if next(count) == 9:
            raise KeyboardInterrupt
        return plain(self, work, source)

    monkeypatch.setattr(type(rows), "run", run)
    model = KMeans(4, random_state=0, max_iter=50, tol=0.0)
    with runner(LocalRunner(1)), pytest.raises(Interrupted) as caught:
        model.fit(rows)
    assert caught.value.estimator is model
    monkeypatch.undo()
    from infimum.models.streamed.centres import LloydPass

    with runner(LocalRunner(1)):
        inertia = rows.run(LloydPass(model.cluster_centers_))[2]
    assert model.n_iter_ == 3
    np.testing.assert_allclose(model.inertia_, inertia, rtol=1e-9)


def test_boosting_without_workers_keeps_the_rounds_before(rows):
    """Both nannies go after three rounds; the model of these is left, and told."""
    how = {"max_iter": 50, "early_stopping": False, "random_state": 0}
    model = HistGradientBoostingClassifier(**how)
    with cluster(workers=2, patience=3.0) as local:

        class Closing(Witness):
            def on_fit_task_end(self, estimator, context):
                self.tasks += 1
                if self.tasks == 3:
                    local.client.cluster.scale(0)

        began = time.monotonic()
        with pytest.raises(StreamError, match=r"keeps \d+ rounds") as caught:
            model.set_callbacks(Closing()).fit(rows)
        assert time.monotonic() - began < 60.0
    assert caught.value.estimator is model
    assert 3 <= model.n_iter_ < 50
    short = HistGradientBoostingClassifier(**how | {"max_iter": model.n_iter_})
    with runner(LocalRunner(1)):
        short.fit(rows)
    assert short.trees_.value.tobytes() == model.trees_.value.tobytes()
