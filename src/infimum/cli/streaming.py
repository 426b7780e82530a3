"""``infimum learn --memory`` and ``infimum predict FOLDER``: rows beyond memory."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import typer

from infimum.cli.sizes import parse_size
from infimum.cli.standard_input import STANDARD
from infimum.errors import InvalidParameterError

__all__ = ["predict_stream", "stream", "streams_in"]

#: Bytes of a file that is read as a whole.
LARGE = 1 << 28

#: Options that a streamed job does not know.
UNKNOWN = (
    "group",
    "time",
    "weights",
    "sensitive",
    "quantile",
    "alarm_rate",
    "costs",
)


def stream(
    data: Path | None,
    target: str | None,
    options: dict[str, Any],
    *,
    memory: str,
    workers: int,
    cluster: str | None,
    **job: Any,
) -> None:
    """Learn from files larger than memory, and say what was done."""
    from infimum.learn.beyond_memory import learn_files
    from infimum.report import render

    asked = [name for name in (*UNKNOWN, "explain_row", "kinds") if options[name]]
    if asked or data is None or target is None or options["task"] == "novelty":
        named = f"--{asked[0].replace('_', '-')}" if asked else "DATA and --target"
        verb = "does not go with" if asked else "needs"
        raise InvalidParameterError(f"--memory {verb} {named}.")
    kept = {name: options[name] for name in ("task", "drop", "only")}
    job["command"] += f" --memory {memory}"
    with _workers(workers, cluster):
        place, told = learn_files(
            data, target, memory=parse_size(memory), render=render, **kept, **job
        )
    typer.echo(
        f"{told.rows:,} rows, {told.test_rows:,} of them for the test. The race ran on "
        f"a sample of {told.sample_rows:,}; {told.winner} won: {told.judged_by} "
        f"{told.score_of_sample:.4f} on all test rows."
    )
    if told.score_of_all is None:
        typer.echo(f"Not fitted to all rows ({told.refitted}).")
    else:
        typer.echo(
            f"Fitted again {told.refitted}, in {told.passes} passes: {told.judged_by} "
            f"{told.score_of_all:.4f}."
        )
    for name in ("model.infimum", "report.html", "beyond.json"):
        typer.echo(f"  {place / name}")
    if place != job["out"] and not job["resume"]:
        typer.echo(
            f"{job['out']} holds a finished run and was kept; --force replaces it."
        )


def streams_in(data: Path, out: Path) -> bool:
    """Tell whether rows are predicted block by block: of folders and large files."""
    if data.is_dir():
        return True
    plain = data.suffix.lower() in {".csv", ".tsv", ".parquet", ".arrow"}
    large = plain and data.is_file() and data.stat().st_size > LARGE
    return large and (out.suffix.lower() == ".csv" or str(out) == STANDARD)


def predict_stream(model: Path, data: Path, out: Path, **how: Any) -> None:
    """Predict rows block by block."""
    from infimum.learn.beyond_memory import predict_files

    if str(out) == STANDARD:
        predict_files(model, data, sys.stdout.buffer, **how)
        sys.stdout.buffer.flush()
        return
    typer.echo(f"Wrote {predict_files(model, data, out, **how):,} predictions to {out}")


def _workers(workers: int, cluster: str | None) -> AbstractContextManager[Any]:
    if workers and cluster:
        raise InvalidParameterError("--workers and --cluster exclude each other.")
    if not workers and not cluster:
        return nullcontext()
    from infimum.distributed import cluster as joined

    return joined(cluster, workers=workers or 2)
