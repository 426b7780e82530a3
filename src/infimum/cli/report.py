"""``infimum report``: the report of a run, written again."""

from pathlib import Path
from typing import Annotated

import typer

from infimum.cli.failures import guarded

__all__ = ["report"]


@guarded
def report(
    run: Annotated[Path, typer.Argument(help="Directory that `infimum learn` wrote.")],
) -> None:
    """Write report.html of a run again, from its result.json alone."""
    from infimum.report import write_report

    typer.echo(f"Wrote {write_report(run)}")
