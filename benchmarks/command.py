"""The command ``python -m benchmarks``: run tasks by name, keep the ratios."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.cold_start import cold_start
from benchmarks.machine import describe_machine, library_versions, machine_name
from benchmarks.table import markdown, plain, rewrite_between_markers, summary
from benchmarks.task import OURS, load_task, present, task_names
from benchmarks.timing import PATIENCE, Row, time_task

__all__ = ["main", "run_task"]

ROOT = Path(__file__).parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tasks asked for (all, when none is named); return an exit code."""
    options = parse(arguments)
    path = options.json
    if path is None and not options.quick:
        day = datetime.now(UTC).date()
        path = ROOT / "benchmarks" / "results" / f"{machine_name()}-{day}.json"
    rows: list[Row] = []
    record = keep(rows, quick=options.quick, earlier=path)
    for name in options.names or task_names():
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += run_task(
            name, quick=options.quick, rounds=options.rounds, cold=not options.warm
        )
        record = keep(rows, quick=options.quick, earlier=path)
        if path is not None:  # after every task: a run cut short has kept the others
            write_json(record, path)
    print(plain(rows))
    for row in (row for row in rows if row.problem):
        print(f"{row.contender} failed on {row.task}: {row.problem}")
    if path is not None:
        print(f"kept as {path}")
    if options.page:
        show(record)
    return 0 if all(row.reached for row in rows if row.contender == OURS) else 1


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"tasks: {', '.join(task_names())}")
    parser.add_argument("--quick", action="store_true", help="small data, two rounds")
    parser.add_argument("--rounds", type=int, help="turns per contender (default 7)")
    parser.add_argument("--json", type=Path, help="where to keep the results")
    parser.add_argument("--warm", action="store_true", help="leave out cold starts")
    parser.add_argument(
        "--page",
        action="store_true",
        help="rewrite the tables of docs/benchmarks.md from the day's tasks",
    )
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in task_names() and not present(n)]
    if unknown:
        parser.error(f"no task {unknown[0]!r}; there are {', '.join(task_names())}")
    if options.quick and options.page:
        parser.error("the README shows full runs only: leave --quick or --page out")
    return options


def run_task(
    name: str, *, quick: bool, rounds: int | None = None, cold: bool = True
) -> list[Row]:
    """Time one task warm in this process, then each contender cold in its own."""
    task = load_task(name)
    rows = time_task(task, quick=quick, rounds=rounds or (2 if quick else 7))
    for contender, row in zip(task.contenders(), rows, strict=True):
        row.task += " (quick)" * quick
        if cold and row.best is not None and row.best <= PATIENCE:
            rung = contender.ladder.index(row.setting)
            times = cold_start(name, contender.name, rung, quick=quick)
            row.first_call, row.next_process = times
    return rows


def keep(
    rows: list[Row], *, quick: bool, earlier: Path | None = None
) -> dict[str, Any]:
    """Return everything worth keeping about a run, with the day's other tasks."""
    run = {row.task for row in rows}
    before = []
    if earlier is not None and earlier.is_file():
        kept = json.loads(earlier.read_text(encoding="utf-8"))
        before = [row for row in kept["rows"] if row["task"] not in run]
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "machine": describe_machine(),
        "versions": library_versions(),
        "rows": before + [asdict(row) for row in rows],
    }


def show(record: dict[str, Any]) -> None:
    """Write the day's results to the docs."""
    rows = [Row(**row) for row in record["rows"]]
    said = caption(record)
    whole = f"{summary(rows)}\n\n{said}\n\n## Every library\n\n{markdown(rows)}"
    rewrite_between_markers(ROOT / "docs" / "benchmarks.md", whole)


def write_json(record: dict[str, Any], path: Path) -> None:
    """Write to a temporary name, then move: a broken run leaves the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(record, indent=1, default=str) + "\n", encoding="utf-8")
    draft.replace(path)


def caption(record: dict[str, Any]) -> str:
    """Say in one sentence where the numbers come from and how to read them."""
    machine, versions = record["machine"], record["versions"]
    peers = ", ".join(f"{k} {v}" for k, v in versions.items() if k != "infimum")
    return (
        f"Measured on {record['date'][:10]} by `make bench`: {machine['processor']}, "
        f"{machine['cores']} cores, Python {machine['python']}, {peers}. Seconds are "
        "the best of several turns after warm-up; a library's time is divided by ours, "
        "and given only where it reached the same quality."
    )
