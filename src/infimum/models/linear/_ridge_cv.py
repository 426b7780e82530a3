"""What ridge estimators share that choose their strength by cross-validation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.losses import Loss, Squared
from infimum.models._folds import folds_of
from infimum.models.linear._base import LinearModel, Start
from infimum.models.linear._given import scored
from infimum.models.linear._moments import centred_targets, squared_problem
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._ridge_eigen import RidgeEigen
from infimum.models.linear._ridge_system import solve_ridge
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty, Penalty, Ridge
from infimum.solvers import Solution
from infimum.typing import Matrix, Vector

__all__ = ["CrossValidatedRidge"]

#: The relative gap that the final fit must prove, as for `Ridge` with its default tol.
GAP = 1e-8
#: Predictions of left-out samples are held for so many numbers at a time.
MOST_HELD = 20_000_000


class _Samples(NamedTuple):
    X: Any
    targets: Matrix
    weights: Vector | None


class CrossValidatedRidge(LinearModel, ABC):
    """A ridge model that tries a list of strengths and keeps the best.

    Without `cv` every sample is left out once, in closed form, after one decomposition
    for all strengths. With `cv` each fold is decomposed once.
    """

    alphas: Any
    cv: Any
    scoring: Any
    store_cv_results: bool

    @abstractmethod
    def _judge(self) -> Any:
        """Return an estimator that stands for given predictions."""

    @abstractmethod
    def _judged(self, predictions: Matrix) -> Any:
        """Return predictions, one column per target, as the judge expects them."""

    @abstractmethod
    def _truth(self, targets: Matrix) -> Any:
        """Return targets, one column each, as a scorer expects them."""

    def _per_target(self) -> bool:
        return False

    def _by_svd(self) -> bool:
        return False

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        X, targets, weights = self._admit(X, y, sample_weight, reset=reset)
        intercept = bool(getattr(self, "fit_intercept", True))
        problem = squared_problem(X, targets, weights, intercept=intercept)
        if reset:
            self._choose(problem, _Samples(X, np.column_stack(targets), weights))
        return problem

    def _choose(self, problem: LinearProblem, samples: _Samples) -> None:
        alphas = self._checked_alphas()
        if self.cv is None:
            scores = self._left_out_scores(problem, samples, alphas)
        elif self.store_cv_results or self._per_target():
            name = "alpha_per_target" if self._per_target() else "store_cv_results"
            raise InvalidParameterError(
                f"{type(self).__name__}.{name} needs cv=None, got cv={self.cv!r}."
            )
        else:
            scores = self._fold_scores(samples, alphas)
        best = scores.argmax(axis=0)
        chosen, reached = alphas[best], scores[best, np.arange(scores.shape[1])]
        one = len(best) == 1 and not self._per_target()
        self.alpha_: Any = float(chosen[0]) if one else chosen
        self.best_score_: Any = float(reached[0]) if one else reached

    def _left_out_scores(
        self, problem: LinearProblem, samples: _Samples, alphas: Vector
    ) -> Matrix:
        """Score every strength by the predictions of samples left out, one row each."""
        if problem.design.shape[0] < 2:  # noqa: PLR2004
            raise DataError(
                f"{type(self).__name__} leaves one sample out and got 1 sample in all."
            )
        eigen = RidgeEigen.of(problem, by_svd=self._by_svd())
        strengths = alphas / problem.total
        self.path_gap_ = eigen.worst_gap(strengths)
        n, count = samples.targets.shape
        weights = np.ones(n) if samples.weights is None else samples.weights
        kept, scores, stored = weights > 0, [], []
        step = max(1, MOST_HELD // (n * count))
        for first in range(0, len(alphas), step):
            residuals = np.zeros((n, count, len(alphas[first : first + step])))
            residuals[kept] = eigen.left_out_residuals(strengths[first : first + step])
            if self.scoring is None:
                residuals = weights[:, None, None] * residuals**2
                scores.append(-residuals.sum(axis=0).T / weights.sum())
                stored.append(residuals)
            else:
                predictions = samples.targets[:, :, None] - residuals
                scores.append(self._judge_all(predictions, samples))
                stored.append(predictions)
        if self.store_cv_results:
            self.cv_results_ = self._kept_results(np.concatenate(stored, axis=2))
        table = np.vstack(scores)
        return table if self._per_target() else table.mean(axis=1, keepdims=True)

    def _kept_results(self, results: Matrix) -> Matrix:
        """Return left-out results in the shape that users expect."""
        return results

    def _judge_all(self, predictions: Matrix, samples: _Samples) -> Matrix:
        """Return a scorer's verdict on each strength, for each target if asked."""
        groups = [slice(None)]
        if self._per_target():
            groups = [slice(k, k + 1) for k in range(samples.targets.shape[1])]
        return np.array(
            [
                [
                    scored(
                        self._judge(),
                        self.scoring,
                        self._judged(predictions[:, group, a]),
                        self._truth(samples.targets[:, group]),
                        samples.weights,
                    )
                    for group in groups
                ]
                for a in range(predictions.shape[2])
            ]
        )

    def _fold_scores(self, samples: _Samples, alphas: Vector) -> Matrix:
        """Score every strength on held-back folds; return the averages, one column."""
        truth = self._truth(samples.targets)
        columns, self.path_gap_ = [], 0.0
        folds = folds_of(
            self,
            samples.X,
            truth,
            classifier=hasattr(self, "classes_"),
            weights=samples.weights,
        )
        for train, held in folds:
            learn, test = _part(samples, train), _part(samples, held)
            problem = squared_problem(
                learn.X,
                tuple(learn.targets.T),
                learn.weights,
                intercept=bool(getattr(self, "fit_intercept", True)),
            )
            eigen = RidgeEigen.of(problem, by_svd=self._by_svd())
            strengths = alphas / problem.total
            self.path_gap_ = max(self.path_gap_, eigen.worst_gap(strengths))
            predictions = _predict(eigen, strengths, test.X)
            columns.append(self._judge_all(predictions, test))
        return np.asarray(np.mean(columns, axis=0))

    def _checked_alphas(self) -> Vector:
        try:
            alphas = np.asarray(self.alphas, dtype=np.float64).ravel()
        except (TypeError, ValueError):
            alphas = np.array([np.nan])
        if len(alphas) and np.isfinite(alphas).all() and (alphas > 0).all():
            return alphas
        raise InvalidParameterError(
            f"{type(self).__name__}.alphas must be numbers in (0, inf), got "
            f"{self.alphas!r}."
        )

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        return solve_ridge(problem, self._strengths(problem), GAP)

    def _strengths(self, problem: LinearProblem) -> Vector:
        alphas = np.broadcast_to(self.alpha_, (len(problem.targets),))
        return np.asarray(alphas / problem.total)

    def _risks(self, problem: LinearProblem) -> list[LinearRisk]:
        pairs = zip(
            problem.risks(NoPenalty()), self._strengths(problem).tolist(), strict=True
        )
        return [risk.with_penalty(Ridge(strength)) for risk, strength in pairs]

    def _loss(self) -> Loss:
        return Squared()

    def _penalty(self, total: float) -> Penalty:
        return Ridge(float(np.min(self.alpha_)) / total)

    def _tolerance(self) -> float:
        return GAP


def _part(samples: _Samples, rows: Any) -> _Samples:
    weights = None if samples.weights is None else samples.weights[rows]
    return _Samples(samples.X[rows], samples.targets[rows], weights)


def _predict(eigen: RidgeEigen, strengths: Vector, X: Any) -> Matrix:
    """Return predictions, (samples, targets, strengths)."""
    problem = eigen.problem
    weights = eigen.weights(strengths)
    count = weights.shape[1]
    flat = weights.reshape(-1, weights.shape[2]).T
    _, means = centred_targets(problem)
    scores = np.asarray(X @ flat) - problem.means @ flat
    return (scores.reshape(-1, len(strengths), count) + means).transpose(0, 2, 1)
