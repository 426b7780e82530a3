"""``infimum compare``: runs side by side."""

from pathlib import Path
from typing import Annotated, Any

import typer

from infimum.cli.failures import guarded

__all__ = ["compare"]


@guarded
def compare(
    runs: Annotated[
        list[Path], typer.Argument(help="Directories that `infimum learn` wrote.")
    ],
    out: Annotated[Path, typer.Option(help="Page to write.")] = Path(
        "infimum-comparison.html"
    ),
) -> None:
    """Put runs side by side, here and as a page."""
    from infimum.report import comparison, read_runs, write_comparison

    results = read_runs(runs)
    told = comparison(results)
    place = write_comparison(results, out)
    for line in _lines(told):
        typer.echo(line)
    typer.echo("")
    for sentence in told["remarks"]:
        typer.echo(sentence)
    typer.echo(f"\n  {place}")


def _lines(told: dict[str, Any]) -> list[str]:
    """Return a line a property, a column a run."""
    table = [
        [words, *(row[key]["text"] or "–" for row in told["rows"])]
        for key, words in told["headings"].items()
    ]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(t.ljust(w) for t, w in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
