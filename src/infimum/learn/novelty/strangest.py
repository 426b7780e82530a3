"""The strangest rows of a table, and the columns that make them strange."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from infimum.evaluation import Split
from infimum.learn.choosing import Standing
from infimum.learn.ground import collecting
from infimum.learn.problem import Problem
from infimum.learn.refit import fitted
from infimum.typing import Vector

__all__ = ["strangest"]

#: So many rows are told, with so many columns each.
_ROWS, _COLUMNS = 10, 4
#: Values of other rows that take the place of a suspicious one, and the most columns.
_TYPICAL, _MOST_COLUMNS = 24, 60


def strangest(
    pipeline: Any,
    problem: Problem,
    split: Split,
    splits: Sequence[Split],
    standing: Standing,
    value: float,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the rows with the least scores, each judged by a model that never saw it.

    Rows to learn from are scored by the detector that the other folds have taught.
    """
    scores = np.empty(len(problem.y))
    held = split.held_back
    scores[held] = _scores(pipeline, problem.rows[held])
    training = problem.only(split.train)
    for fold in splits:
        with collecting():
            other = fitted(training.only(fold.train), standing, value)
        rows = fold.held_back
        scores[split.train[rows]] = _scores(other, training.rows[rows])
    calibration = pipeline[-1].calibration_scores_
    order = np.argsort(scores, kind="stable")[:_ROWS]
    typical = float(np.median(calibration))
    return [
        {
            "row": int(place) + 1,
            "score": float(scores[place]),
            "p_value": _p_value(calibration, float(scores[place])),
            "columns": _blamed(
                pipeline, training, problem.rows[[place]], typical, seed
            ),
        }
        for place in order.tolist()
    ]


def _scores(pipeline: Any, rows: Any) -> Vector:
    return np.asarray(pipeline.score_samples(rows), dtype=float)


def _p_value(calibration: Vector, score: float) -> float:
    below = int(np.searchsorted(calibration, score, side="right"))
    return (1 + below) / (len(calibration) + 1)


def _blamed(
    pipeline: Any, training: Problem, row: pl.DataFrame, typical: float, seed: int
) -> list[dict[str, Any]]:
    """Return the columns whose values of other rows would make a row less strange.

    The share is how much of the way to a typical score that is, on average.
    """
    names = list(training.kinds)[:_MOST_COLUMNS]
    rng = np.random.default_rng([seed, 11])
    others = training.rows[rng.integers(training.rows.height, size=_TYPICAL)]
    repeated = row[np.zeros(_TYPICAL, dtype=np.int64)]
    trials = [repeated.with_columns(others[name]) for name in names]
    scores = _scores(pipeline, pl.concat([row, *trials]))
    own, changed = scores[0], scores[1:].reshape(len(names), _TYPICAL)
    way = max(typical - float(own), 1e-12)
    # A value that fits even less well does not speak for the one that is there.
    shares = np.clip((changed - own) / way, 0.0, 1.0).mean(axis=1)
    order = np.argsort(-shares, kind="stable")[:_COLUMNS]
    return [
        {
            "column": names[place],
            "value": _written(row[names[place]][0]),
            "share": float(shares[place]),
        }
        for place in order.tolist()
        if shares[place] > 0
    ]


def _written(value: Any) -> str:
    if value is None:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
