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
import threading
import time
from functools import partial as with_options
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


def parted(folder, rows):
    """Yield rows of a logistic law piece by piece; write each as a Parquet file."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=FEATURES) / np.sqrt(FEATURES)
    place = Path(folder) / "parts"
    place.mkdir()
    for k, start in enumerate(range(0, rows, 10 * BLOCK)):
        X = rng.normal(size=(min(10 * BLOCK, rows - start), FEATURES))
        y = (X @ truth + rng.logistic(size=len(X)) > 0).astype(int)
        frame = pl.DataFrame(X, schema=NAMES).with_columns(y=y)
        frame.write_parquet(place / f"{k:04d}.parquet", compression="uncompressed")
        yield X, y


def scanned(folder):
    """Return a scan of these files whose first pass is made."""
    import infimum

    scan = infimum.scan(Path(folder) / "parts", target="y", spool=folder)
    scan.n_rows  # noqa: B018
    return scan


def spooled(folder, rows):
    """Return a scan whose first pass is made, and its numbers in memory."""
    tables, labels = zip(*parted(folder, rows), strict=True)
    return scanned(folder), np.concatenate(tables), np.concatenate(labels)


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
        for average in (False, True):
            peer = SGDClassifier(
                loss="log_loss", alpha=1.0 / len(X), average=average, random_state=0
            )
            theirs, value, passes = 0.0, np.inf, 0
            while value > goal and passes < 60:
                began = time.perf_counter()
                for leaf in scan.leaves():
                    peer.partial_fit(leaf.X, leaf.y, classes=[0.0, 1.0])
                theirs, passes = theirs + time.perf_counter() - began, passes + 1
                judge.coef_, judge.intercept_ = peer.coef_, peer.intercept_
                value = judge.certify(X, y).primal
            print(
                f"{len(X):,} × {FEATURES}, {average=}: ours {ours:.2f} s, theirs "
                f"{theirs:.2f} s, {passes=}, excess {value - goal:.1e} over the goal"
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


TREES = """
import json, sys, time
import numpy as np, xgboost
folder, count, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
class Parts(xgboost.DataIter):
    def __init__(self):
        self.at = 0
        super().__init__(cache_prefix=folder + "/cache")
    def next(self, give):
        if self.at == count:
            return False
        give(data=np.load(f"{folder}/x{self.at}.npy", mmap_mode="r"),
             label=np.load(f"{folder}/y{self.at}.npy"))
        self.at += 1
        return True
    def reset(self):
        self.at = 0
began = time.perf_counter()
table = xgboost.ExtMemQuantileDMatrix(Parts(), max_bin=256)
booster = xgboost.train(
    dict(objective="binary:logistic", tree_method="hist", grow_policy="lossguide",
         max_leaves=31, max_depth=0, eta=0.1, reg_lambda=0.0, min_child_weight=5.0,
         nthread=2),
    table, rounds)
seconds = time.perf_counter() - began
test = np.load(folder + "/test.npy")
np.save(folder + "/answers.npy", booster.predict(xgboost.DMatrix(test)))
print(json.dumps(seconds))
"""


def trees(rows, python, rounds=30):
    """Time boosting against XGBoost's external memory, and compare their ROC areas."""
    from sklearn.metrics import roc_auc_score

    from infimum.models.ensembles import HistGradientBoostingClassifier

    with tempfile.TemporaryDirectory() as folder:
        for count, (X, y) in enumerate(parted(folder, rows), 1):
            np.save(f"{folder}/x{count - 1}.npy", X)
            np.save(f"{folder}/y{count - 1}.npy", y)
        # The last piece judges, and is not seen by either.
        test, truth, count = X, y, count - 1
        Path(folder, "parts", f"{count:04d}.parquet").unlink()
        np.save(f"{folder}/test.npy", test)
        del X
        scan = scanned(folder)
        seen = scan.n_rows
        how = {"max_iter": rounds, "early_stopping": False}
        model = HistGradientBoostingClassifier(**how)
        _, ours, peak = watched(lambda: model.fit(scan))
        model.__dict__.pop("feature_names_in_")
        area = roc_auc_score(truth, model.decision_function(test))
        call = [python, "-c", TREES, folder, str(count), str(rounds)]
        run = subprocess.run(call, check=True, capture_output=True)
        theirs = json.loads(run.stdout.splitlines()[-1])
        other = roc_auc_score(truth, np.load(f"{folder}/answers.npy"))
    print(
        f"boosting, {rounds} rounds, {seen:,} × {FEATURES} after the first "
        f"pass: ours {ours:.1f} s (RssAnon {peak} MB), area {area:.4f}; "
        f"XGBoost's external memory {theirs:.1f} s, area {other:.4f}; ratio "
        f"{theirs / ours:.2f}"
    )


DASK = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
def main():
    import dask.dataframe as dd, numpy as np
    from dask.distributed import Client, LocalCluster
    from dask_ml.linear_model import LogisticRegression
    path, steps = sys.argv[1], [int(k) for k in sys.argv[2].split(",")]
    how = dict(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with LocalCluster(memory_limit=sys.argv[3], **how) as c:
        with Client(c):
            began = time.perf_counter()
            table = dd.read_csv(path).to_dask_array(lengths=True).persist()
            X, y = table[:, :-1], table[:, -1]
            read = time.perf_counter() - began
            for most in steps:
                began = time.perf_counter()
                model = LogisticRegression(C=1.0, solver="lbfgs", max_iter=most)
                model.fit(X, y)
                took = time.perf_counter() - began
                found = [read, took, most, model.coef_.ravel().tolist(),
                         float(np.ravel(model.intercept_)[0])]
                print(json.dumps(found), flush=True)
if __name__ == "__main__":
    main()
"""


def dask(rows, python, memory="auto"):
    """Time CSV to excess 1e-3 against dask-ml's L-BFGS on two workers."""
    import infimum

    with tempfile.TemporaryDirectory() as folder:
        path, few = Path(folder) / "rows.csv", Path(folder) / "few.csv"
        make(few, rows=BLOCK)
        # Neither side pays for its imports.
        infimum.LogisticRegression().fit(infimum.scan(few, target="y"))
        make(path, rows=rows)
        scan = infimum.scan(path, target="y", spool=folder)
        model = infimum.LogisticRegression(tol=3e-2)
        _, ours, _ = watched(lambda: model.fit(scan))
        proof = model.certificate_
        script = Path(folder) / "peer.py"
        script.write_text(DASK)
        call = [python, str(script), str(path), "5,10,20,50,100", memory]
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(call, **how) as run:
            for line in run.stdout:
                read, took, most, coef, intercept = json.loads(line)
                model.coef_, model.intercept_ = np.array([coef]), np.array([intercept])
                excess = (model.certify(scan).primal - proof.dual) / proof.scale
                print(
                    f"dask-ml, at most {most} steps: {read:.1f} s to read, {took:.1f} "
                    f"s to fit, excess {excess:.1e}",
                    flush=True,
                )
                if excess <= 1e-3:
                    run.terminate()
                    break
    print(
        f"{rows:,} × {FEATURES} from CSV: ours {ours:.1f} s (gap "
        f"{proof.relative_gap:.0e}), dask-ml {read + took:.1f} s, ratio "
        f"{(read + took) / ours:.1f}"
    )


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
