"""``infimum predict``: a saved model and a table in, a table of predictions out."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from infimum.cli.failures import guarded
from infimum.cli.standard_input import STANDARD, table_or_path

__all__ = ["predict"]


@guarded
def predict(
    model: Annotated[Path, typer.Argument(help="Model file, e.g. model.infimum.")],
    data: Annotated[
        Path,
        typer.Argument(
            help="Table with the columns of training; - reads standard input."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            help="File to write: .csv, .parquet, .jsonl; - writes CSV to standard "
            "output."
        ),
    ],
) -> None:
    """Predict every row of a table."""
    from infimum.learn import predict_table, write_predictions
    from infimum.learn.prediction import check_ending

    if str(out) == STANDARD:
        predict_table(model, table_or_path(data)).write_csv(sys.stdout.buffer)
        return
    check_ending(out)
    predictions = predict_table(model, table_or_path(data))
    write_predictions(predictions, out)
    typer.echo(f"Wrote {predictions.height:,} predictions to {out}")
