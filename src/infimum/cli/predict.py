"""``infimum predict``: a saved model and a table in, a table of predictions out."""

from pathlib import Path
from typing import Annotated

import typer

from infimum.cli.failures import guarded

__all__ = ["predict"]


@guarded
def predict(
    model: Annotated[Path, typer.Argument(help="Model file, e.g. model.infimum.")],
    data: Annotated[Path, typer.Argument(help="Table with the columns of training.")],
    out: Annotated[Path, typer.Option(help="File to write: .csv, .parquet, .jsonl.")],
) -> None:
    """Predict every row of a table."""
    from infimum.learn import predict_table, write_predictions
    from infimum.learn.prediction import check_ending

    check_ending(out)
    predictions = predict_table(model, data)
    write_predictions(predictions, out)
    typer.echo(f"Wrote {predictions.height:,} predictions to {out}")
