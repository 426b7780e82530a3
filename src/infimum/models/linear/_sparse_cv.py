"""What the lasso and the elastic net share that choose their strength by folds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from infimum.errors import InvalidParameterError
from infimum.losses import Loss, Squared
from infimum.models.linear._base import Start
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear._sparse_regressor import SparseRegressor
from infimum.models.linear._strength_path import follow_path, strongest, worst_gap
from infimum.models.linear.elastic_net import ElasticNet
from infimum.parameters import check_domain, opened, whole
from infimum.penalties import Penalty
from infimum.solvers import Solution
from infimum.typing import Matrix, Vector

__all__ = ["CrossValidatedSparse"]

#: Strengths that stand in when every coefficient is 0 under any.
LEAST_ALPHA = 1e-15


class CrossValidatedSparse(SparseRegressor, ABC):
    """An elastic net that follows a path on every fold and keeps the best strength."""

    alphas: Any
    cv: Any
    eps: float
    fit_intercept: bool
    max_iter: int
    tol: float
    positive: bool

    @abstractmethod
    def _ratios(self) -> Vector:
        """Return the shares of the ℓ₁ penalty to try."""

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        X, targets, weights = self._admit(X, y, sample_weight, reset=reset)
        problem = self._problem(X, targets[0], weights)
        if reset:
            self._choose(problem, X, targets[0], weights)
        return problem

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        self._one_target = True
        return LinearRegressor._admit(self, X, y, sample_weight, reset=reset)

    def _problem(self, X: Any, y: Vector, weights: Vector | None) -> LinearProblem:
        intercept = bool(self.fit_intercept)
        return LinearProblem.of(X, (y,), Squared(), weights, intercept=intercept)

    def _choose(
        self, problem: LinearProblem, X: Any, y: Vector, weights: Vector | None
    ) -> None:
        """Set the strength and the share with the least error on held-back folds."""
        ratios = self._ratios()
        grids = np.array([self._grid(problem, ratio) for ratio in ratios.tolist()])
        folds = list(check_cv(self.cv, y).split(X, y))
        errors = np.empty((*grids.shape, len(folds)))
        self.path_gap_ = 0.0
        for place, (train, held) in enumerate(folds):
            part = self._problem(X[train], y[train], _of(weights, train))
            for k, ratio in enumerate(ratios.tolist()):
                coefs, intercepts = self._follow(part, ratio, grids[k])
                residuals = y[held, None] - (np.asarray(X[held] @ coefs.T) + intercepts)
                errors[k, :, place] = np.average(
                    residuals**2, axis=0, weights=_of(weights, held)
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
        spread = errors[row].std(axis=1, ddof=1) / np.sqrt(errors.shape[2])
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
        template = self._template(1.0, ratio)
        top = strongest(template._risks(problem), positive=bool(self.positive))
        if not top > LEAST_ALPHA:
            return np.full(int(self.alphas), LEAST_ALPHA)
        return np.geomspace(top, top * self.eps, int(self.alphas))

    def _template(self, alpha: float, ratio: float) -> ElasticNet:
        return ElasticNet(
            alpha,
            l1_ratio=ratio,
            fit_intercept=self.fit_intercept,
            max_iter=self.max_iter,
            tol=self.tol,
            positive=self.positive,
        )

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        chosen = self._template(self.alpha_, self.l1_ratio_)
        return chosen._solve(problem, starts, callback)

    def _loss(self) -> Loss:
        return Squared()

    def _penalty(self, total: float) -> Penalty:
        return self._template(self.alpha_, self.l1_ratio_)._penalty(total)

    def _tolerance(self) -> float:
        return self.tol

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _of(weights: Vector | None, rows: Any) -> Vector | None:
    return None if weights is None else weights[rows]
