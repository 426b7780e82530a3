"""Ivanov and Tikhonov: the radius of a constraint, the strength of a penalty."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.certificates import Certificate, certify
from infimum.errors import IncompatibleError
from infimum.objectives import LinearRisk
from infimum.penalties import Ball, Lasso, NoPenalty, Penalty, Ridge
from infimum.solvers._solver import Solver
from infimum.solvers.choose import choose
from infimum.typing import Vector

__all__ = ["Correspondence", "radius_of", "strength_of"]

#: A multiplier this small, relative to the correlations of the null model, is none.
NEGLIGIBLE = 1e-9


class Correspondence(NamedTuple):
    """One model as the answer to two problems, with a proof for each.

    `constrained` certifies `point` among all models whose coefficients are no longer
    than `radius` (Ivanov), `penalised` under the penalty of `strength` (Tikhonov). The
    strength is 0 when the constraint does not bind.
    """

    radius: float
    strength: float
    point: Vector
    constrained: Certificate
    penalised: Certificate


def radius_of(risk: LinearRisk, solver: Solver | None = None) -> Correspondence:
    """Solve a risk with a ridge or lasso penalty; its length is the radius.

    Parameters
    ----------
    risk : LinearRisk
        The penalised problem.
    solver : Solver, optional
        What to solve it by; the preferred one, to a gap of 1e-8, by default.
    """
    penalty = risk.penalty
    if not isinstance(penalty, Ridge | Lasso) or getattr(penalty, "positive", False):
        raise IncompatibleError(
            f"{type(penalty).__name__} has no ball of its own: take Ridge or Lasso."
        )
    solution = (solver or choose(risk)(1e-8)).solve(risk)
    order = 2 if isinstance(penalty, Ridge) else 1
    radius = float(np.linalg.norm(solution.point[:-1].ravel(), order))
    if radius == 0.0:
        raise IncompatibleError(
            f"{penalty!r} leaves no coefficient: any radius has this solution; "
            "take a smaller strength."
        )
    ball = risk.with_penalty(Ball(radius, order))
    inside = certify(ball, solution.point, solution.slopes)
    return Correspondence(
        radius, penalty.strength, solution.point, inside, solution.certificate
    )


def strength_of(risk: LinearRisk, solver: Solver | None = None) -> Correspondence:
    """Solve a risk within a ball; the multiplier of the constraint is the strength.

    At the solution the correlations -Xᵀ(q∘s) are a multiple of the coefficients (ball
    of order 2) or at most as large as at the coefficients in use (order 1).

    Parameters
    ----------
    risk : LinearRisk
        The constrained problem, whose penalty is a Ball of order 1 or 2.
    solver : Solver, optional
        What to solve it by; the preferred one, to a gap of 1e-8, by default.
    """
    ball = risk.penalty
    if not isinstance(ball, Ball) or ball.order not in {1, 2}:
        raise IncompatibleError(
            f"{ball!r} is no ball of order 1 or 2, so no penalty corresponds to it."
        )
    solution = (solver or choose(risk)(1e-8)).solve(risk)
    weighted = (solution.slopes.T * risk.weights).T
    pull = np.asarray(risk.design.pull_back(weighted), dtype=np.float64)
    size = float(np.abs(risk.evaluate(risk.null).pulled_back).max(initial=0.0))
    if ball.order == 1:
        strength = float(np.abs(pull).max(initial=0.0))
    else:
        strength = float(np.linalg.norm(pull.ravel())) / ball.radius
    penalty: Penalty = NoPenalty()
    if strength > NEGLIGIBLE * size:
        penalty = Lasso(strength) if ball.order == 1 else Ridge(strength)
    else:
        strength = 0.0
    proof = certify(risk.with_penalty(penalty), solution.point, solution.slopes)
    return Correspondence(
        ball.radius, strength, solution.point, solution.certificate, proof
    )
