"""Ridge regression: least squares with small coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.validation import accept_measured, accept_weights
from infimum.errors import InvalidParameterError
from infimum.losses import Loss, Squared
from infimum.models.linear._base import Start
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear._ridge_system import solve_ridge
from infimum.penalties import Box, ElasticNet, NoPenalty, Penalty
from infimum.penalties import Ridge as RidgePenalty
from infimum.solvers import Solution
from infimum.typing import Vector

__all__ = ["Ridge"]


class Ridge(LinearRegressor):
    r"""Least squares with an ℓ₂ penalty, in closed form, for one target or many.

    .. math:: \min_w \|y - Xw - b\|_2^2 + \alpha \|w\|_2^2

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        Weight of the penalty, one for all targets or one each.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    copy_X, max_iter, solver, random_state
        Accepted for compatibility with scikit-learn; the closed form needs none, and
        systems too large to factorise go to conjugate gradients.
    tol : float, default=1e-4
        Bound on the gradient; certified when the relative gap is below tol².
    positive : bool, default=False
        Forbid negative coefficients.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    certificate_ : Certificate
        How far the least certain target's coefficients can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> Ridge(alpha=2.0).fit(X, [0.0, 1.0, 2.0]).coef_
    array([0.5])
    """

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        if self.positive:
            return super()._solve(problem, starts, callback)
        strengths = self._alphas(len(problem.targets)) / problem.total
        return solve_ridge(problem, strengths, max(self._tolerance(), 1e-12))

    def _alphas(self, targets: int) -> Vector:
        """Return one weight per target, checked."""
        alphas = np.asarray(self.alpha, dtype=np.float64).ravel()
        if len(alphas) not in {1, targets}:
            raise InvalidParameterError(
                f"{type(self).__name__}.alpha must be one number or one per target "
                f"({targets}), got {len(alphas)} of them."
            )
        if not (np.isfinite(alphas).all() and (alphas >= 0).all()):
            raise InvalidParameterError(
                f"{type(self).__name__}.alpha must be in [0, inf), got {self.alpha!r}."
            )
        return np.broadcast_to(alphas, (targets,)).copy()

    def _loss(self) -> Loss:
        return Squared()

    def _penalty(self, total: float) -> Penalty:
        strength = float(self._alphas(1)[0]) / total
        if self.positive:
            if strength == 0.0:
                return Box(0.0, np.inf)
            return ElasticNet(strength, 0.0, positive=True)
        return RidgePenalty(strength) if strength > 0 else NoPenalty()

    def _tolerance(self) -> float:
        return float(self.tol**2)

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        X, y = accept_measured(self, X, y, multi_output=True)
        self._one_target = y.ndim == 1
        columns = y.reshape(len(y), -1).T
        return X, tuple(columns), accept_weights(sample_weight, X)

    def _shape(self, coefs: list[Vector], intercepts: list[Vector]) -> None:
        self.coef_, self.intercept_ = np.array(coefs), np.array(intercepts, float)
        if self._one_target:
            self.coef_, self.intercept_ = coefs[0], float(intercepts[0])

    def _points(self, problem: LinearProblem) -> list[Vector]:
        intercepts = np.atleast_1d(self.intercept_)
        pairs = zip(np.atleast_2d(self.coef_), intercepts, strict=True)
        return [problem.pack(w, b) for w, b in pairs]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
