"""Whether more rows would help: the same model from ever larger parts of them."""

import math
import time
from typing import Any

import numpy as np

from infimum.evaluation.scoring import (
    Predictions,
    criterion_for,
    measure,
    predict_all,
)
from infimum.learn.encoded_fold import collecting
from infimum.learn.evidence.case import Case, TooLateError
from infimum.limits import time_is_up, time_limit
from infimum.typing import Indices, Vector

__all__ = ["learning_curve"]

#: Parts of the training rows beside all of them, and how often test rows are drawn.
_PARTS, _DRAWS = (0.125, 0.25, 0.5), 100
#: Fewer rows than this teach nothing; more than this many judge no better.
_FEWEST, _MOST_JUDGES = 30, 2000
#: A fit on twice the rows takes a little more than twice as long.
_GROWTH = 2.5


def learning_curve(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Fit the chosen setting on parts of the training rows; judge by the same rows.

    The gain of the last doubling has a standard error by other draws of the test rows,
    the same ones for both models.
    """
    training = case.training
    if case.again is None or len(training.y) * _PARTS[-1] < _FEWEST:
        return {"reason": "There are too few rows to learn from parts of them."}
    judge = _Judge(case)
    order = np.random.default_rng([case.seed, 12]).permutation(len(training.y))
    points: list[int] = []
    scored: list[tuple[float, Vector]] = []
    for size in _sizes(len(order)):
        model = _fitted(case, order[:size], scored)
        if model is None:
            break
        scored.append(judge.scores(model))
        points.append(size)
    if not points:
        raise TooLateError
    scored.append(judge.scores(case.model))
    points.append(len(order))
    told = judge.criterion
    sign = 1 if told.greater_is_better else -1
    (last, others), (whole, wholes) = scored[-2:]
    return {
        "score": told.label,
        "greater_is_better": told.greater_is_better,
        "points": [
            {"rows": rows, "score": value, "error": float(np.nanstd(drawn))}
            for rows, (value, drawn) in zip(points, scored, strict=True)
        ],
        "from_rows": points[-2],
        "gain": sign * (whole - last),
        "error": float(np.nanstd(wholes - others)),
    }


class _Judge:
    """Scores of models on the same test rows, and on the same draws of them."""

    def __init__(self, case: Case) -> None:
        self.case, training = case, case.training
        self.criterion = criterion_for(
            training.classes, training.goal, training.options.quantile
        )
        self.rows = case.some(_MOST_JUDGES, stream=5)
        rng, count = np.random.default_rng([case.seed, 13]), len(self.rows)
        self.draws = rng.integers(0, count, (_DRAWS, count))

    def scores(self, model: Any) -> tuple[float, Vector]:
        """Return the score of a model, and those by other draws of the rows."""
        said = predict_all(model, self.case.rows[self.rows], self.case.training.classes)
        drawn = [self._score(said, places) for places in self.draws]
        return self._score(said, np.arange(len(self.rows))), np.array(drawn)

    def _score(self, said: Predictions, places: Indices) -> float:
        rows = self.rows[places]
        likely = None if said.probabilities is None else said.probabilities[places]
        part = Predictions(said.verdicts[places], said.scores[places], likely)
        weights = None if self.case.weights is None else self.case.weights[rows]
        told = measure(
            self.case.y[rows], part, self.case.training.classes, self.criterion, weights
        )
        value = told[self.criterion.metric]
        return math.nan if value is None else value


def _sizes(rows: int) -> list[int]:
    return [round(part * rows) for part in _PARTS if part * rows >= _FEWEST]


def _fitted(case: Case, rows: Any, before: Any) -> Any:
    """Return the model of some rows; None if it would come too late, or cannot be."""
    left = case.deadline - time.perf_counter()
    if left <= 0 or (before and _GROWTH * case.last_fit > left):
        return None
    part = case.training.only(np.sort(rows))
    if len(part.classes) and len(np.unique(part.y)) < len(part.classes):
        return None
    began = time.perf_counter()
    with collecting(), time_limit(left):
        model = case.again(part) if case.again is not None else None
        cut = time_is_up()
    case.last_fit = time.perf_counter() - began
    return None if cut else model
