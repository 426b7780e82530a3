"""Block coordinate descent for least squares on several targets at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from infimum.losses import MultivariateSquared
from infimum.models.linear.lassos._row_penalty import RowElasticNet
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Matrix, Vector

__all__ = ["RowDescent"]

#: With more features the Gram matrix costs more than it saves.
LARGEST_GRAM = 4_000
#: Sweeps between two proofs, at most.
SWEEPS = 100
#: How much finer each round is than the last, from this share of the largest pull on.
COARSEST, FINER = 1e-3, 0.1


@dataclass(frozen=True)
class RowDescent(Solver):
    """Minimise exactly over the coefficients of one feature, then of the next.

    The intercepts are the weighted means of the targets, since the design is centred;
    what remains is a quadratic known by its Gram matrix, which a path of strengths
    shares.
    """

    def _objection(self, risk: LinearRisk) -> str | None:
        if not isinstance(risk.loss, MultivariateSquared):
            return (
                f"{type(risk.loss).__name__} is not the squared loss of several tasks"
            )
        if not isinstance(risk.penalty, RowElasticNet):
            return f"{type(risk.penalty).__name__} does not price rows"
        if risk.design.shape[1] > LARGEST_GRAM:
            return "the Gram matrix of so many features is too large"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        from infimum.compiled.descent.row_descent import (
            sweep_rows,  # late: it loads numba
        )

        risk = here.risk
        assert isinstance(risk.penalty, RowElasticNet)
        gram, cross, middle = risk.memory.made(_Moments, lambda: _Moments.of(risk))
        point = np.array(here.point, dtype=np.float64)
        point[-1] = middle
        w = np.ascontiguousarray(point[:-1])
        gradient = np.ascontiguousarray(gram @ w - cross)
        l1 = risk.penalty.corner
        l2 = risk.penalty.strength - l1
        top = float(np.abs(cross).max(initial=0.0))
        fineness, done = COARSEST * top, 0
        yield Iterate(risk.evaluate(point), 0)
        while done < self.max_iterations and fineness > 1e-17 * top:
            rounds = min(SWEEPS, self.max_iterations - done)
            used = sweep_rows(gram, gradient, w, l1, l2, rounds, fineness)
            done += used
            if used < rounds or used == 1:
                fineness *= FINER
            yield Iterate(risk.evaluate(np.vstack([w, point[-1:]])), done)


class _Moments(NamedTuple):
    """XᵀQX, XᵀQY and the means of Y, computed once for all strengths."""

    gram: Matrix
    cross: Matrix
    middle: Vector

    @classmethod
    def of(cls, risk: LinearRisk) -> _Moments:
        q, y = risk.weights, np.asarray(risk.y, dtype=np.float64)
        middle = q @ y if risk.intercept else np.zeros(y.shape[1])
        gram = np.ascontiguousarray(risk.design.gram(q), dtype=np.float64)
        pull = risk.design.pull_back(q[:, None] * (y - middle))
        return cls(gram, np.ascontiguousarray(pull, dtype=np.float64), middle)
