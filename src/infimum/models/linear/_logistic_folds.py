"""Logistic regression along paths on every fold, scored on what was held back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import check_scoring

from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._strength_path import follow_path, worst_gap
from infimum.models.linear.logistic_regression import LogisticRegression
from infimum.typing import Matrix, Vector

__all__ = ["FoldPaths", "Samples", "follow_folds"]


class Samples(NamedTuple):
    """Admitted samples; targets are signs for two classes, codes for more."""

    X: Any
    targets: Vector
    weights: Vector | None

    def labels(self, classes: NDArray[Any]) -> NDArray[Any]:
        """Return the labels that the targets stand for."""
        signs = len(classes) == 2  # noqa: PLR2004
        codes = self.targets > 0 if signs else self.targets
        return np.asarray(classes[codes.astype(int)])

    def part(self, rows: Any) -> Samples:
        """Return some of the samples."""
        weights = None if self.weights is None else self.weights[rows]
        return Samples(self.X[rows], self.targets[rows], weights)


class FoldPaths(NamedTuple):
    """What the paths found, with axes (folds, ratios, strengths)."""

    scores: Matrix
    #: Two more axes: classes (1 when there are two) and features, intercept last.
    coefs: Matrix
    iterations: Matrix
    gap: float


def follow_folds(
    template: LogisticRegression,
    samples: Samples,
    folds: list[tuple[Any, Any]],
    grid: tuple[Vector, Vector],
    scoring: Any,
) -> FoldPaths:
    """Fit every setting on every fold, from strong to weak, and score it."""
    scores, coefs, iterations, gap = [], [], [], 0.0
    for train, held in folds:
        learn, test = samples.part(train), samples.part(held)
        problem = LinearProblem.of(
            learn.X,
            (learn.targets,),
            template._loss(),
            learn.weights,
            intercept=bool(template.fit_intercept),
        )
        for ratio in grid[1].tolist():
            models, worst = _models(template, problem, grid[0], ratio)
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
    template: LogisticRegression, problem: LinearProblem, Cs: Vector, ratio: float
) -> tuple[list[LogisticRegression], float]:
    """Return a fitted model for each C, in the order given, and the worst gap."""
    order = np.argsort(Cs)
    settings = [{"C": C, "l1_ratio": ratio} for C in Cs[order].tolist()]
    runs = follow_path(_copy(template), problem, settings)
    models: list[Any] = [None] * len(Cs)
    for place, setting, solutions in zip(order, settings, runs, strict=True):
        model = _copy(template)
        model.set_params(**setting)
        model._adopt(problem, solutions)
        model.n_features_in_ = problem.design.shape[1]
        models[place] = model
    return models, worst_gap(runs)


def _copy(template: LogisticRegression) -> LogisticRegression:
    copy: LogisticRegression = clone(template)
    copy.classes_ = template.classes_
    return copy


def _score(model: LogisticRegression, test: Samples, scoring: Any) -> float:
    truth = test.labels(model.classes_)
    scorer = check_scoring(model, scoring=scoring)
    if test.weights is None:
        return float(scorer(model, test.X, truth))
    return float(scorer(model, test.X, truth, sample_weight=test.weights))


def _joined(model: LogisticRegression) -> Matrix:
    if not model.fit_intercept:
        return np.asarray(model.coef_)
    return np.column_stack([model.coef_, model.intercept_])
