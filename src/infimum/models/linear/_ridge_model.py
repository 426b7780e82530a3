"""What ridge regression and ridge classification share: the penalised squared error."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.losses import Loss, Squared
from infimum.models.linear._base import LinearModel, Start
from infimum.models.linear._moments import squared_problem
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._ridge_system import solve_ridge
from infimum.objectives import LinearRisk
from infimum.parameters import Choice, check_domain
from infimum.penalties import Box, ElasticNet, NoPenalty, Penalty, Ridge
from infimum.solvers import Solution
from infimum.typing import Vector

__all__ = ["RidgeModel"]

_SOLVERS = Choice(
    ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs")
)


class RidgeModel(LinearModel, ABC):
    """A linear model under the squared loss and the squared norm, in closed form."""

    alpha: Any
    tol: float
    positive: bool
    solver: str

    @property
    def solver_(self) -> str:
        """The name of the method asked for; 'auto' means a factorisation here."""
        if self.solver != "auto":
            return self.solver
        return "lbfgs" if self.positive else "cholesky"

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        X, targets, weights = self._admit(X, y, sample_weight, reset=reset)
        intercept = bool(getattr(self, "fit_intercept", True))
        return squared_problem(X, targets, weights, intercept=intercept)

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        check_domain(f"{type(self).__name__}.solver", self.solver, _SOLVERS)
        if self.positive:
            return super()._solve(problem, starts, callback)
        strengths = self._alphas(len(problem.targets)) / problem.total
        return solve_ridge(problem, strengths, max(self._tolerance(), 1e-12))

    def _alphas(self, targets: int) -> Vector:
        """Return one weight per target, checked."""
        owner = f"{type(self).__name__}.alpha"
        try:
            alphas = np.asarray(self.alpha, dtype=np.float64).ravel()
        except (TypeError, ValueError):
            alphas = np.array([np.nan])
        if len(alphas) not in {1, targets}:
            raise InvalidParameterError(
                f"{owner} must be one number or one per target ({targets}), got "
                f"{len(alphas)} of them."
            )
        if not (np.isfinite(alphas).all() and (alphas >= 0).all()):
            raise InvalidParameterError(
                f"{owner} must be in [0, inf), got {self.alpha!r}."
            )
        return np.broadcast_to(alphas, (targets,)).copy()

    def _loss(self) -> Loss:
        return Squared()

    def _penalty(self, total: float) -> Penalty:
        strength = float(self._alphas(1)[0]) / total
        return _penalty_of(strength, positive=bool(self.positive))

    def _risks(self, problem: LinearProblem) -> list[LinearRisk]:
        strengths = self._alphas(len(problem.targets)) / problem.total
        risks = problem.risks(NoPenalty())
        return [
            risk.with_penalty(_penalty_of(strength, positive=bool(self.positive)))
            for risk, strength in zip(risks, strengths.tolist(), strict=True)
        ]

    def _tolerance(self) -> float:
        return float(self.tol**2)


def _penalty_of(strength: float, *, positive: bool) -> Penalty:
    if strength == 0.0:
        return Box(0.0, np.inf) if positive else NoPenalty()
    return ElasticNet(strength, 0.0, positive=True) if positive else Ridge(strength)
