"""What stands beside predictions; numbers of a table for plain estimators."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse
from sklearn.utils import get_tags

from infimum.data import SparseTable, Table
from infimum.data.spelling import did_you_mean, quoted
from infimum.errors import DataError
from infimum.explanation import shapley_values
from infimum.features._column_values import as_numbers
from infimum.learn.costs import cheapest, cost_matrix
from infimum.learn.evidence.probabilities import calibrated_chances
from infimum.learn.run_directory import RESULT

__all__ = ["Knowledge", "knowledge_of", "numbers_for", "reasons_for"]


def numbers_for(model: Any, table: Table | SparseTable) -> Any:
    """Return the columns that a fitted model knows as numbers, in its order.

    They are found by name where the model was fitted on names; else the table must have
    as many columns as the model takes. DataError says what is missing.
    """
    if not hasattr(model, "predict"):
        raise DataError(f"A {type(model).__name__} predicts nothing.")
    if isinstance(table, SparseTable):
        return _as_wide(sparse.csr_matrix(table.matrix), model, table.source)
    columns = _columns(model, table)
    X = np.column_stack([as_numbers(column) for column in columns])
    gaps = np.isnan(X)
    if gaps.any() and not get_tags(model).input_tags.allow_nan:
        row, place = (int(k) for k in np.argwhere(gaps)[0])
        raise DataError(
            f"Column {quoted(columns[place].name)} of {table.source} has no value in "
            f"row {row + 1}, and {type(model).__name__} takes no missing values."
        )
    # Whoever was fitted on names wants to see them again.
    named = hasattr(model, "feature_names_in_")
    return pl.DataFrame(X, schema=[column.name for column in columns]) if named else X


def _columns(model: Any, table: Table) -> list[pl.Series]:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        wanted = getattr(model, "n_features_in_", len(table.names))
        if wanted != len(table.names):
            raise DataError(
                f"The model takes {wanted} columns of numbers, and {table.source} has "
                f"{len(table.names)}; keep those that it was fitted on, in their order."
            )
        return table.frame.get_columns()
    known = {column.name: column for column in table.frame.get_columns()}
    for name in names:
        if name not in known:
            hint = did_you_mean(str(name), known)
            raise DataError(f"{table.source} has no column {quoted(name)}{hint}")
    return [known[name] for name in names]


def _as_wide(rows: Any, model: Any, source: str) -> Any:
    """Add the last columns of a sparse table that no row of it mentions."""
    wanted = getattr(model, "n_features_in_", rows.shape[1])
    if rows.shape[1] > wanted:
        raise DataError(
            f"The model takes {wanted} columns, and {source} has {rows.shape[1]}."
        )
    rows.resize(rows.shape[0], wanted)
    return rows


#: Rows whose answers are explained at most, and those they are compared with.
_MOST_EXPLAINED, _BACKGROUND = 2_000, 100


class Knowledge(NamedTuple):
    """The evidence of the run that made a model; empty if there is none."""

    evidence: dict[str, Any]
    source: str

    def beside(
        self, model: Any, rows: Any, said: pl.DataFrame, *, intervals: bool
    ) -> list[pl.DataFrame]:
        """Return probabilities, decisions and intervals that `said` has not."""
        classes = _classes(model)
        found: list[pl.DataFrame] = []
        chances = None
        if classes is not None and "prediction" in said.columns:
            chances = calibrated_chances(
                model, rows, self.evidence.get("probabilities") or {}
            )
        if chances is not None and not hasattr(model, "predict_proba"):
            named = zip(classes or (), chances.T, strict=True)
            found.append(pl.DataFrame({f"probability of {c}": p for c, p in named}))
        costs = self.evidence.get("costs") or {}
        if chances is not None and "costs" in costs:
            matrix = cost_matrix(costs["costs"], classes or ())
            places = cheapest(chances, matrix, costs["threshold"])
            found.append(pl.DataFrame({"decision": np.asarray(classes)[places]}))
        if intervals:
            found.append(self._intervals(model, rows, said, classes))
        return found

    def _intervals(
        self, model: Any, rows: Any, said: pl.DataFrame, classes: list[Any] | None
    ) -> pl.DataFrame:
        told = self.evidence.get("conformal") or {}
        if told.get("limit") is None or "prediction" not in said.columns:
            why = told.get("reason") or (
                f"intervals need a model file in the directory of its run, with a "
                f"{RESULT} of this version that has calibrated some"
            )
            raise DataError(f"{self.source} has no intervals: {why.rstrip('.')}.")
        if classes is None:
            middle = said["prediction"].to_numpy().astype(float)
            ends = {"low": middle - told["limit"], "high": middle + told["limit"]}
            return pl.DataFrame(ends)
        from infimum.evaluation import ConformalClassifier

        strange = 1.0 - ConformalClassifier(model).chances(rows)
        inside = strange <= told["limit"]
        inside[np.arange(len(inside)), strange.argmin(axis=1)] = True
        names = [str(label) for label in classes]
        sets = [
            " | ".join(name for name, held in zip(names, row, strict=True) if held)
            for row in inside.tolist()
        ]
        return pl.DataFrame({"set": sets})


def knowledge_of(model: Any) -> Knowledge:
    """Return what the run beside a model file knows; nothing of other models."""
    if not isinstance(model, str | os.PathLike):
        return Knowledge({}, f"This {type(model).__name__}")
    place = Path(model).parent / RESULT
    try:
        plain = json.loads(place.read_text(encoding="utf-8"))
        evidence = dict(plain["evidence"])
    except (OSError, ValueError, KeyError, TypeError):
        return Knowledge({}, str(model))
    return Knowledge(evidence, str(model))


def reasons_for(model: Any, rows: Any, count: int) -> pl.DataFrame:
    """Return the columns that moved each answer most, each with how far."""
    height = rows.shape[0]
    if height > _MOST_EXPLAINED:
        raise DataError(
            f"Reasons take a while: they are given for at most {_MOST_EXPLAINED:,} "
            f"rows at a time, got {height:,}."
        )
    draw = np.random.default_rng(0).permutation(height)[:_BACKGROUND]
    told = shapley_values(model, rows, rows[np.sort(draw)], rounds=2, seed=0)
    names = np.array([str(name) for name in told.names])
    values = np.asarray(told.values, dtype=float)
    order = np.argsort(-np.abs(values), axis=1, kind="stable")
    columns: dict[str, Any] = {}
    for place in range(min(count, len(names))):
        which = order[:, place]
        columns[f"reason {place + 1}"] = names[which]
        columns[f"share {place + 1}"] = values[np.arange(height), which]
    return pl.DataFrame(columns)


def _classes(model: Any) -> list[Any] | None:
    labels = getattr(model, "classes_", None)
    if labels is None or getattr(
        model[-1] if hasattr(model, "steps") else model, "multilabel_", False
    ):
        return None
    return list(np.asarray(labels).tolist())
