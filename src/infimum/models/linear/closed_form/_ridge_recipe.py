"""The recipe of ridge models: squared error and squared norm, in closed form."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.losses import Squared
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.closed_form._moments import squared_problem
from infimum.models.linear.closed_form._ridge_system import solve_ridge
from infimum.models.linear.coding import Coding
from infimum.models.linear.fit import Recipe
from infimum.penalties import Box, ElasticNet, NoPenalty, Penalty, Ridge
from infimum.solvers import Solution
from infimum.typing import Vector

__all__ = ["checked_alphas", "refuse_text", "ridge_recipe"]


def ridge_recipe(
    alphas: Vector,
    coding: Coding,
    tolerance: float,
    *,
    intercept: bool,
    positive: bool = False,
    max_iterations: int | None = None,
    double: bool = False,
    stated: LinearProblem | None = None,
) -> Recipe:
    """Return the recipe of one strength for each target; `double` is the precision.

    A problem of the same rows that is `stated` by now is not stated again.
    """
    state = _stated_in_double if double else _stated
    return Recipe(
        Squared(),
        lambda total: [_penalty(a / total, positive=positive) for a in alphas.tolist()],
        coding,
        tolerance=tolerance,
        intercept=intercept,
        max_iterations=max_iterations,
        state=state if stated is None else lambda *_, **__: stated,
        solve=None if positive else partial(_closed_form, alphas, tolerance),
    )


def checked_alphas(owner: str, given: Any, targets: int) -> Vector:
    """Return one weight per target, checked."""
    try:
        alphas = np.asarray(given, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        alphas = np.array([np.nan])
    if len(alphas) not in {1, targets}:
        raise InvalidParameterError(
            f"{owner}.alpha must be one number or one per target ({targets}), got "
            f"{len(alphas)} of them."
        )
    if not (np.isfinite(alphas).all() and (alphas >= 0).all()):
        raise InvalidParameterError(
            f"{owner}.alpha must be in [0, inf), got {given!r}."
        )
    return np.broadcast_to(alphas, (targets,)).copy()


def refuse_text(owner: str, alphas: Any) -> None:
    """Raise IncompatibleError for a number that is written as text."""
    for alpha in np.ravel(np.asarray(alphas, dtype=object)):
        if isinstance(alpha, str):
            raise IncompatibleError(f"{owner}.alphas must be numbers, got {alpha!r}.")


def _penalty(strength: float, *, positive: bool) -> Penalty:
    if strength == 0.0:
        return Box(0.0, np.inf) if positive else NoPenalty()
    return ElasticNet(strength, 0.0, positive=True) if positive else Ridge(strength)


def _stated(
    X: Any, targets: tuple[Vector, ...], _: Any, weights: Any, *, intercept: bool
) -> LinearProblem:
    return squared_problem(X, targets, weights, intercept=intercept)


def _stated_in_double(X: Any, *given: Any, **how: Any) -> LinearProblem:
    """State a problem whose strengths may be too small for single precision."""
    return _stated(X.astype(np.float64, copy=False), *given, **how)


def _closed_form(
    alphas: Vector, tolerance: float, problem: LinearProblem, *_: Any
) -> list[Solution]:
    return solve_ridge(problem, alphas / problem.total, tolerance)
