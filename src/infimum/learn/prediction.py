"""Predictions for the rows of a table, as a table, and what stands beside them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from sklearn.pipeline import Pipeline

from infimum.data import SparseTable, Table, read_table
from infimum.data.spelling import first_line, quoted
from infimum.errors import DataError
from infimum.evaluation.decision_costs import cheapest, cost_matrix
from infimum.evaluation.score_probabilities import calibrated_chances
from infimum.explanation.reasons import background_of, reasons_for
from infimum.features._column_values import as_words
from infimum.features.numbers_for_model import numbers_for
from infimum.learn.run_directory import OF_ALL_ROWS, RESULT
from infimum.persistence import load
from infimum.persistence.replacement import replacing

__all__ = [
    "Knowledge",
    "Predictor",
    "check_ending",
    "knowledge_of",
    "predict_table",
    "unseen_levels",
    "write_predictions",
]


#: So many rows are predicted at a time.
_BLOCK = 50_000
_LIKELY = "probability of "
_ENDINGS = (".csv", ".parquet", ".jsonl")


def predict_table(
    model: Any,
    data: Any,
    *,
    intervals: bool = False,
    keep: Sequence[str] = (),
    reasons: int = 0,
    note: Callable[[str], None] | None = None,
) -> pl.DataFrame:
    """Predict every row of `data` with a model or a model file.

    A model that `learn` made takes tables like the data; any other takes the columns of
    its names, or all columns of a table that has as many as it was fitted on.

    The columns are ``prediction``, then ``probability of`` each class if the model has
    probabilities, else its ``score`` for each class (one for two classes). A detector
    gives its ``score``, the ``p_value`` and whether it is an ``alarm``; a model of
    several labels a column for each, and one for its probability.

    A model file beside its ``result.json`` knows more: a classifier without
    probabilities gets calibrated ones in place of its scores, and where costs were
    given a ``decision`` tells the cheapest answer.

    Parameters
    ----------
    model : fitted model, or the path of a model file
    data : path, Table or data frame
    intervals : bool, default=False
        Add ``low`` and ``high``, or the ``set`` of classes, that hold the truth as
        often as the report says. Needs a model file in the directory of its run.
    keep : sequence of str, default=()
        Columns of the data that come first, such as identifiers.
    reasons : int, default=0
        Add so many columns that moved the answer most, with their Shapley values
        against the average of these rows.
    note : callable, optional
        Called with a sentence about each category of which some rows hold levels that
        the model has never met.
    """
    how: dict[str, Any] = {"intervals": intervals, "keep": keep, "reasons": reasons}
    return Predictor.of(model).table(data, note=note, **how)


@dataclass
class Predictor:
    """A model that is loaded once, for one table of rows after another."""

    pipeline: Any
    known: Knowledge
    #: The rows that reasons compare with: some of the first table.
    background: Any = None

    @classmethod
    def of(cls, model: Any) -> Predictor:
        """Load a model file, with what is known of it; or take a fitted model."""
        loaded = load(model) if isinstance(model, str | os.PathLike) else model
        return cls(loaded, knowledge_of(model))

    def table(
        self,
        data: Any,
        *,
        intervals: bool = False,
        keep: Sequence[str] = (),
        reasons: int = 0,
        note: Callable[[str], None] | None = None,
    ) -> pl.DataFrame:
        """Predict every row of a table; see `predict_table`."""
        table = data if isinstance(data, Table | SparseTable) else read_table(data)
        kept = _kept(table, keep)
        said, rows = _answered(self.pipeline, table)
        if note and isinstance(table, Table) and _reads_columns(self.pipeline):
            for sentence in unseen_levels(self.pipeline, table):
                note(sentence)
        beside = self.known.beside(self.pipeline, rows, said, intervals=intervals)
        if any(_LIKELY in name for frame in beside for name in frame.columns):
            said = said.select("prediction")  # the columns are those of any winner
        more = [said, *beside]
        if reasons:
            if self.background is None:
                self.background = background_of(rows)
            more.append(reasons_for(self.pipeline, rows, reasons, self.background))
        taken = {name for frame in more for name in frame.columns}
        clash = next((name for name in kept.columns if name in taken), None)
        if clash is not None:
            kept = kept.rename({clash: f"{clash} (given)"})
        return pl.concat([kept, *more], how="horizontal")


def _answered(pipeline: Any, table: Any) -> tuple[pl.DataFrame, Any]:
    """Return the answers for a table, and its rows as the model takes them."""
    if not _reads_columns(pipeline):
        return _by_numbers(pipeline, table), numbers_for(pipeline, table)
    if isinstance(table, SparseTable):
        raise DataError(
            f"The model was learned from named columns; {table.source} has none."
        )
    return _in_blocks(pipeline, table.frame), table.frame


def _kept(table: Table | SparseTable, names: Sequence[str]) -> pl.DataFrame:
    """Return the columns to be kept beside the predictions."""
    if isinstance(table, SparseTable):
        if names:
            raise DataError(f"{table.source} has no named columns to keep.")
        return pl.DataFrame()
    for name in names:
        table.column(name)
    return table.frame[list(names)] if names else pl.DataFrame()


def _by_numbers(model: Any, table: Table | SparseTable) -> pl.DataFrame:
    """Predict with a model that takes a matrix; its refusals are of the table."""
    X = numbers_for(model, table)
    try:
        return _in_blocks(model, X)
    except DataError:
        raise
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{table.source} cannot be predicted by this {type(model).__name__}: "
            f"{first_line(error)}."
        ) from error


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
    model = pipeline[-1] if isinstance(pipeline, Pipeline) else pipeline
    if hasattr(model, "p_values") and model is not pipeline:
        return _watched(pipeline, rows)
    if getattr(model, "multilabel_", False) and hasattr(model, "label_names_"):
        return _labelled(pipeline, rows)
    said = np.asarray(pipeline.predict(rows))
    if said.ndim > 1:
        several = enumerate(said.T, 1)
        return pl.DataFrame({f"prediction {place}": each for place, each in several})
    columns = {"prediction": said}
    labels = getattr(model, "classes_", None)
    if labels is not None and hasattr(pipeline, "predict_proba"):
        likely = np.asarray(pipeline.predict_proba(rows))
        columns |= {
            f"probability of {c}": p for c, p in zip(labels, likely.T, strict=True)
        }
    elif hasattr(pipeline, "decision_function"):
        scores = np.asarray(pipeline.decision_function(rows))
        columns |= _scores(scores, labels)
    return pl.DataFrame(columns)


def _scores(scores: Any, labels: Any) -> dict[str, Any]:
    if scores.ndim == 1:
        return {"score" if labels is None else f"score of {labels[-1]}": scores}
    if labels is None or len(labels) != scores.shape[1]:
        # Every pair of classes may have a score of its own.
        labels = range(1, scores.shape[1] + 1)
    return {f"score of {c}": s for c, s in zip(labels, scores.T, strict=True)}


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
    if not isinstance(pipeline, Pipeline):
        return False
    # The members of a blend have an encoder each.
    members = getattr(pipeline[-1], "estimators_", [])
    inner = [m for m in members if isinstance(m, Pipeline)] or [pipeline]
    return hasattr(inner[0][0], "columns_")


def unseen_levels(pipeline: Any, table: Table) -> list[str]:
    """Return a sentence for each category of which rows hold levels never learned."""
    said = []
    for name, state in _categories(pipeline).items():
        if name not in table.names:
            continue
        known = state.get("known") or state["levels"]
        words = as_words(table.frame[name])
        strange = words.filter(~words.is_in(known) & words.is_not_null())
        # Rare levels were pooled and are not all known by name.
        if len(strange) == 0 or (state["pooled"] and "known" not in state):
            continue
        shown = strange.value_counts(sort=True)[name][0]
        said.append(
            f"{len(strange):,} of {table.frame.height:,} rows hold a value of {name!r} "
            f"that the model has never met, such as {quoted(shown)}; they are "
            "predicted from their other columns."
        )
    return said


def _categories(pipeline: Any) -> dict[str, dict[str, Any]]:
    """Return what was learned of each category, by the column's name."""
    members = getattr(pipeline[-1], "estimators_", [])
    inner = [m for m in members if isinstance(m, Pipeline)] or [pipeline]
    return {
        state["column"]: state
        for each in inner
        for state in getattr(each[0], "columns_", [])
        if state["kind"] == "categorical" and "levels" in state
    }


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
        known = self.evidence.get("conformal") or {}
        if known.get("limit") is None or "prediction" not in said.columns:
            why = known.get("reason") or (
                f"intervals need a model file in the directory of its run, with a "
                f"{RESULT} of this version that has calibrated some"
            )
            raise DataError(f"{self.source} has no intervals: {why.rstrip('.')}.")
        if classes is None:
            middle = said["prediction"].to_numpy().astype(float)
            ends = {"low": middle - known["limit"], "high": middle + known["limit"]}
            return pl.DataFrame(ends)
        from infimum.evaluation import ConformalClassifier

        strange = 1.0 - ConformalClassifier(model).chances(rows)
        inside = strange <= known["limit"]
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
    try:  # a model that was fitted again, to all rows, has a limit of its own
        text = place.with_name(OF_ALL_ROWS).read_text(encoding="utf-8")
        again = dict(json.loads(text))
    except (OSError, ValueError, TypeError):
        again = {}
    if again.get("score_of_all") is not None:
        evidence["conformal"] = {"limit": again.get("limit")}
    return Knowledge(evidence, str(model))


def _classes(model: Any) -> list[Any] | None:
    labels = getattr(model, "classes_", None)
    if labels is None or getattr(
        model[-1] if hasattr(model, "steps") else model, "multilabel_", False
    ):
        return None
    return list(np.asarray(labels).tolist())
