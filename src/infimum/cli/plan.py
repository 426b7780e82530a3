"""``infimum plan``: how many rows a promise costs."""

from pathlib import Path
from typing import Annotated

import typer

from infimum.cli.failures import guarded

__all__ = ["plan"]


@guarded
def plan(
    within: Annotated[
        float, typer.Option(help="Largest error of the measured error rate, e.g. 0.02.")
    ],
    confidence: Annotated[float, typer.Option(help="How sure it must be.")] = 0.95,
    error_rate: Annotated[
        float | None,
        typer.Option(help="What the error rate is about; the worst if left out."),
    ] = None,
    vc: Annotated[
        float | None,
        typer.Option(help="VC dimension of the model's class, for training rows."),
    ] = None,
    models: Annotated[
        int, typer.Option(help="How many models are compared on the test rows.")
    ] = 1,
    picture: Annotated[
        Path | None, typer.Option(help="Page with a picture to write, e.g. plan.html.")
    ] = None,
) -> None:
    """Say how many test and training rows an error rate within a margin needs."""
    from infimum.theory import plan as planned

    made = planned(within, confidence, error_rate=error_rate, vc=vc, models=models)
    lines = [("rows", "kind", "bound", "what it takes for granted")]
    for each in made.rows:
        told = f"about, not proved: {each.assumption}"
        granted = told if each.approximate else each.assumption
        lines.append((f"{each.rows:,.0f}", each.kind, each.method, granted))
    widths = [max(len(line[place]) for line in lines) for place in range(4)]
    for count, kind, method, granted in lines:
        shown = (count.rjust(widths[0]), kind.ljust(widths[1]), method.ljust(widths[2]))
        typer.echo("  ".join([*shown, granted]))
    typer.echo(f"\n{made.sentence}")
    if picture is not None:
        made.plot().write_html(picture, include_plotlyjs=True)
        typer.echo(f"\n  {picture}")
