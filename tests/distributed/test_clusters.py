"""Passes on workers: the same bits as here, whoever is killed, or one sentence."""

import os
import pickle
import signal
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import dask.array as da
import dask.dataframe as dd
import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import infimum
from infimum.data.streams import LocalRunner, runner, tree_for
from infimum.distributed import ClusterRunner, cluster, collected
from infimum.distributed.runner import _warn_of_strangers
from infimum.distributed.tasks import cuts, work_on
from infimum.errors import DataError, StreamError
from infimum.models.clustering import KMeans
from infimum.models.ensembles import HistGradientBoostingClassifier
from infimum.models.linear import Lasso, LogisticRegression

pytestmark = pytest.mark.filterwarnings("ignore")
N, D = 60_000, 20


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D))
    return X, (X[:, 0] + rng.logistic(size=N) > 0).astype(int)


@pytest.fixture(scope="module")
def rows(columns, tmp_path_factory):
    X, y = columns
    path = tmp_path_factory.mktemp("cluster") / "rows.parquet"
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(D)])
    frame.with_columns(y=y).write_parquet(path)
    return infimum.scan(path, target="y")


@pytest.fixture(scope="module")
def local():
    with cluster(workers=2) as chosen:
        yield chosen


def pids(local):
    """Return the processes of the workers, as soon as one answers."""
    for _ in range(90):
        found = local.client.run(os.getpid, on_error="ignore")
        if found:
            return list(found.values())
        time.sleep(1.0)
    raise AssertionError


def test_workers_give_the_same_bits(rows, local):
    assert isinstance(local, ClusterRunner)
    there = LogisticRegression(C=0.1).fit(rows)
    here = _here(LogisticRegression(C=0.1), rows)
    assert np.array_equal(here.coef_, there.coef_)
    assert here.certificate_ == there.certificate_
    ours, theirs = _here(KMeans(5, random_state=0), rows), KMeans(5, random_state=0)
    assert np.array_equal(ours.cluster_centers_, theirs.fit(rows).cluster_centers_)


def environment():
    return dict(os.environ)


def test_workers_have_the_environment_of_whoever_starts_them(monkeypatch, local):
    monkeypatch.setenv("TOLD_TO_WORKERS", "late")  # the process they fork from is there
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    monkeypatch.setenv("MKL_NUM_THREADS", "2")
    before = dict(os.environ)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # of a port that is taken
        with cluster(workers=1) as other:
            [found] = other.client.run(environment).values()
    assert found["TOLD_TO_WORKERS"] == "late"
    assert found["MKL_NUM_THREADS"] == "2"
    assert found["MALLOC_TRIM_THRESHOLD_"] == str(1 << 26)
    assert dict(os.environ) == before


class Owners:
    """Tells which process has read which leaf."""

    def __call__(self, leaf):
        return {leaf.number: os.getpid()}

    @staticmethod
    def merge(a, b):
        return a | b


def test_each_worker_reads_its_own_half_in_every_pass(rows, local):
    local.client.wait_for_workers(2)
    first = rows.run(Owners())
    time.sleep(2.5)  # what a client knows of workers without asking is old by then
    assert rows.run(Owners()) == first
    halves = [[k for k in first if first[k] == pid] for pid in set(first.values())]
    assert len(halves) == 2
    assert max(map(len, halves)) - min(map(len, halves)) <= 2


def _here(model, rows):
    with runner(LocalRunner(1)):
        return model.fit(rows)


class Many:
    """Does what so many workers would, whoever is ready first; tasks go as bytes."""

    def __init__(self, count):
        self.count = count

    def run(self, source, work):
        tasks = list(enumerate(cuts(source.leaves, self.count)))
        found = {}
        # On a thread as of a worker: it counts as busy from its first task on.
        with ThreadPoolExecutor(1) as thread:
            for k, cut in np.random.default_rng(self.count).permutation(
                np.array(tasks, dtype=object)
            ):
                given = pickle.loads(pickle.dumps((source, work)))
                done = thread.submit(work_on, *given, *cut).result()
                found[k] = pickle.loads(pickle.dumps(done))
        tree = tree_for(work)
        for k in range(len(tasks)):
            tree.extend(found[k])
        return tree.root()


