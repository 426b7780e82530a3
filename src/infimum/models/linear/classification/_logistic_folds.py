"""Logistic regression along paths on every fold, scored on what was held back."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import (
    brier_score_loss,
    check_scoring,
    log_loss,
    make_scorer,
)

from infimum.data.doors import Rows
from infimum.errors import DataError
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._strength_path import follow_path, worst_gap
from infimum.models.linear.classification.logistic_regression import LogisticRegression
from infimum.models.linear.coding import TWO
from infimum.models.linear.fit import Fit
from infimum.models.linear.keep import keep
from infimum.typing import Matrix, Vector

__all__ = ["FoldPaths", "follow_folds"]


class FoldPaths(NamedTuple):
    """What the paths found, with axes (folds, ratios, strengths)."""

    scores: Matrix
    #: Two more axes: classes (1 when there are two) and features, intercept last.
    coefs: Matrix
    iterations: Matrix
    gap: float


def follow_folds(
    template: LogisticRegression,
    rows: Rows,
    folds: list[tuple[Any, Any]],
    grid: tuple[Vector, Vector],
    scoring: Any,
) -> FoldPaths:
    """Fit every setting on every fold, from strong to weak, and score it."""
    scores, coefs, iterations, gap = [], [], [], 0.0
    for train, held in folds:
        learn, test = rows.at(train), rows.at(held)
        problem = template._recipe(learn).problem(learn)
        for ratio in grid[1].tolist():
            models, worst = _models(template, learn, problem, grid[0], ratio)
            gap = max(gap, worst)
            scores.append([_score(model, test, scoring) for model in models])
            coefs.append([_joined(model) for model in models])
            iterations.append([model.n_iter_ for model in models])
    axes = len(folds), len(grid[1]), len(grid[0])
    shape = np.shape(coefs[0][0])
    return FoldPaths(
        np.reshape(scores, axes),
        np.reshape(coefs, (*axes, *shape)),
        np.reshape(iterations, axes),
        gap,
    )


def _models(
    template: LogisticRegression,
    rows: Rows,
    problem: LinearProblem,
    Cs: Vector,
    ratio: float,
) -> tuple[list[LogisticRegression], float]:
    """Return a fitted model for each C, in the order given, and the worst gap."""
    order = np.argsort(Cs)
    models: list[Any] = [None] * len(Cs)
    for place, C in zip(order, Cs[order].tolist(), strict=True):
        model = models[place] = copy(template)
        model.C, model.l1_ratio = C, ratio
        model.random_state = deepcopy(template.random_state)
        model.classes_, model.n_features_in_ = rows.classes, problem.design.shape[1]
    recipes = [models[place]._recipe(rows) for place in order]
    runs = follow_path(recipes, problem)
    for place, recipe, solutions in zip(order, recipes, runs, strict=True):
        keep(models[place], Fit(recipe, rows, problem, solutions))
    return models, worst_gap(runs)


def _score(model: LogisticRegression, test: Rows, scoring: Any) -> float:
    truth = model.classes_[test.y]
    if scoring is None and (test.weights is None or test.weights.any()):
        met = model.predict(test.X) == truth
        return float(np.average(met, weights=test.weights))
    scorer = check_scoring(model, scoring=scoring)
    judge = {"neg_log_loss": log_loss, "neg_brier_score": brier_score_loss}
    if isinstance(scoring, str) and scoring in judge:
        # A fold may lack a class that the model knows.
        how: dict[str, Any] = {
            "greater_is_better": False,
            "response_method": "predict_proba",
        }
        if scoring == "neg_brier_score" and len(model.classes_) <= TWO:
            how["pos_label"] = model.classes_[-1]
        scorer = make_scorer(judge[scoring], **how, labels=model.classes_)
    named = {} if test.weights is None else {"sample_weight": test.weights}
    try:
        return float(scorer(model, test.X, truth, **named))
    except ValueError:
        if len(np.unique(truth)) > 1:
            raise
        raise DataError(
            f"LogisticRegressionCV cannot score a fold whose samples are all of the "
            f"class {truth[0]!r} by {scoring!r}: use fewer folds, or stratified ones."
        ) from None


def _joined(model: LogisticRegression) -> Matrix:
    if not model.fit_intercept:
        return np.asarray(model.coef_)
    return np.column_stack([model.coef_, model.intercept_])
