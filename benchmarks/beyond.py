"""The command ``python -m benchmarks.beyond``: rows beyond memory and one machine.

``python -m benchmarks.beyond logistic --gigabytes 2`` makes a CSV file of that size,
fits it in a process of its own, tells seconds, RssAnon and the gap, and removes it.
The other tasks are `memory` (streamed against in memory), `partial` (against
scikit-learn's ``SGDClassifier.partial_fit`` at equal excess), `dask` (against dask-ml
on two workers at equal excess), `trees` (boosting against XGBoost's external memory),
`workers` (one worker of one thread against two, and against one process of two threads)
and `overhead` (a pass with 128 workers in this process). Peers may be installed in
another environment: ``--python /path/to/its/python``.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial as with_options
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.beyond_peers import dask, partial, trees
from benchmarks.beyond_rows import (
    FEATURES,
    make,
    spooled,
    watched,
)

__all__ = ["main"]


def fit_here(path):
    """Fit one file, and print what there is to tell, as JSON."""
    import infimum

    rows = infimum.scan(path, target="y", spool=str(Path(path).parent))
    _, first, _ = watched(lambda: rows.n_rows)
    model, rest, peak = watched(
        lambda: infimum.LogisticRegression(C=1.0, tol=1e-2).fit(rows)
    )
    told = [rows.n_rows, first, rest, peak, model.certificate_.relative_gap]
    print(json.dumps([*told, model.n_passes_]))


def logistic(gigabytes):
    """Fit a large file in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        make(path, size=int(gigabytes * 1e9))
        code = f"from benchmarks.beyond import fit_here; fit_here({str(path)!r})"
        paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        call = [sys.executable, "-c", code]
        run = subprocess.run(call, env=paths, check=True, capture_output=True)
    n, first, rest, peak, gap, passes = json.loads(run.stdout.splitlines()[-1])
    print(
        f"logistic, {gigabytes:g} GB of CSV, {n:,} × {FEATURES}: first pass "
        f"{first:.1f} s, {passes} more passes {rest:.1f} s, RssAnon {peak} MB, "
        f"relative gap {gap:.1e}"
    )


def memory(rows):
    """Time the passes of a streamed fit against the same fit in memory."""
    import infimum

    with tempfile.TemporaryDirectory() as folder:
        scan, X, y = spooled(folder, rows)
        for turn in range(7):
            a, streamed, _ = watched(lambda: infimum.LogisticRegression().fit(scan))
            b, here, _ = watched(lambda: infimum.LogisticRegression().fit(X, y))
            print(
                f"turn {turn}: {len(X):,} × {FEATURES}, streamed {streamed:.2f} s, in "
                f"memory {here:.2f} s, ratio {streamed / here:.2f}; gaps "
                f"{a.certificate_.relative_gap:.0e}, {b.certificate_.relative_gap:.0e}"
            )


def workers(rows):
    """Time one worker of one thread against two, and one process of two threads."""
    from infimum.data.streams import LocalRunner, runner
    from infimum.distributed import cluster

    with tempfile.TemporaryDirectory() as folder:
        scan, _, _ = spooled(folder, rows)
        seconds = {}
        for name, model in _models().items():
            with runner(LocalRunner(2)):
                _, seconds[name, "threads"], _ = watched(lambda m=model: m.fit(scan))
        for count in (1, 2):
            with cluster(workers=count) as local:
                local.client.wait_for_workers(count)
                took = [watched(lambda: scan.run(nothing))[1] for _ in range(7)]
                seconds["reading", count] = float(np.median(took[1:]))
                for name, model in _models().items():
                    _, seconds[name, count], _ = watched(lambda m=model: m.fit(scan))
        one, two = seconds["reading", 1], seconds["reading", 2]
        print(
            f"a pass that only reads: {one:.3f} s, {two:.3f} s, ratio {one / two:.2f}"
        )
        for name in _models():
            one, two, here = (seconds[name, k] for k in (1, 2, "threads"))
            print(
                f"{name}, {rows:,} × {FEATURES}: 1 worker {one:.2f} s, 2 workers "
                f"{two:.2f} s, ratio {one / two:.2f}; one process of 2 threads "
                f"{here:.2f} s, 2 workers / threads {two / here:.2f}"
            )


def _models():
    from infimum import LogisticRegression
    from infimum.models.clustering import KMeans
    from infimum.models.ensembles import HistGradientBoostingClassifier

    return {
        "logistic": LogisticRegression(),
        "k-means": KMeans(20, random_state=0, max_iter=10, tol=0.0),
        "boosting": HistGradientBoostingClassifier(max_iter=5, early_stopping=False),
    }


_WATCHES = "system-monitor", "tick"


def overhead(count):
    """Time a pass that computes nothing, with many workers in this process."""
    workers_of = import_module("distributed")
    import infimum
    from infimum.distributed import cluster

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        X = np.zeros((count * 3 * 16_384, 1))
        pl.DataFrame(X, schema=["x"]).write_parquet(path)
        scan = infimum.scan(path)
        scan.n_rows  # noqa: B018
        # So many workers in one process would spend it on watching its memory.
        seldom = {f"distributed.admin.{n}.interval": "60s" for n in _WATCHES}
        with import_module("dask").config.set(seldom):
            local = workers_of.LocalCluster(
                n_workers=count, threads_per_worker=1, processes=False,
                dashboard_address=None, silence_logs=50, memory_limit=0,
            )  # fmt: skip
        with local, workers_of.Client(local) as client, cluster(client):
            took = [watched(lambda: scan.run(nothing))[1] for _ in range(12)]
            print(
                f"{count} workers in this process: the first passes "
                f"{took[0]:.2f}, {took[1]:.2f} s, the median of the last nine "
                f"{np.median(took[3:]):.3f} s, the least {min(took):.3f} s"
            )


def nothing(leaf):
    """Return the number of rows."""
    return (len(leaf.y),)


def main():
    """Run the task that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beyond")
    tasks = ["logistic", "memory", "partial", "dask", "trees", "workers", "overhead"]
    parser.add_argument("task", choices=tasks)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--count", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--memory", default="auto")
    asked = parser.parse_args()
    if asked.task == "logistic":
        logistic(asked.gigabytes)
    elif asked.task == "overhead":
        overhead(asked.count)
    elif asked.task in ("trees", "dask"):
        peers = {
            "trees": with_options(trees, rounds=asked.rounds),
            "dask": with_options(dask, memory=asked.memory),
        }
        peers[asked.task](asked.rows, asked.python)
    else:
        {"memory": memory, "partial": partial, "workers": workers}[asked.task](
            asked.rows
        )


if __name__ == "__main__":
    main()
