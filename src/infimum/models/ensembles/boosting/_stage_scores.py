"""Scores of a boosted vote at new samples, in sum and round by round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from infimum.data.doors import samples, winners
from infimum.models.ensembles.boosting._weak_learners import centred_logs, spread
from infimum.models.trees._stump_sums import StumpSum
from infimum.models.trees.decision_stump import DecisionStump
from infimum.typing import Indices, Matrix

__all__ = ["stage_scores", "total_scores"]


def total_scores(model: Any, X: Any) -> Matrix:
    """Return the scores of all classes; for one class, of it and of nothing."""
    admitted = _admit(model, X)
    if all(type(learner) is DecisionStump for learner in model.estimators_):
        sides = [
            step * _sides(model, stump)
            for step, stump in zip(model.steps_, model.estimators_, strict=True)
        ]
        return StumpSum.of(model.estimators_, sides).at(admitted)
    scores = np.zeros((admitted.shape[0], max(2, len(model.classes_))))
    for step, learner in zip(model.steps_, model.estimators_, strict=True):
        scores += step * _contribution(model, learner, admitted)
    return scores


def stage_scores(model: Any, X: Any) -> Iterator[Matrix]:
    """Yield the scores after each round, in the same array."""
    admitted = _admit(model, X)
    scores = np.zeros((admitted.shape[0], max(2, len(model.classes_))))
    for step, learner in zip(model.steps_, model.estimators_, strict=True):
        scores += step * _contribution(model, learner, admitted)
        yield scores


def _admit(model: Any, X: Any) -> Any:
    takes_missing = bool(model.__sklearn_tags__().input_tags.allow_nan)
    return samples(model, X, missing=takes_missing)


def _contribution(model: Any, learner: Any, X: Any) -> Matrix:
    if type(learner) is DecisionStump:
        return StumpSum.of([learner], [_sides(model, learner)]).at(X)
    if model._real:
        shares = spread(learner, model.classes_, learner.predict_proba(X))
        return _widened(centred_logs(shares))
    codes = np.searchsorted(model.classes_, learner.predict(X))
    return _votes(codes, max(2, len(model.classes_)))


def _sides(model: Any, stump: DecisionStump) -> Matrix:
    """Return what a stump says on the left and on the right."""
    shares = stump.probabilities_
    if model._real:
        return _widened(centred_logs(shares))
    return _votes(winners(shares), max(2, len(model.classes_)))


def _votes(codes: Indices, count: int) -> Matrix:
    votes = np.full((len(codes), count), -1.0 / (count - 1))
    votes[np.arange(len(codes)), codes] = 1.0
    return votes


def _widened(scores: Matrix) -> Matrix:
    return np.hstack([scores, -scores]) if scores.shape[1] == 1 else scores
