"""A preconditioner for the softmax loss: one sampled Hessian per class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from infimum.losses import Softmax
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers.second_order._newton_direction import inverse_of
from infimum.solvers.second_order._sampled_curvature import part_of
from infimum.typing import Matrix, Vector

__all__ = ["block_preconditioner"]

Inverse: TypeAlias = Callable[[Matrix], Matrix]

#: A block uses so many rows per unknown and in all; larger systems get no blocks.
ROWS_PER_UNKNOWN, FEWEST_ROWS, LARGEST = 4, 2_000, 1_500
#: Blocks are kept until the mean curvatures have moved by this share.
STALE = 0.3
#: Curvatures of two scores that differ by less are the same.
ALIKE = 0.1


class _Blocks(NamedTuple):
    """Inverses of sampled Hessians, and the curvatures that they belong to."""

    bends: Matrix
    inverses: list[Inverse]


def block_preconditioner(here: Evaluation) -> Inverse | None:
    """Return residuals ↦ sampled block inverse times them; None where X is small.

    How the scores of a sample bend each other is left out: conjugate gradients find
    that out in few steps. A constant added to all scores changes nothing, so gradients
    sum to 0 over the classes, and what comes out of here must too.
    """
    risk = here.risk
    d, counted = risk.design.shape[1], np.flatnonzero(risk.weights)
    size = max(FEWEST_ROWS, ROWS_PER_UNKNOWN * (d + 1))
    if not isinstance(risk.loss, Softmax) or d > LARGEST or len(counted) < 2 * size:
        return None
    rows = counted[:: len(counted) // size]
    sampled = part_of(risk, rows)
    bends = _own_bends(sampled, risk.loss, here.scores[rows])
    known = risk.memory.get(_Blocks)
    if known is None or np.abs(bends - known.bends).mean() > STALE * bends.mean():
        known = risk.memory.keep(_Blocks(bends, _inverses(sampled, bends)))
    inverses = known.inverses

    def precondition(residual: Matrix) -> Matrix:
        columns = zip(inverses, _centred(residual).T, strict=True)
        return _centred(np.column_stack([inverse(c) for inverse, c in columns]))

    return precondition


def _centred(scores: Matrix) -> Matrix:
    return np.asarray(scores - scores.mean(axis=1, keepdims=True))


def _inverses(sampled: LinearRisk, bends: Matrix) -> list[Inverse]:
    """Return one inverse per score; a single one while all of them bend alike.

    What only shows conjugate gradients the way is summed in single precision, as long
    as its numbers are not too large for that.
    """
    from infimum.compiled.threads import (  # late: it loads numba
        in_parts,
        one_blas_thread,
    )

    count = bends.shape[1]
    alike = bool(np.all(np.abs(bends - bends[:, :1]) <= ALIKE * bends[:, :1]))
    blocks = 1 if alike else count
    with np.errstate(over="ignore"):
        rough = replace(sampled, design=sampled.design.single())

    def hessian(column: Vector) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            found = rough.hessian(column)
        return found if np.isfinite(found).all() else sampled.hessian(column)

    def invert(scores: slice) -> list[Inverse]:
        return [inverse_of(hessian(column)) for column in bends.T[scores]]

    with one_blas_thread():  # SciPy's threads would fight NumPy's
        inverses = [each for part in in_parts(blocks, invert, blocks) for each in part]
    return inverses * count if alike else inverses


def _own_bends(sampled: LinearRisk, loss: Softmax, scores: Matrix) -> Matrix:
    """Return how each score of each sample bends the loss by itself."""

    def along(k: int) -> Vector:
        unit = np.zeros_like(scores)
        unit[:, k] = 1.0
        return loss.curve(sampled.y, scores, unit)[:, k]

    return np.maximum(np.column_stack([along(k) for k in range(loss.outputs)]), 1e-10)
