"""Much in little: a file of 1 GB is learnt from under 300 MB of memory."""

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

SCRIPT = """
import sys, threading, time
import infimum
from infimum.models.linear import LogisticRegression
most, over = 0, threading.Event()
def watch():
    global most
    while not over.wait(0.02):
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("RssAnon"):
                    most = max(most, int(line.split()[1]))
threading.Thread(target=watch, daemon=True).start()
model = LogisticRegression().fit(infimum.scan(sys.argv[1], target="y"))
over.set()
print(most // 1024, model.certificate_.closed, model.n_passes_)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells RssAnon")
def test_a_gigabyte_is_learnt_under_300_megabytes(tmp_path):
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(50)]
    numbers = rng.normal(size=(50_000, 50))
    size, k = 0, 0
    while size < 1_000_000_000:  # of binary files, which are made quickly
        y = (numbers[:, 0] + rng.logistic(size=len(numbers)) > 0).astype(int)
        path = tmp_path / f"{k:03d}.parquet"
        frame = pl.DataFrame(numbers, schema=names).with_columns(y=y)
        frame.write_parquet(path, compression="uncompressed", use_pyarrow=False)
        size, k = size + path.stat().st_size, k + 1
    known = os.environ | {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "2"}
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True, text=True, env=known, check=True,
    ).stdout.split()  # fmt: skip
    assert told[1] == "True"
    assert int(told[0]) < 300
