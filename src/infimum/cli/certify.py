"""``infimum certify``: check the proof of a saved model again."""

from pathlib import Path
from typing import Annotated, Any

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
    target: Annotated[
        str | None,
        typer.Option(help="The column that a network predicts, saved by infimum.save."),
    ] = None,
    max_unpacked: MaxUnpacked = None,
) -> None:
    """Recompute the certificate of a model from its weights and the data.

    Of a network: how stationary it is, and the gap of its output layer. Ends with exit
    code 0 if the gap is closed, 2 if it is not.
    """
    from infimum.cli.networks import recheck_network
    from infimum.data import bundled
    from infimum.learn import recheck

    table = bundled() if data is None else table_or_path(data, max_unpacked)
    network = recheck_network(model, table, target, rigorous=rigorous)
    if network is not None:
        _tell_of_network(network, rigorous=rigorous)
        return
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


def _tell_of_network(checked: Any, *, rigorous: bool) -> None:
    """Say what is proved of a network, and what is not."""
    evidence = checked.evidence
    proofs = evidence.output_layers
    gap = sum(proof.gap for proof in proofs)
    worst = next((proof for proof in proofs if not proof.closed), proofs[0])
    belongs = {True: "gives", False: "does NOT give"}
    verdict = "proved optimal" if evidence.closed else "NOT proved optimal"
    typer.echo(f"model         {checked.label}, {checked.rows:,} rows")
    told = belongs.get(checked.same_data, "cannot be compared by")
    typer.echo(f"data          {told} the objective of the fit")
    typer.echo(f"objective     {evidence.objective:.10g}")
    typer.echo(f"gradient      {evidence.gradient_norm:.3e} long, 0 where stationary")
    kind = "rigorous: " if rigorous else "fast: "
    typer.echo(f"proof         {kind}{worst.reason}")
    typer.echo(f"gap           {gap:.3e}, what any other output layer could gain")
    typer.echo(f"verdict       output layer {verdict} within {worst.tolerance:.0e}")
    typer.echo("hidden layers not convex: nothing bounds what others could reach")
    if not evidence.closed:
        raise typer.Exit(REFUSED)
