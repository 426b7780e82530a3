"""Curvature from a sample of the rows: a start, and an approximate Hessian to keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.losses import Loss
from infimum.objectives import LinearRisk
from infimum.solvers._line_search import backtrack
from infimum.solvers.second_order._newton_direction import Linear, inverse_of
from infimum.solvers.second_order._secant_pairs import SecantPairs
from infimum.typing import Indices, Vector

__all__ = ["TALL", "curvature_at", "part_of", "rehearse", "some_rows"]

#: A sampled Hessian uses so many rows per unknown, and at least so many in all.
ROWS_PER_UNKNOWN, FEWEST_ROWS = 100, 2_000
#: A sample is worth its while from so many rows on.
TALL = 4 * FEWEST_ROWS
#: A start is sought on every 8th, then on every sampled row, in a few steps each.
REHEARSALS, MOST_STEPS, ROUGHLY = (8, 1), 8, 1e-2
#: Below this share of curved samples the exact Hessian is cheap, and a sampled one bad.
MOSTLY_FLAT = 0.5
#: Steps that correct a sampled Hessian.
MEMORY = 10


def some_rows(risk: LinearRisk, seed: int) -> LinearRisk | None:
    """Return the risk on some rows that may stand for all; None when n is small."""
    n, d = risk.design.shape
    size = max(FEWEST_ROWS, ROWS_PER_UNKNOWN * d)
    if n < 4 * size or not isinstance(risk.loss, Loss):
        return None
    draw = np.random.default_rng(seed)
    return part_of(risk, np.sort(draw.choice(n, size, replace=False)))


def rehearse(sampled: LinearRisk, point: Vector) -> Vector:
    """Return the minimiser on ever more of the sampled rows: a good start.

    The last Hessian stays in the memory of the sampled risk.
    """
    from infimum.compiled.threads import one_blas_thread  # late: it loads numba

    with one_blas_thread():
        for share in REHEARSALS:
            part = sampled
            if share > 1:
                part = part_of(sampled, np.arange(0, len(sampled.y), share))
            point = _roughly_minimized(part, point)
    return point


def _roughly_minimized(part: LinearRisk, point: Vector) -> Vector:
    here = part.judge(point)
    for _ in range(MOST_STEPS):
        inverse = inverse_of(part.hessian(here.bends))
        part.memory.keep(_Inverse(inverse))
        direction = -inverse(here.gradient)
        promised = float(here.gradient @ direction)
        if -0.5 * promised <= ROUGHLY * part.scale:
            return np.asarray(here.point + direction)
        found = backtrack(here, direction, promised)
        if found is None:
            break
        here = found[0]
    return here.point


def curvature_at(sampled: LinearRisk, point: Vector) -> SecantPairs | None:
    """Return the sampled Hessian at `point`, inverted and ready for corrections."""
    bends = sampled.evaluate(point).bends
    if np.count_nonzero(bends) < MOSTLY_FLAT * len(bends):
        return None
    hessian = sampled.hessian
    last = sampled.memory.made(_Inverse, lambda: _Inverse(inverse_of(hessian(bends))))
    return SecantPairs(MEMORY, last.apply)


def part_of(risk: LinearRisk, rows: Indices) -> LinearRisk:
    """Return the risk on some of its samples."""
    return risk.afresh(
        design=risk.design.rows(rows),
        y=risk.y[rows],
        sample_weight=risk.weights[rows],
        offset=None if risk.offset is None else risk.offset[..., rows],
    )


class _Inverse(NamedTuple):
    """The last Hessian of a sampled risk, inverted."""

    apply: Linear
