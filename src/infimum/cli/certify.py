"""``infimum certify``: check the proof of a saved model again."""

from pathlib import Path
from typing import Annotated

import typer

from infimum.cli.failures import REFUSED, guarded
from infimum.cli.sizes import MaxUnpacked
from infimum.cli.standard_input import table_or_path

__all__ = ["certify"]


@guarded
def certify(
    model: Annotated[Path, typer.Argument(help="Model file, e.g. model.infimum.")],
    data: Annotated[
        Path | None,
        typer.Argument(help="The training table; the bundled data if left out."),
    ] = None,
    *,
    rigorous: Annotated[
        bool,
        typer.Option("--rigorous", help="Let the auditor prove it, rounding counted."),
    ] = False,
    max_unpacked: MaxUnpacked = None,
) -> None:
    """Recompute the certificate of a model from its weights and the data.

    Ends with exit code 0 if the gap is closed, 2 if it is not.
    """
    from infimum.data import bundled
    from infimum.learn import recheck

    table = bundled() if data is None else table_or_path(data, max_unpacked)
    checked = recheck(model, table, rigorous=rigorous)
    proof = checked.certificate
    belongs = "is" if checked.same_data else "is NOT"
    verdict = "proved optimal" if proof.closed else "NOT proved optimal"
    typer.echo(f"model         {checked.label}, {checked.rows:,} training rows")
    typer.echo(f"data          {belongs} the data the model was trained on")
    kind = "rigorous: " if rigorous else "fast: "
    typer.echo(f"proof         {kind}{proof.reason}")
    typer.echo(f"primal        {proof.primal:.10g}")
    typer.echo(f"dual          {proof.dual:.10g}")
    typer.echo(f"gap           {proof.gap:.3e}")
    typer.echo(f"relative gap  {proof.relative_gap:.3e}")
    typer.echo(f"verdict       {verdict} within {proof.tolerance:.0e}")
    if not proof.closed:
        raise typer.Exit(REFUSED)
