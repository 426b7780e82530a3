"""Predictions for the rows of a table, as a table."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse
from sklearn.pipeline import Pipeline

from infimum.data import SparseTable, Table, read_table
from infimum.errors import DataError
from infimum.persistence import load
from infimum.persistence.replacement import replacing

__all__ = ["check_ending", "predict_table", "write_predictions"]

#: So many rows are predicted at a time.
_BLOCK = 50_000
_ENDINGS = (".csv", ".parquet", ".jsonl")


def predict_table(model: Any, data: Any) -> pl.DataFrame:
    """Predict every row of `data` with a model or a model file that `learn` made.

    The columns are ``prediction``, then ``probability of`` each class if the model has
    probabilities, else its ``score`` for each class (one for two classes). A detector
    gives its ``score``, the ``p_value`` and whether it is an ``alarm``; a model of
    several labels a column for each, and one for its probability.
    """
    pipeline = load(model) if isinstance(model, str | os.PathLike) else model
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    sparse_rows = isinstance(table, SparseTable)
    if sparse_rows == _reads_columns(pipeline):
        wanted = "named columns" if sparse_rows else "sparse rows"
        raise DataError(
            f"The model was learned from {wanted}; {table.source} has none."
        )
    rows = sparse.csr_matrix(table.matrix) if sparse_rows else table.frame  # type: ignore[union-attr]
    return _in_blocks(pipeline, rows)


def _in_blocks(pipeline: Any, rows: Any) -> pl.DataFrame:
    """Predict so many rows at a time that their features fit into memory."""
    blocks = range(0, rows.shape[0], _BLOCK)
    try:
        parts = [_predicted(pipeline, rows[at : at + _BLOCK]) for at in blocks]
    except DataError:
        if len(blocks) == 1:
            raise
        # What is wrong is said again of all rows, which are numbered from the first.
        return _predicted(pipeline, rows)
    return pl.concat(parts)


def _predicted(pipeline: Any, rows: Any) -> pl.DataFrame:
    if hasattr(pipeline[-1], "p_values"):
        return _watched(pipeline, rows)
    if getattr(pipeline[-1], "multilabel_", False):
        return _labelled(pipeline, rows)
    columns = {"prediction": np.asarray(pipeline.predict(rows))}
    if hasattr(pipeline, "predict_proba"):
        likely = np.asarray(pipeline.predict_proba(rows))
        labels = pipeline[-1].classes_
        columns |= {
            f"probability of {c}": p for c, p in zip(labels, likely.T, strict=True)
        }
    elif hasattr(pipeline, "decision_function"):
        scores = np.asarray(pipeline.decision_function(rows))
        labels = pipeline[-1].classes_
        if scores.ndim == 1:
            columns[f"score of {labels[-1]}"] = scores
        else:
            columns |= {
                f"score of {c}": s for c, s in zip(labels, scores.T, strict=True)
            }
    return pl.DataFrame(columns)


def _labelled(pipeline: Any, rows: Any) -> pl.DataFrame:
    names = pipeline[-1].label_names_
    answers, likely = pipeline.predict(rows), pipeline.predict_proba(rows)
    columns = {}
    for place, name in enumerate(names):
        columns[str(name)] = answers[:, place]
        columns[f"probability of {name}"] = likely[:, place]
    return pl.DataFrame(columns)


def _watched(pipeline: Any, rows: Any) -> pl.DataFrame:
    watch, X = pipeline[-1], pipeline[:-1].transform(rows)
    return pl.DataFrame(
        {
            "score": watch.score_samples(X),
            "p_value": watch.p_values(X),
            "alarm": watch.predict(X) < 0,
        }
    )


def _reads_columns(pipeline: Any) -> bool:
    # The members of a blend have an encoder each.
    members = getattr(pipeline[-1], "estimators_", [])
    inner = [m for m in members if isinstance(m, Pipeline)] or [pipeline]
    return hasattr(inner[0][0], "columns_")


def check_ending(path: Path) -> None:
    """Raise DataError unless predictions can be written to a file of that name."""
    if path.suffix.lower() not in _ENDINGS:
        raise DataError(
            f"{path} must end in {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}."
        )
    if not path.absolute().parent.is_dir():
        raise DataError(f"{path.absolute().parent} does not exist; create it first.")
    if path.is_dir():
        raise DataError(f"{path} is a directory; give the name of a file.")


def write_predictions(predictions: pl.DataFrame, path: str | Path) -> None:
    """Write predictions as CSV, Parquet or JSON lines, whole or not at all."""
    place = Path(path)
    check_ending(place)
    with replacing(place) as handle:
        if place.suffix.lower() == ".csv":
            predictions.write_csv(handle)
        elif place.suffix.lower() == ".parquet":
            predictions.write_parquet(handle)
        else:
            predictions.write_ndjson(handle)
