"""Peers beyond memory: dask-ml, scikit-learn's `partial_fit`, XGBoost."""

import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.beyond_rows import (
    BLOCK,
    FEATURES,
    make,
    parted,
    scanned,
    spooled,
    watched,
)

__all__ = ["dask", "partial", "trees"]


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
