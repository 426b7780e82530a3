"""A quadratic model of the risk on a working set, minimised by coordinate sweeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from infimum.data.designs import DenseDesign, Design
from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.penalties import SeparablePenalty
from infimum.solvers.coordinates._sign_factor import SignFactor
from infimum.solvers.coordinates._sign_polish import polish
from infimum.typing import Indices, Matrix, Vector

__all__ = ["QuadraticModel", "forget_model", "minimize_model", "model_of"]

#: Columns joined to a remembered Gram matrix at a time.
CHUNK = 256
#: A remembered Gram matrix larger than this is forgotten.
MEMORY_LIMIT, MOST_AT_ONCE = 4_000, 2_500
#: How far the curvatures of a remembered Gram matrix may move.
STALE = 0.2
#: Sweeps at a time, and at most.
SWEEPS, ROUNDS = 10, 200


@dataclass(frozen=True, eq=False)
class QuadraticModel:
    """Second-order model around a point, on chosen columns and the intercept.

    Lines of the Gram matrix may be longer than there are columns.
    """

    chosen: Indices
    columns: Design
    gram: Matrix
    gradient: Vector
    start: Vector
    #: What is remembered of the curvature of the coefficients in use.
    factor: SignFactor = field(default_factory=SignFactor)


class _Gram(NamedTuple):
    """Columns of a design and their Gram matrix, intercept last."""

    members: Indices
    columns: Design
    matrix: Matrix


@dataclass
class _Known:
    """What is remembered of the curvature of a risk."""

    bends: Vector
    gram: _Gram | None = None
    #: An array with room for more columns than are in use.
    room: Any = None


def model_of(here: Evaluation, chosen: Indices, bends: Vector) -> QuadraticModel:
    """Model the empirical risk at `here` on the chosen columns, intercept last.

    `bends` are the curvatures of the samples. The Gram matrix is remembered as long as
    they stay much the same: a model that is a little off costs another cheap step, a
    fresh matrix costs many.
    """
    risk = here.risk
    assert isinstance(risk.loss, Loss)
    known = risk.memory.get(_Known)
    if known is None or _moved(risk, known.bends, bends):
        known = risk.memory.keep(_Known(bends))
    chosen, columns, gram = _remembered(risk, known, chosen)
    gradient = np.append(here.pulled_back[chosen], here.risk_gradient[-1])
    start = np.append(here.point[:-1][chosen], here.point[-1])
    return QuadraticModel(chosen, columns, gram, gradient, start)


def forget_model(risk: LinearRisk) -> bool:
    """Drop what is remembered of earlier curvatures; tell whether there was some."""
    return risk.memory.pop(_Known, None) is not None


def _moved(risk: LinearRisk, known: Vector, bends: Vector) -> bool:
    if known is bends:
        return False
    change = float(risk.weights @ np.abs(bends - known))
    return not change <= STALE * float(risk.weights @ bends)


def _gram(risk: LinearRisk, columns: Design, bends: Vector) -> Matrix:
    weighted = risk.weights * bends
    size = columns.shape[1]
    gram = np.zeros((size + 1, size + 1))
    gram[:size, :size] = columns.gram(weighted)
    if risk.intercept:
        gram[:size, size] = gram[size, :size] = columns.pull_back(weighted)
        gram[size, size] = weighted.sum()
    return gram


def _remembered(risk: LinearRisk, model: _Known, chosen: Indices) -> _Gram:
    """Return the Gram matrix of the chosen columns, computing only what is new.

    All remembered columns come along while they are few: a coefficient that stays at 0
    costs next to nothing, and a copy of part of the matrix costs more.
    """
    known = model.gram
    members = known.members if known is not None else np.empty(0, dtype=np.intp)
    fresh = np.setdiff1d(chosen, members)
    if known is None or len(members) + len(fresh) > MEMORY_LIMIT:
        members, fresh = np.asarray(chosen), np.empty(0, dtype=np.intp)
        columns = risk.design.columns(members)
        matrix = _gram(risk, columns, model.bends)
        model.gram = known = _Gram(members, columns, matrix)
    elif fresh.size:
        model.gram = known = _extend(risk, model, known, fresh)
    members, columns, matrix = known
    if len(members) <= MOST_AT_ONCE:
        return known
    places = np.empty(risk.design.shape[1] + 1, dtype=np.intp)
    places[members] = np.arange(len(members))
    inside = np.append(places[chosen], len(members))
    return _Gram(chosen, columns.columns(inside[:-1]), matrix[np.ix_(inside, inside)])


def _extend(risk: LinearRisk, model: _Known, known: _Gram, fresh: Indices) -> _Gram:
    members, before, old = known
    size, total = len(members), len(members) + len(fresh)
    members = np.concatenate([members, fresh])
    columns = _side_by_side(risk, model, before, members, size)
    matrix = np.zeros((total + 1, total + 1))
    matrix[:size, :size] = old[:size, :size]
    shares = risk.weights * model.bends
    for start in range(size, total, CHUNK):
        block = np.arange(start, min(start + CHUNK, total))
        joining = columns.columns(block)
        cross = columns.cross(joining, shares)
        matrix[:total, block] = cross
        matrix[block, :total] = cross.T
        if risk.intercept:
            matrix[block, total] = matrix[total, block] = joining.pull_back(shares)
    if risk.intercept:
        matrix[:size, total] = matrix[total, :size] = old[:size, size]
        matrix[total, total] = shares.sum()
    return _Gram(members, columns, matrix)


def _side_by_side(
    risk: LinearRisk, model: _Known, before: Design, members: Indices, size: int
) -> Design:
    """Return the members' columns, the first `size` of which are known.

    Dense ones lie in an array with room for more, so that only new ones are copied.
    """
    if not isinstance(before, DenseDesign):
        return risk.design.columns(members)
    fresh, total = risk.design.columns(members[size:]), len(members)
    assert isinstance(fresh, DenseDesign)
    room: Any = model.room
    mine = room is not None and before.X.base is room
    if not mine or room.shape[1] < total:
        width = max(total, min(2 * size, MEMORY_LIMIT))
        room = np.empty((len(before.X), width), dtype=before.X.dtype, order="F")
        room[:, :size] = before.X
        model.room = room
    room[:, size:total] = fresh.X
    return DenseDesign(room[:, :total])


def minimize_model(
    model: QuadraticModel, penalty: SeparablePenalty, tolerance: float
) -> Vector:
    """Return the minimiser of model + penalty, to `tolerance` in the gradient."""
    from infimum.compiled.callbacks import compile_formula  # late: it loads numba
    from infimum.compiled.descent.coordinate_descent import sweep_gram

    point, gradient = model.start.copy(), model.gradient.copy()
    shrink, settings = compile_formula(type(penalty).shrink), penalty.settings
    if len(settings) > 1:
        settings = np.ascontiguousarray(settings[model.chosen])
    elastic = _elastic(penalty, model.chosen)
    for _ in range(ROUNDS):
        used = sweep_gram(
            model.gram,
            gradient,
            point,
            1,
            shrink,
            settings,
            SWEEPS,
            tolerance,
        )
        if used < SWEEPS:
            break
        if elastic is not None:
            polish(model.gram, gradient, point, elastic, model.factor)
    return point


def _elastic(
    penalty: SeparablePenalty, chosen: Indices
) -> tuple[Vector, Vector] | None:
    """Return the lasso and ridge prices of the chosen coefficients, if they have."""
    if penalty.elastic is None:
        return None
    l1, l2 = (np.asarray(price, dtype=np.float64) for price in penalty.elastic)
    size = len(chosen)
    return (
        l1[chosen] if l1.ndim else np.full(size, l1),
        l2[chosen] if l2.ndim else np.full(size, l2),
    )
