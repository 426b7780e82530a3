"""``infimum compare``: runs side by side."""

import shutil
import sys
from collections.abc import Iterator
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
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in _lines(told, width):
        typer.echo(line)
    typer.echo("")
    for sentence in told["remarks"]:
        typer.echo(sentence)
    typer.echo(f"\n  {place}")


def _lines(told: dict[str, Any], width: int | None = None) -> list[str]:
    """Return a line a property, a column a run; blocks of runs that fit the width."""
    names = list(told["headings"].values())
    columns = [
        [row[key]["text"] or "–" for key in told["headings"]] for row in told["rows"]
    ]
    made: list[str] = []
    for block in _blocks(names, columns, width):
        widths = [max(map(len, column)) for column in block]
        made += [""] if made else []
        made += [
            "  ".join(t.ljust(w) for t, w in zip(line, widths, strict=True)).rstrip()
            for line in zip(*block, strict=True)
        ]
    return made


def _blocks(
    names: list[str], columns: list[list[str]], width: int | None
) -> Iterator[list[list[str]]]:
    """Share runs out among blocks, each with the names of the properties in front."""
    block, taken = [names], max(map(len, names))
    for column in columns:
        needed = 2 + max(map(len, column))
        if width is not None and len(block) > 1 and taken + needed > width:
            yield block
            block, taken = [names], max(map(len, names))
        block, taken = [*block, column], taken + needed
    yield block
