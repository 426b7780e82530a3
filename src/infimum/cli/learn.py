"""``infimum learn``: a table in, a chosen and certified model out."""

import shlex
import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal

import typer

from infimum.cli.costs import parse_costs
from infimum.cli.duration import parse_duration
from infimum.cli.failures import guarded, one_line
from infimum.cli.kinds import parse_kinds
from infimum.cli.sizes import MaxUnpacked
from infimum.cli.standard_input import table_or_path
from infimum.cli.streaming import stream
from infimum.errors import InvalidParameterError

__all__ = ["learn"]

_BUNDLED, _BUNDLED_TARGET = "boston_mortgages", "denied"

Task = Literal[
    "auto",
    "classification",
    "regression",
    "counts",
    "quantile",
    "ordinal",
    "multilabel",
    "novelty",
]
Columns = list[str] | None


@guarded
def learn(
    data: Annotated[
        Path | None,
        typer.Argument(
            help="CSV, TSV, Parquet, Arrow, JSON lines or svmlight file, also "
            "compressed; - reads standard input."
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Column to predict; or several: a,b,c.")
    ] = None,
    task: Annotated[Task, typer.Option(help="What kind of target it is.")] = "auto",
    out: Annotated[Path, typer.Option(help="Directory for the results.")] = Path(
        "infimum-run"
    ),
    budget: Annotated[str, typer.Option(help="Time, e.g. 60s, 2m, 1h.")] = "60s",
    seed: Annotated[int, typer.Option(help="Seed of splits and folds.")] = 0,
    resume: Annotated[  # noqa: FBT002
        bool, typer.Option("--resume", help="Go on with a run that was cut short.")
    ] = False,
    force: Annotated[  # noqa: FBT002
        bool, typer.Option("--force", help="Replace the finished run in --out.")
    ] = False,
    group: Annotated[
        str | None, typer.Option(help="Column whose equal values are not split up.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(help="Column of moments: test on the latest rows.")
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(help="Column that says how many rows each stands for."),
    ] = None,
    sensitive: Annotated[
        Columns, typer.Option(help="Column whose groups to compare; repeatable.")
    ] = None,
    drop: Annotated[
        Columns, typer.Option(help="Column not to learn from; repeatable.")
    ] = None,
    only: Annotated[
        Columns, typer.Option(help="The only column to learn from; repeatable.")
    ] = None,
    quantile: Annotated[
        float | None, typer.Option(help="Which quantile, for --task quantile.")
    ] = None,
    novelty: Annotated[  # noqa: FBT002
        bool, typer.Option("--novelty", help="No target: look for strange rows.")
    ] = False,
    alarm_rate: Annotated[
        float | None,
        typer.Option(help="How often familiar rows may be flagged, for --novelty."),
    ] = None,
    kinds: Annotated[
        Columns,
        typer.Option(
            help="What columns are, e.g. zip=category,note=text: numeric, category, "
            "boolean, date, text, id or drop.",
        ),
    ] = None,
    explain_row: Annotated[
        list[int] | None,
        typer.Option(help="Row to explain, counted from 1; repeatable."),
    ] = None,
    costs: Annotated[
        str | None,
        typer.Option(
            help="What mistakes cost, truth->answer, e.g. 'yes->no=5,no->yes=1'."
        ),
    ] = None,
    max_unpacked: MaxUnpacked = None,
    memory: Annotated[
        str | None,
        typer.Option(help="Stream files or a folder in so much memory, e.g. 2G."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="Processes that learn, or with --memory read, side by side."),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="With --memory: a Dask scheduler's address.")
    ] = None,
    spool: Annotated[
        Path | None, typer.Option(help="With --memory: folder of the encoded copy.")
    ] = None,
) -> None:
    """Learn to predict a column, or to find strange rows, with proof and report.

    Without DATA, the bundled Boston mortgage applications are used.
    """
    if novelty and task not in ("auto", "novelty"):
        raise InvalidParameterError(f"--novelty has no target of the kind {task!r}.")
    task = "novelty" if novelty else task
    options = {
        "task": task,
        "group": group,
        "time": time,
        "weights": weights,
        "sensitive": tuple(sensitive or ()),
        "drop": tuple(drop or ()),
        "only": tuple(only or ()),
        "quantile": quantile,
        "alarm_rate": alarm_rate,
        "kinds": parse_kinds(kinds or ()),
        "explain_row": tuple(explain_row or ()),
        "costs": parse_costs(costs) if costs else {},
    }
    if memory is not None:
        stream(
            data, target, options, memory=memory, workers=workers or 0, cluster=cluster,
            spool=spool, seed=seed, budget=parse_duration(budget), out=out, force=force,
            resume=resume, command=_command(data, target, seed, budget, options),
        )  # fmt: skip
        return
    result = _run(
        data,
        max_unpacked,
        target or (_BUNDLED_TARGET if data is None and task != "novelty" else None),
        budget=parse_duration(budget),
        out=out,
        seed=seed,
        resume=resume,
        force=force,
        workers=workers,
        command=_command(data, target, seed, budget, options),
        **options,
    )
    _announce(result)
    if result.out != out and not resume:
        typer.echo(f"\n{out} holds a finished run and was kept; --force replaces it.")


def _run(
    data: Path | None, max_unpacked: str | None, target: str | None, **options: Any
) -> Any:
    """Read and check the table first: loading the models takes longer."""
    from infimum.cli.progress import showing
    from infimum.learn.clock import Step
    from infimum.learn.options import check_columns

    began = perf_counter()
    table = None if data is not None else _bundled()
    with showing(sys.stderr) as progress:
        progress(Step("read"))
        table = _table(data, max_unpacked) if data is not None else table
        check_columns(table, target, options)
        progress(Step("load"))
        from infimum.learn import learn as job
        from infimum.report import render

        return job(
            table,
            target,
            progress=progress,
            render=render,
            began=began,
            **options,
        )


def _table(data: Path, max_unpacked: str | None) -> Any:
    from infimum.data import read_table

    given = table_or_path(data, max_unpacked)
    return read_table(given) if isinstance(given, Path) else given


def _bundled() -> Any:
    from infimum.data import bundled

    typer.echo(
        "No data given: learning from the bundled Boston mortgage applications of 1990 "
        f"(2,380 rows; column {_BUNDLED_TARGET!r} tells which were denied)."
    )
    return bundled(_BUNDLED)


def _command(
    data: Path | None,
    target: str | None,
    seed: int,
    budget: str,
    options: dict[str, Any],
) -> str:
    """Return the command that gives the same result."""
    words = ["infimum", "learn", *([str(data)] if data else [])]
    words += ["--target", target] if target else []
    for name, value in options.items():
        for each in _each(value):
            option = f"--{name.replace('_', '-')}"
            words += [option, str(each)] if each not in (None, "auto") else []
    return shlex.join([*words, "--seed", str(seed), "--budget", budget])


def _each(value: Any) -> list[Any]:
    if isinstance(value, dict):
        pairs = (
            f"{k}={v:g}" if isinstance(v, float) else f"{k}={v}"
            for k, v in value.items()
        )
        return [",".join(pairs) or None]
    return list(value) if isinstance(value, tuple) else [value]


def _announce(result: Any) -> None:
    from infimum.report.sentences import answer

    typer.echo("")
    for sentence in (*answer(result.to_plain()), *_beside(result)):
        typer.echo(one_line(sentence))
    for warning in (*result.data.warnings, *result.warnings):
        typer.echo(f"Note: {one_line(warning)}")
    typer.echo("")
    for name in ("model.infimum", "report.html", "result.json"):
        typer.echo(f"  {result.out / name}")


def _beside(result: Any) -> list[str]:
    """Say what the readable champion would cost."""
    champion, metric = result.champion, result.criterion["label"]
    if not champion or result.choice.name == "baseline":
        return []
    if champion["is_winner"]:
        return [f"A person can read and apply it: it has {champion['size']}."]
    from infimum.report.numbers import figure, give

    spread = champion["cost_spread"]
    reading = f"{champion['label']}, {champion['size']}"
    said = f"The best model that can be read ({reading})"
    if not champion["cost"] and not spread:
        return [f"{said} has the same {metric}."]
    cost = f"costs {give(champion['cost'], spread)}"
    if champion["cost"] < 0:
        cost = f"is better by {give(-champion['cost'], spread)}"
    if spread:  # one fold alone knows no spread
        cost += f" ± {figure(spread, 2)}"
    return [f"{said} {cost} of {metric}."]
