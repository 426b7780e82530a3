"""Would a network earn its seconds in ``infimum learn``? Twelve real tables answer.

``python -m benchmarks.tables_network`` fits scikit-learn's boosted trees and a network
of ours on the training rows of `benchmarks.tables`, compares them on the same unseen
rows, reads beside them what the command itself reached there (docs/tables.md), and
rewrites the table in docs/networks.md after every row; names of tables run only these.
The network reads standardised numbers and one column for each word, chooses among four
settings on a fifth of its rows, and answers with the mean of three starts. Seconds are
the processor's.
"""

import re
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.table import rewrite_between_markers
from benchmarks.tables import FRESH, PAGE, TABLES, RealTable
from benchmarks.tables_outcome import score, scores
from benchmarks.tables_peer import _plain, peer_answers

__all__ = ["main", "network_answers"]

NETWORKS = PAGE.with_name("networks.md")
METRICS = {"binary": "auc", "multiclass": "accuracy", "counts": "deviance"}
#: Hidden layers and penalty of each setting.
SETTINGS: tuple[dict[str, Any], ...] = (
    {"hidden_layer_sizes": (32,), "alpha": 10.0},
    {"hidden_layer_sizes": (64,), "alpha": 1.0},
    {"hidden_layer_sizes": (64, 32), "alpha": 1.0},
    {"hidden_layer_sizes": (128, 64), "alpha": 0.01},
)


def network_answers(problem: Any, train: Any, unseen: Any, metric: str) -> Any:
    """Return what the mean of three networks says: chances of a class, or verdicts."""
    rows, y = _plain(problem.rows.drop(problem.options.drop)), problem.y
    order = np.random.default_rng(0).permutation(train)
    judges, learns = np.split(order, [len(order) // 5])
    found = [
        score(metric, y[judges], _said(problem, rows, learns, judges, setting, (0,)))
        for setting in SETTINGS
    ]
    best = np.argmax(found) if metric in {"auc", "accuracy"} else np.argmin(found)
    return _said(problem, rows, train, unseen, SETTINGS[int(best)], (0, 1, 2))


def _said(
    problem: Any, rows: Any, train: Any, asked: Any, setting: Any, seeds: Any
) -> Any:
    classify, told = bool(len(problem.classes)), []
    y, middle, unit = problem.y[train], 0.0, 1.0
    if not classify and problem.goal != "counts":
        middle, unit = y.mean(), y.std()
        y = (y - middle) / unit
    for seed in seeds:
        model = _model(problem, rows, setting, seed).fit(rows.iloc[train], y)
        answer = model.predict_proba if classify else model.predict
        told.append(answer(rows.iloc[asked]))
    mean = np.mean(told, axis=0)
    if problem.goal == "binary":
        return mean[:, 1]
    if classify:
        return model.classes_[mean.argmax(axis=1)]
    return middle + unit * mean


def _model(problem: Any, rows: Any, setting: Any, seed: int) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    from infimum.models.neural import MLPClassifier, MLPRegressor

    words = [name for name in rows if rows[name].dtype.kind not in "fiub"]
    numbers = [name for name in rows if name not in words]
    codes = OneHotEncoder(
        handle_unknown="ignore", max_categories=50, sparse_output=False
    )
    scaled = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True), StandardScaler()
    )
    table = make_column_transformer((codes, words), (scaled, numbers))
    how = {**setting, "random_state": seed, "early_stopping": True, "max_iter": 200}
    if len(problem.classes):
        return make_pipeline(table, MLPClassifier(**how))
    loss = "poisson" if problem.goal == "counts" else "squared_error"
    return make_pipeline(table, MLPRegressor(loss, **how))


def compare(table: RealTable, folder: Path) -> list[str]:
    """Return the row of a table: scores and seconds of both, and the command's."""
    from infimum.learn.folds import split_off_test
    from infimum.learn.options import Options
    from infimum.learn.problem import pose

    frame = table.frame().sample(frac=1.0, random_state=0)
    kept = len(frame) - round(FRESH * len(frame))
    path = folder / f"{table.item}.csv"
    frame.to_csv(path, index=False)
    problem = pose(path, table.target, table.task, Options(drop=table.drop))
    split = split_off_test(problem.only(np.arange(kept)), 0)
    unseen = np.concatenate([split.held_back, np.arange(kept, len(problem.y))])
    metric, began = METRICS.get(problem.goal, "rmse"), time.process_time()
    ours = network_answers(problem, split.train, unseen, metric)
    middle = time.process_time()
    theirs = peer_answers(problem, split.train, unseen)
    spent = middle - began, time.process_time() - middle
    network, trees, ahead = scores(metric, problem.y[unseen], ours, theirs, 0)
    known = re.search(
        rf"^\| \S+/{table.item}: .*", PAGE.read_text("utf-8"), re.MULTILINE
    )
    command = known[0].split("|")[4].split("(")[0].strip() if known else "unknown"
    told = [f"{table.item}: {table.target}", metric, f"{network.value:.5g}"]
    told += [f"{trees.value:.5g}", str(ahead), command]
    return [*told, f"{spent[0]:.1f}", f"{spent[1]:.1f}"]


def main(items: list[str]) -> int:
    """Rewrite the table in docs/networks.md."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    with tempfile.TemporaryDirectory() as folder:
        for table in TABLES:
            if not items or table.item in items:
                line = f"| {' | '.join(compare(table, Path(folder)))} |"
                print(line, flush=True)
                write(table.item, line)
    return 0


def write(item: str, line: str) -> None:
    """Put the row of a table where it belongs, and leave the others."""
    page = NETWORKS.read_text("utf-8")
    lines = {
        one.item: known[0]
        for one in TABLES
        if (known := re.search(rf"^\| {one.item}: .*$", page, re.MULTILINE))
    }
    lines[item] = line
    heads = "| table | criterion | network | boosted trees | difference | "
    heads += "`infimum learn` | seconds | of the trees |\n"
    heads += "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    rows = [lines[one.item] for one in TABLES if one.item in lines]
    rewrite_between_markers(NETWORKS, heads + "\n".join(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