@pytest.mark.parametrize(
    ("model", "bits"),
    [
        (LogisticRegression(C=0.1), lambda m: m.coef_.tobytes()),
        (
            KMeans(5, random_state=0, max_iter=5, tol=0.0),
            lambda m: m.cluster_centers_.tobytes(),
        ),
        (
            HistGradientBoostingClassifier(max_iter=2, random_state=0),
            lambda m: m.trees_.value.tobytes() + m.trees_.threshold.tobytes(),
        ),
    ],
    ids=lambda m: type(m).__name__,
)
def test_a_hundred_workers_give_the_same_bits(rows, monkeypatch, model, bits):
    monkeypatch.setattr("infimum.models.streamed.binned_rows.MOST", 1 << 9)
    monkeypatch.setattr("infimum.models.streamed.binned_rows.FEWEST", 1 << 9)
    found = set()
    for count in (1, 2, 7, 100):
        with runner(Many(count)):
            found.add(bits(clone(model).fit(rows)))
    assert len(found) == 1


def test_a_search_runs_on_workers_as_here(columns, local):
    X, y = (part[:2_000] for part in columns)
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1.0]}, cv=3, n_jobs=2)
    here = clone(search).fit(X, y)
    with joblib.parallel_config(backend="dask"):
        there = clone(search).fit(X, y)
    for name in ("mean_test_score", "std_test_score"):
        np.testing.assert_array_equal(here.cv_results_[name], there.cv_results_[name])
    np.testing.assert_array_equal(
        here.best_estimator_.coef_, there.best_estimator_.coef_
    )


def test_a_worker_may_be_killed_in_a_fit(rows, local):
    known = _here(LogisticRegression(C=0.1), rows)
    victim = pids(local)[0]
    moment = threading.Timer(0.2, os.kill, (victim, signal.SIGKILL))
    moment.start()
    found = LogisticRegression(C=0.1).fit(rows)
    moment.join()
    assert np.array_equal(found.coef_, known.coef_)


def test_arrays_of_dask_are_rows(columns, rows, local):
    X, y = columns
    known = LogisticRegression().fit(rows)
    for chunks in (N, 7_000):
        cut = da.from_array(X, chunks=(chunks, D))
        found = LogisticRegression().fit(cut, da.from_array(y, chunks=13_000))
        assert np.array_equal(found.coef_, known.coef_)
        assert not hasattr(found, "feature_names_in_")


def test_an_array_of_dask_needs_no_cluster(columns):
    X, y = columns
    found = Lasso(0.01).fit(da.from_array(X, chunks=(9_000, D)), da.from_array(y * 1.0))
    np.testing.assert_allclose(found.coef_, Lasso(0.01).fit(X, y).coef_, atol=1e-6)


def test_a_dataframe_of_dask_has_names_and_words():
    frame = pd.DataFrame({"a": np.arange(90.0), "b": ["u", "v", "w"] * 30})
    y = pd.Series(np.arange(90) % 2)
    cut = dd.from_pandas(frame, npartitions=3)
    found = LogisticRegression().fit(cut, dd.from_pandas(y, npartitions=3))
    assert found.feature_names_in_.tolist() == ["a", "b=u", "b=v", "b=w"]


def test_bad_collections_get_one_sentence(columns):
    X, y = columns
    with pytest.raises(DataError, match=r"cut along the columns too: X.rechunk"):
        collected(da.from_array(X, chunks=(N, 5)))
    with pytest.raises(DataError, match="y has 7 rows"):
        collected(da.from_array(X, chunks=(N, D)), y[:7])
    with pytest.raises(DataError, match=r"y has 2 chunks, but X has 1"):
        collected(da.from_array(X, chunks=(N, D)), da.from_array(y[:9], chunks=5))
    unknown = da.from_array(X, chunks=(30_000, D))
    unknown = unknown[unknown[:, 0] > 0]
    with pytest.raises(DataError, match="must be a dask collection"):
        collected(unknown, y)
    with pytest.raises(DataError, match=r"has \d+ rows, but that of the target"):
        Lasso().fit(unknown, da.from_array(y, chunks=30_000))


def test_nobody_answers():
    nobody = cluster("tcp://127.0.0.1:9", patience=2)
    with pytest.raises(StreamError, match="No scheduler answers"):
        nobody.__enter__()


def test_strangers_are_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _warn_of_strangers("tcp://127.0.0.1:8786")
        _warn_of_strangers("tls://far.example:8786")
        with pytest.raises(UserWarning, match="not encrypted"):
            _warn_of_strangers("tcp://far.example:8786")
