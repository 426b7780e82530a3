"""What linear models share that choose their strength along paths, by folds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.losses import Loss, VectorLoss
from infimum.models._folds import folds_of
from infimum.models.linear._base import LinearModel, Start
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._strength_path import follow_path, worst_gap
from infimum.parameters import check_domain, opened, whole
from infimum.penalties import Penalty
from infimum.solvers import Solution
from infimum.typing import Matrix, Vector

__all__ = ["PathChoice", "shares"]

#: Strengths that stand in when every coefficient is 0 under any.
LEAST_ALPHA = 1e-15


class PathChoice(ABC):
    """A part of an estimator: paths on every fold, of which it keeps the best strength.

    The estimator says how one strength is fitted (`_template`) and from which strength
    on everything vanishes (`_strongest`).
    """

    alphas: Any
    cv: Any
    eps: float
    fit_intercept: bool
    max_iter: int
    tol: float

    @abstractmethod
    def _ratios(self) -> Vector:
        """Return the shares of the penalty with a corner to try."""

    @abstractmethod
    def _template(self, alpha: float, ratio: float) -> LinearModel:
        """Return the model of one strength and share."""

    @abstractmethod
    def _strongest(self, problem: LinearProblem, ratio: float) -> float:
        """Return the least strength under which every coefficient is 0."""

    @abstractmethod
    def _loss(self) -> Loss | VectorLoss:
        """Return the loss of the model."""

    @abstractmethod
    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        """Return samples, targets and weights as the model takes them."""

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        X, targets, weights = self._admit(X, y, sample_weight, reset=reset)
        problem = self._problem(X, targets[0], weights)
        if reset:
            self._choose(problem, X, targets[0], weights)
        return problem

    def _problem(self, X: Any, y: Any, weights: Vector | None) -> LinearProblem:
        intercept = bool(self.fit_intercept)
        return LinearProblem.of(X, (y,), self._loss(), weights, intercept=intercept)

    def _choose(
        self, problem: LinearProblem, X: Any, y: Any, weights: Vector | None
    ) -> None:
        """Set the strength and the share with the least error on held-back folds."""
        ratios = self._ratios()
        grids = np.array([self._grid(problem, ratio) for ratio in ratios.tolist()])
        folds = folds_of(self, X, y, weights=weights)
        errors = np.empty((*grids.shape, len(folds)))
        self.path_gap_ = 0.0
        for place, (train, held) in enumerate(folds):
            part = self._problem(X[train], y[train], _of(weights, train))
            for k, ratio in enumerate(ratios.tolist()):
                coefs, intercepts = self._follow(part, ratio, grids[k])
                errors[k, :, place] = _errors(
                    coefs, intercepts, X[held], y[held], _of(weights, held)
                )
        self._keep(ratios, grids, errors)

    def _follow(
        self, problem: LinearProblem, ratio: float, alphas: Vector
    ) -> tuple[Matrix, Vector]:
        """Return coefficients and intercepts under each strength, in order."""
        order = np.argsort(-alphas)
        settings = [{"alpha": alpha} for alpha in alphas[order].tolist()]
        runs = follow_path(self._template(1.0, ratio), problem, settings)
        self.path_gap_ = max(self.path_gap_, worst_gap(runs))
        pairs = [problem.unpack(solutions[0].point) for solutions in runs]
        back = np.argsort(order)
        coefs, intercepts = (np.array(part)[back] for part in zip(*pairs, strict=True))
        return coefs, intercepts

    def _keep(self, ratios: Vector, grids: Matrix, errors: Matrix) -> None:
        means = errors.mean(axis=2)
        row, column = np.unravel_index(np.argmin(means), means.shape)
        self.alpha_ = float(grids[row, column])
        self.l1_ratio_ = float(ratios[row])
        count = errors.shape[2]
        # The spread of a single error is unknown.
        spread = errors[row].std(axis=1, ddof=min(count - 1, 1)) / np.sqrt(count)
        near = means[row] <= means[row, column] + spread[column]
        self.alpha_1se_ = float(grids[row][near].max())
        self.alphas_, self.mse_path_ = grids, errors
        if len(ratios) == 1:
            self.alphas_, self.mse_path_ = grids[0], errors[0]

    def _grid(self, problem: LinearProblem, ratio: float) -> Vector:
        owner = f"{type(self).__name__}.alphas"
        if np.ndim(self.alphas) > 0:
            given = np.sort(np.asarray(self.alphas, dtype=np.float64).ravel())[::-1]
            if len(given) and np.isfinite(given).all() and given[-1] >= 0:
                return np.asarray(given)
            raise InvalidParameterError(
                f"{owner} must be numbers in [0, inf), got {self.alphas!r}."
            )
        check_domain(owner, self.alphas, whole(1))
        check_domain(f"{type(self).__name__}.eps", self.eps, opened(0, 1))
        if ratio == 0:
            raise InvalidParameterError(
                f"{owner} must be given where l1_ratio is 0: no strength makes all "
                "coefficients vanish, so there is none to start from."
            )
        top = self._strongest(problem, ratio)
        if not top > LEAST_ALPHA:
            return np.full(int(self.alphas), LEAST_ALPHA)
        return np.geomspace(top, top * self.eps, int(self.alphas))

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        chosen = self._template(self.alpha_, self.l1_ratio_)
        return chosen._solve(problem, starts, callback)

    def _penalty(self, total: float) -> Penalty:
        return self._template(self.alpha_, self.l1_ratio_)._penalty(total)

    def _tolerance(self) -> float:
        return self.tol


def shares(owner: str, l1_ratio: Any) -> Vector:
    """Return the shares of a penalty that a user gave, as an array."""
    ratios = np.atleast_1d(np.asarray(l1_ratio, dtype=np.float64))
    if len(ratios) and ((ratios >= 0) & (ratios <= 1)).all():
        return ratios
    raise InvalidParameterError(
        f"{owner}.l1_ratio must be in [0, 1], got {l1_ratio!r}."
    )


def _errors(
    coefs: Matrix, intercepts: Vector, X: Any, y: Any, weights: Vector | None
) -> Vector:
    """Return the mean squared error of each model, over all its targets."""
    models = coefs.reshape(-1, coefs.shape[-1])
    scores = np.asarray(X @ models.T) + intercepts.ravel()
    wrong = scores.reshape(len(y), len(coefs), -1) - y.reshape(len(y), 1, -1)
    return np.average(np.square(wrong).mean(axis=2), axis=0, weights=weights)


def _of(weights: Vector | None, rows: Any) -> Vector | None:
    return None if weights is None else weights[rows]
