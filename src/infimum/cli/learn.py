"""``infimum learn``: the main job."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from infimum.cli.duration import parse_duration
from infimum.cli.failures import guarded

__all__ = ["learn"]

_BUNDLED, _BUNDLED_TARGET = "boston_mortgages", "denied"


@guarded
def learn(
    data: Annotated[
        Path | None,
        typer.Argument(help="CSV, TSV, Parquet, Arrow, JSON lines or svmlight file."),
    ] = None,
    target: Annotated[str | None, typer.Option(help="Column to predict.")] = None,
    task: Annotated[
        Literal["auto", "classification", "regression"],
        typer.Option(help="What kind of target it is."),
    ] = "auto",
    out: Annotated[Path, typer.Option(help="Directory for the results.")] = Path(
        "infimum-run"
    ),
    budget: Annotated[str, typer.Option(help="Time, e.g. 60s, 2m, 1h.")] = "60s",
    seed: Annotated[int, typer.Option(help="Seed of splits and folds.")] = 0,
) -> None:
    """Learn to predict a column, with a proof and a report.

    Without DATA, the bundled Boston mortgage applications are used.
    """
    seconds = parse_duration(budget)
    from infimum.cli.progress import showing
    from infimum.learn import learn as job
    from infimum.report import render

    with showing(sys.stderr.isatty()) as progress:
        result = job(
            _table(data),
            target or (_BUNDLED_TARGET if data is None else None),
            task,
            seed=seed,
            budget=seconds,
            out=out,
            progress=progress,
            render=render,
            command=_command(data, target, task, seed, budget),
        )
    _announce(result)


def _table(data: Path | None) -> Any:
    if data is not None:
        return data
    from infimum.data import bundled

    typer.echo(
        "No data given: learning from the bundled Boston mortgage applications of 1990 "
        f"(2,380 rows), which were {_BUNDLED_TARGET}."
    )
    return bundled(_BUNDLED)


def _command(
    data: Path | None, target: str | None, task: str, seed: int, budget: str
) -> str:
    """Return the command that gives the same result."""
    words = ["infimum", "learn", *([str(data)] if data else [])]
    words += ["--target", target] if target else []
    words += ["--task", task] if task != "auto" else []
    return shlex.join([*words, "--seed", str(seed), "--budget", budget])


def _announce(result: Any) -> None:
    from infimum.report.sentences import answer

    typer.echo("")
    for sentence in answer(result.to_plain()):
        typer.echo(sentence)
    for warning in (*result.data.warnings, *result.warnings):
        typer.echo(f"Note: {warning}")
    typer.echo("")
    for name in ("model.infimum", "report.html", "result.json"):
        typer.echo(f"  {result.out / name}")
