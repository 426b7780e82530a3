"""``infimum predict``: a saved model and a table in, a table of predictions out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infimum.cli.failures import guarded, one_line
from infimum.cli.sizes import MaxUnpacked
from infimum.cli.standard_input import STANDARD, table_or_path
from infimum.cli.streaming import predict_stream, streams_in

if TYPE_CHECKING:
    import polars as pl

__all__ = ["predict"]

#: Rows written at once.
_BLOCK = 100_000


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
    intervals: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--intervals",
            help="Add low and high, or the set of classes, that hold the truth as "
            "often as the report says.",
        ),
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Column of the table to keep, such as an id; repeatable."),
    ] = None,
    reasons: Annotated[
        int, typer.Option(help="Add so many columns that moved each answer most.")
    ] = 0,
    max_unpacked: MaxUnpacked = None,
) -> None:
    """Predict every row of a table."""
    said: set[str] = set()

    def note(words: str) -> None:
        if words not in said:  # blocks of a stream say the same
            typer.echo(f"Note: {one_line(words)}", err=True)
        said.add(words)

    how: dict[str, Any] = {
        "intervals": intervals,
        "keep": tuple(keep or ()),
        "reasons": reasons,
    }
    if streams_in(data, out):
        predict_stream(model, data, out, note=note, **how)
        return
    from infimum.data import read_table
    from infimum.learn.prediction import (
        check_ending,
        predict_table,
        write_predictions,
    )

    if str(out) != STANDARD:
        check_ending(out)
    given = table_or_path(data, max_unpacked)
    table = read_table(given) if isinstance(given, Path) else given
    predictions = predict_table(model, table, note=note, **how)
    if str(out) == STANDARD:
        _to_standard_output(predictions)
        return
    write_predictions(predictions, out)
    typer.echo(f"Wrote {predictions.height:,} predictions to {out}")


def _to_standard_output(predictions: "pl.DataFrame") -> None:
    # Not by polars itself, which does not say that the reader of a pipe has gone.
    for start in range(0, predictions.height, _BLOCK):
        rows = predictions[start : start + _BLOCK]
        sys.stdout.buffer.write(rows.write_csv(include_header=not start).encode())
    sys.stdout.buffer.flush()
