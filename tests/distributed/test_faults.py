"""What happens to disks and files in a fit: one sentence, with the best point."""

import errno
import os
import time

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import StreamError
from infimum.models.clustering import KMeans
from infimum.models.ensembles import HistGradientBoostingClassifier
from infimum.models.linear import LogisticRegression

pytestmark = pytest.mark.filterwarnings("ignore")
N, D = 40_000, 10


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D))
    y = (X[:, 0] + rng.logistic(size=N) > 0).astype(int)
    path = tmp_path_factory.mktemp("faults") / "rows.parquet"
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(D)])
    frame.with_columns(y=y).write_parquet(path)
    return infimum.scan(path, target="y")


def test_a_disk_without_room_is_told(rows, monkeypatch, tmp_path):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "x.csv"
    path.write_text("a,y\n" + "1,2\n2,3\n" * 50)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(StreamError, match="no room left: give spool="):
            HistGradientBoostingClassifier(max_iter=2).fit(rows)
        with pytest.raises(StreamError, match="no room left"):
            infimum.Ridge().fit(infimum.scan(path, target="y", spool=tmp_path))
    assert not list(tmp_path.glob("infimum-spool-*"))


@pytest.mark.parametrize(
    ("model", "turn"),
    [(LogisticRegression(C=1e-3, l1_ratio=1), 3), (KMeans(4, random_state=0), 9)],
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
