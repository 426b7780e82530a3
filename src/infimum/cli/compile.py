"""``infimum compile``: make all machine code now instead of at first calls."""

from pathlib import Path
from typing import Annotated

import typer

from infimum.cli.failures import guarded

__all__ = ["compile_loops"]


@guarded
def compile_loops(
    into: Annotated[
        Path | None,
        typer.Option(help="Folder to fill; name it in INFIMUM_MACHINE_CODE later."),
    ] = None,
    *,
    baseline: Annotated[
        str | None,
        typer.Option(help="Processors it must run on, e.g. x86-64-v3; this one's."),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, help="How many compile side by side.")
    ] = 2,
) -> None:
    """Compile the loops that ordinary calls need, as the installation does.

    For an installation that could not, or for another processor or version of numba.
    Ends with exit code 1 if a loop could not be compiled.
    """
    from infimum.compiled.cache_key import BASELINES
    from infimum.compiled.filling import fill

    if baseline is not None and baseline not in BASELINES:
        raise typer.BadParameter(f"known are: {', '.join(BASELINES)}")
    folder = None if into is None else str(into)
    filled = fill(folder, baseline=baseline, processes=processes)
    typer.echo(filled)
    if filled.failed:
        raise typer.Exit(1)
