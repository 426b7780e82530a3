"""The strength of a ridge model chosen by leaving samples out, or by folds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.callback import with_callbacks

from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import streams
from infimum.errors import DataError, InvalidParameterError
from infimum.models._folds import RoutedFolds, folds_of
from infimum.models.linear._given import scored
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.closed_form._moments import centred_targets, squared_problem
from infimum.models.linear.closed_form._ridge_eigen import RidgeEigen
from infimum.models.linear.closed_form._ridge_recipe import refuse_text
from infimum.models.linear.estimator import LinearEstimator, concluded, learn
from infimum.typing import Matrix, Vector

__all__ = [
    "GAP",
    "PROBLEMS",
    "ChosenRidge",
    "Trial",
    "checked_alphas",
    "single_or_all",
]

#: The relative gap that the final fit must prove, as for `Ridge` with its default tol.
GAP = 1e-8
#: Predictions of left-out samples are held for so many numbers at a time.
MOST_HELD = 20_000_000
#: Problems that a choice has stated, for the fit of the same rows.
PROBLEMS: WeakKeyDictionary[Rows, LinearProblem] = WeakKeyDictionary()


class ChosenRidge(RoutedFolds, LinearEstimator, ABC):
    """A ridge model that chooses its strength before it is fitted."""

    @streams("infimum.models.streamed.ridge_path:fit_ridge_cv")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the strength and learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        **params
            What `cv` is told of the samples, such as groups, with metadata routing on.
        """
        split = self._split_settings(params)
        learn(self, X, y, sample_weight, choose=partial(self._choose, split=split))
        return concluded(self)

    @abstractmethod
    def _choose(self, rows: Rows, split: dict[str, Any]) -> None:
        """Keep the best strength, and what the others reached."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Strengths tried on some rows, and how their predictions are judged.

    Attributes
    ----------
    model
        The estimator: its `alphas`, `cv`, `scoring`, `store_cv_results`,
        `fit_intercept`.
    rows, targets
        The samples, and their targets as columns.
    judge
        An estimator that stands for given predictions.
    truth
        From targets, one column each, to what a scorer compares with.
    per_target
        Whether each target has a strength of its own.
    by_svd
        Whether to decompose X instead of its second moments.
    split
        What the splitter is told of the rows.
    """

    model: Any
    rows: Rows
    targets: Matrix
    judge: Any
    truth: Callable[[Matrix], Any]
    per_target: bool = False
    by_svd: bool = False
    split: dict[str, Any] | None = None

    def chosen(self) -> dict[str, Any]:
        """Return the best strength and its score, by the names of attributes."""
        model, owner = self.model, type(self.model).__name__
        alphas = checked_alphas(owner, model.alphas)
        if model.cv is None:
            found, scores = self._left_out(alphas)
        elif model.store_cv_results or self.per_target:
            name = "alpha_per_target" if self.per_target else "store_cv_results"
            raise InvalidParameterError(
                f"{owner}.{name} needs cv=None, got cv={model.cv!r}."
            )
        else:
            found, scores = self._by_folds(alphas)
        best = scores.argmax(axis=0)
        chosen, reached = alphas[best], scores[best, np.arange(scores.shape[1])]
        one = len(best) == 1 and not self.per_target
        found["alpha_"] = np.float64(chosen[0]) if one else chosen
        found["best_score_"] = np.float64(reached[0]) if one else reached
        return found

    def _left_out(self, alphas: Vector) -> tuple[dict[str, Any], Matrix]:
        """Score every strength by the predictions of samples left out, one row each."""
        problem, eigen = self._decomposed(self.rows, self.targets)
        PROBLEMS[self.rows] = problem
        if problem.design.shape[0] < 2:  # noqa: PLR2004
            raise DataError(
                f"{type(self.model).__name__} leaves one sample out and got 1 sample "
                "in all."
            )
        strengths, weights = alphas / problem.total, self.rows.shares()
        n, count = self.targets.shape
        kept, scores, stored = weights > 0, [], []
        step = max(1, MOST_HELD // (n * count))
        for first in range(0, len(alphas), step):
            part = strengths[first : first + step]
            residuals = np.zeros((n, count, len(part)))
            residuals[kept] = eigen.left_out_residuals(part)
            if self.model.scoring is None:
                residuals = weights[:, None, None] * residuals**2
                scores.append(-residuals.sum(axis=0).T / weights.sum())
                stored.append(residuals)
            else:
                predictions = self.targets[:, :, None] - residuals
                scores.append(self._judged(predictions, self.targets, self.rows))
                stored.append(predictions)
        found: dict[str, Any] = {"path_gap_": eigen.worst_gap(strengths)}
        if self.model.store_cv_results:
            found["cv_results_"] = np.concatenate(stored, axis=2)
        table = np.vstack(scores)
        return found, table if self.per_target else table.mean(axis=1, keepdims=True)

    def _by_folds(self, alphas: Vector) -> tuple[dict[str, Any], Matrix]:
        """Score every strength on held-back folds; return the averages, one column."""
        rows, truth = self.rows, self.truth(self.targets)
        labels, weights = rows.classes is not None, rows.weights
        columns, gap = [], 0.0
        for train, held in folds_of(
            self.model,
            rows.X,
            truth,
            classifier=labels,
            weights=weights,
            split=self.split,
        ):
            problem, eigen = self._decomposed(rows.at(train), self.targets[train])
            strengths = alphas / problem.total
            gap = max(gap, eigen.worst_gap(strengths))
            test = rows.at(held)
            predictions = _predict(eigen, strengths, test.X)
            columns.append(self._judged(predictions, self.targets[held], test))
        return {"path_gap_": gap}, np.asarray(np.mean(columns, axis=0))

    def _decomposed(
        self, rows: Rows, targets: Matrix
    ) -> tuple[LinearProblem, RidgeEigen]:
        intercept = bool(self.model.fit_intercept)
        given = tuple(targets.T)
        X = rows.X.astype(np.float64, copy=False)
        problem = squared_problem(X, given, rows.weights, intercept=intercept)
        return problem, RidgeEigen.of(problem, by_svd=self.by_svd)

    def _judged(self, predictions: Matrix, targets: Matrix, rows: Rows) -> Matrix:
        """Return a scorer's verdict on each strength, for each target if asked."""
        groups = [slice(None)]
        if self.per_target:
            groups = [slice(k, k + 1) for k in range(targets.shape[1])]
        return np.array(
            [
                [
                    scored(
                        self.judge,
                        self.model.scoring,
                        single_or_all(predictions[:, group, a]),
                        self.truth(targets[:, group]),
                        rows.weights,
                    )
                    for group in groups
                ]
                for a in range(predictions.shape[2])
            ]
        )


def single_or_all(columns: Matrix) -> Any:
    """Return a single column as a vector, several as they are."""
    return columns[:, 0] if columns.shape[1] == 1 else columns


def checked_alphas(owner: str, given: Any) -> Vector:
    """Return the strengths to try as positive numbers."""
    text = isinstance(given, str)
    if not text:
        refuse_text(owner, given)
    try:
        alphas = np.asarray(np.nan if text else given, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        alphas = np.array([np.nan])
    if len(alphas) and np.isfinite(alphas).all() and (alphas > 0).all():
        return alphas
    raise InvalidParameterError(
        f"{owner}.alphas must be numbers in (0, inf), got {given!r}."
    )


def _predict(eigen: RidgeEigen, strengths: Vector, X: Any) -> Matrix:
    """Return predictions, (samples, targets, strengths)."""
    problem = eigen.problem
    weights = eigen.weights(strengths)
    count = weights.shape[1]
    flat = weights.reshape(-1, weights.shape[2]).T
    _, means = centred_targets(problem)
    scores = np.asarray(X @ flat) - problem.means @ flat
    return (scores.reshape(-1, len(strengths), count) + means).transpose(0, 2, 1)
