"""Coordinate descent for least squares on few features, known by a Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from infimum.losses import MultivariateSquared, Squared
from infimum.models.linear.lassos._row_penalty import RowElasticNet
from infimum.objectives import Evaluation, LinearRisk
from infimum.penalties import ElasticNet, Lasso, Penalty
from infimum.solvers import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Matrix, Vector

__all__ = ["GramDescent", "Moments", "Prices", "moments_of", "prices_of"]

#: With more features a working set, or no Gram matrix at all, is faster.
MOST_FEATURES, MOST_OF_TASKS = 200, 4_000
#: Sweeps between two proofs, at most; one target that needs more is flat somewhere.
SWEEPS = 1_000
#: A share of the gap asked for: sweeps are cheap, and coefficients lag behind the gap.
AIM, FINER = 0.05, 0.1
#: A gap this small beside the targets' square is all rounding.
NOTHING = 1e-17


class _Gram(NamedTuple):
    """XᵀQX, which targets and strengths share."""

    matrix: Matrix

    @classmethod
    def of(cls, risk: LinearRisk) -> _Gram:
        gram = risk.design.gram(risk.weights)
        return cls(np.ascontiguousarray(gram, dtype=np.float64))


class Moments(NamedTuple):
    """All that least squares need of centred data: XᵀQX, XᵀQY, YᵀQY, the means of Y."""

    gram: Matrix
    cross: Matrix
    square: float
    middle: Vector


class Prices(NamedTuple):
    """What a penalty asks for lengths and for squares, and whether it binds signs."""

    length: float
    square: float
    positive: bool


@dataclass(frozen=True)
class GramDescent(Solver):
    """Minimise exactly over the coefficients of one feature, then of the next.

    The intercepts are the weighted means of the targets, since the design is centred;
    what remains is a quadratic known by its Gram matrix, which a path of strengths
    shares. Where features outnumber what samples can tell apart sweeps creep: then
    it ends, and another method goes on.
    """

    def _objection(self, risk: LinearRisk) -> str | None:
        several = isinstance(risk.loss, MultivariateSquared)
        if not several and not isinstance(risk.loss, Squared):
            return f"{type(risk.loss).__name__} is not the squared loss"
        if prices_of(risk.penalty) is None:
            return f"{type(risk.penalty).__name__} does not price lengths and squares"
        if risk.offset is not None or (not several and _rough(risk)):
            return "only the moments of double precision are exact enough"
        if risk.design.shape[1] > (MOST_OF_TASKS if several else MOST_FEATURES):
            return "the Gram matrix of so many features is too large"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, prices = here.risk, prices_of(here.risk.penalty)
        assert prices is not None
        if not here.point[:-1].any() and _held_at_nothing(here.pulled_back, prices):
            yield Iterate(here, 1)
        from infimum.compiled.descent.gram_path import (
            Quadratic,  # late: it loads numba
            follow_gram_path,
        )

        known = moments_of(risk)
        quadratic = Quadratic(known.gram, known.cross, known.square)
        start = here.point[:-1].reshape(known.cross.shape)
        w = np.maximum(start, 0.0) if prices.positive else np.array(start)
        gradient = np.ascontiguousarray(known.gram @ w - known.cross)
        aim, done, path = AIM * self.tolerance * risk.scale, 0, w[None].copy()
        asked = np.array([prices[:2]])
        while done < self.max_iterations and aim > NOTHING * known.square:
            sweeps = min(SWEEPS, self.max_iterations - done)
            reached, used = follow_gram_path(
                quadratic, asked, prices.positive, aim,
                sweeps, w, gradient, path,
            )  # fmt: skip
            done += max(used, 1)
            yield Iterate(risk.evaluate(as_point(w, known, here.point.shape)), done)
            if not reached and (used < sweeps or isinstance(risk.loss, Squared)):
                return
            aim *= FINER if reached else 1.0


def _held_at_nothing(pulled: Vector, prices: Prices) -> bool:
    """Tell whether no feature pulls harder than its price: all coefficients are 0."""
    if pulled.ndim > 1:
        return float(np.square(pulled).sum(axis=1).max(initial=0.0)) <= prices.length**2
    pulls = -pulled if prices.positive else np.abs(pulled)
    return float(pulls.max(initial=0.0)) <= prices.length


def as_point(w: Matrix, known: Moments, shape: tuple[int, ...]) -> Vector:
    """Return coefficients with the intercepts that suit them, in a point's shape."""
    point = np.empty(shape)
    point[:-1], point[-1] = w.reshape(point[:-1].shape), known.middle
    return point


def prices_of(penalty: Penalty) -> Prices | None:
    """Return what an elastic net asks; None for other penalties."""
    if isinstance(penalty, Lasso):
        return Prices(penalty.strength, 0.0, penalty.positive)
    if not isinstance(penalty, ElasticNet | RowElasticNet):
        return None
    length = penalty.strength * penalty.l1_ratio
    binds = isinstance(penalty, ElasticNet) and penalty.positive
    return Prices(length, penalty.strength * (1.0 - penalty.l1_ratio), binds)


def moments_of(risk: LinearRisk) -> Moments:
    """Return the moments of a centred design; the Gram matrix is computed once."""
    q, y = risk.weights, np.asarray(risk.y, dtype=np.float64)
    middle = np.asarray(q @ y if risk.intercept else np.zeros(y.shape[1:]))
    apart = (y - middle).reshape(len(y), -1)
    pulled = risk.design.pull_back(q[:, None] * apart)
    gram = risk.memory.made(_Gram, lambda: _Gram.of(risk)).matrix
    cross = np.ascontiguousarray(pulled, dtype=np.float64)
    square = float(q @ np.square(apart).sum(axis=1))
    return Moments(gram, cross, square, middle)


def _rough(risk: LinearRisk) -> bool:
    return risk.design.dtype != np.float64
