"""The command ``python -m benchmarks.beyond``: rows beyond memory and one machine.

``python -m benchmarks.beyond logistic --gigabytes 2`` makes a CSV file of that size,
fits it in a process of its own, tells seconds, RssAnon and the gap, and removes it.
The other tasks are `memory` (streamed against in memory), `partial` (against
scikit-learn's ``SGDClassifier.partial_fit`` at equal excess), `workers` (one worker of
one thread against two) and `overhead` (a pass with 128 workers in this process).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl

__all__ = ["main"]

FEATURES = 100
BLOCK = 20_000
NAMES = [f"x{j}" for j in range(FEATURES)]


def make(path, *, size=None, rows=None, digits=6):
    """Write rows of a logistic law until the file is large enough."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=FEATURES) / np.sqrt(FEATURES)
    done = 0
    with path.open("wb") as stream:
        while (stream.tell() < size) if rows is None else (done < rows):
            X = rng.normal(size=(BLOCK, FEATURES)).round(digits)
            y = (X @ truth + rng.logistic(size=BLOCK) > 0).astype(int)
            frame = pl.DataFrame(X, schema=NAMES).with_columns(y=y)
            frame.write_csv(stream, include_header=not done)
            done += BLOCK
    return done


def watched(work):
    """Return what work returns, its seconds, and the peak of RssAnon in MB."""
    most, over = [0], threading.Event()

    def watch():
        while not over.wait(0.05):
            text = Path("/proc/self/status").read_text(encoding="ascii")
            [line] = [x for x in text.splitlines() if x.startswith("RssAnon")]
            most[0] = max(most[0], int(line.split()[1]) // 1024)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    began = time.perf_counter()
    found = work()
    seconds = time.perf_counter() - began
    over.set()
    thread.join()
    return found, seconds, most[0]


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


def spooled(folder, rows):
    """Return a scan whose first pass is made, and its numbers in memory."""
    import infimum

    path = Path(folder) / "rows.csv"
    make(path, rows=rows)
    scan = infimum.scan(path, target="y", spool=folder)
    leaves = [(leaf.X.copy(), leaf.y.copy()) for leaf in scan.leaves()]
    path.unlink()
    X = np.concatenate([X for X, _ in leaves])
    # The file is gone on purpose: nobody checks it while the passes are timed.
    scan.layout.files.clear()
    return scan, X, np.concatenate([y for _, y in leaves]).astype(int)


def memory(rows):
    """Time the passes of a streamed fit against the same fit in memory."""
    import infimum

    with tempfile.TemporaryDirectory() as folder:
        scan, X, y = spooled(folder, rows)
        for turn in range(3):
            a, streamed, _ = watched(lambda: infimum.LogisticRegression().fit(scan))
            b, here, _ = watched(lambda: infimum.LogisticRegression().fit(X, y))
            print(
                f"turn {turn}: {len(X):,} × {FEATURES}, streamed {streamed:.2f} s, in "
                f"memory {here:.2f} s, ratio {streamed / here:.2f}; gaps "
                f"{a.certificate_.relative_gap:.0e}, {b.certificate_.relative_gap:.0e}"
            )


def partial(rows):
    """Time until the excess is 1e-3, against ``SGDClassifier.partial_fit``."""
    from sklearn.linear_model import SGDClassifier

    import infimum

    with tempfile.TemporaryDirectory() as folder:
        scan, X, y = spooled(folder, rows)
        model, ours, _ = watched(lambda: infimum.LogisticRegression(tol=3e-2).fit(scan))
        proof = model.certificate_
        goal = proof.dual + 1e-3 * proof.scale
        judge = infimum.LogisticRegression().fit(X[:1000], y[:1000])
        peer = SGDClassifier(loss="log_loss", alpha=1.0 / len(X), random_state=0)
        theirs, value, passes = 0.0, np.inf, 0
        while value > goal and passes < 20:
            began = time.perf_counter()
            for leaf in scan.leaves():
                peer.partial_fit(leaf.X, leaf.y, classes=[0.0, 1.0])
            theirs, passes = theirs + time.perf_counter() - began, passes + 1
            judge.coef_, judge.intercept_ = peer.coef_, peer.intercept_
            value = judge.certify(X, y).primal
        reached = "" if value <= goal else " (not reached)"
        print(
            f"{len(X):,} × {FEATURES}: ours {ours:.2f} s, theirs {theirs:.2f} s in "
            f"{passes} passes{reached}, ratio {theirs / ours:.1f}"
        )


def workers(rows):
    """Time one worker of one thread against two."""
    import infimum
    from infimum.distributed import cluster

    with tempfile.TemporaryDirectory() as folder:
        scan, _, _ = spooled(folder, rows)
        seconds = {}
        for count in (1, 2):
            with cluster(workers=count):
                infimum.LogisticRegression().fit(scan)  # warm
                model, took, _ = watched(lambda: infimum.LogisticRegression().fit(scan))
            seconds[count] = took
            print(f"{count} workers: {took:.2f} s, {model.n_passes_} passes")
        print(f"ratio {seconds[1] / seconds[2]:.2f}")


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
        local = workers_of.LocalCluster(
            n_workers=count, threads_per_worker=1, processes=False,
            dashboard_address=None, silence_logs=50,
        )  # fmt: skip
        with local, workers_of.Client(local) as client, cluster(client):
            for turn in range(5):
                _, seconds, _ = watched(lambda: scan.run(nothing))
                print(f"turn {turn}: {count} workers, a pass {seconds:.3f} s")


def nothing(leaf):
    """Return the number of rows."""
    return (len(leaf.y),)


def main():
    """Run the task that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beyond")
    tasks = ("logistic", "memory", "partial", "workers", "overhead")
    parser.add_argument("task", choices=tasks)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--count", type=int, default=128)
    asked = parser.parse_args()
    if asked.task == "logistic":
        logistic(asked.gigabytes)
    elif asked.task == "overhead":
        overhead(asked.count)
    else:
        {"memory": memory, "partial": partial, "workers": workers}[asked.task](
            asked.rows
        )


if __name__ == "__main__":
    main()
