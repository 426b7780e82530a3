"""The step that solves a quadratic for the variables inside their boxes."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dgesv

from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["free_step"]

#: Variables at most: solving takes the cube of their number.
MOST = 400
#: This share of the diagonal is added to it: equal samples make it singular.
LIFT = 1e-13
#: Sums that differ by more than this share of the steps are no longer solutions.
ROUNDING = 1e-10


def free_step(
    square: Matrix,
    slopes: Vector,
    point: Vector,
    box: tuple[Vector, Vector],
    split: int,
    places: Indices,
) -> tuple[Indices, Vector, bool] | None:
    """Return which variables are free, where they go, and if that is all the way.

    Sums before `split` and from there on are kept. Nothing where there are too many
    variables for that, or none. Of two that read one sample, in different groups, one
    stands still, but for the first such pair: it moves what one sum has to the other.
    """
    low, high = box
    free = np.flatnonzero((point > low) & (point < high))
    _, first = np.unique(places[free], return_index=True)
    if len(first) < len(free):
        copies = np.setdiff1d(np.arange(len(free)), first)
        free = free[np.sort(np.append(first, copies[0]))]
    if not 0 < len(free) <= MOST:
        return None
    step = _newton(square[np.ix_(free, free)], slopes[free], free < split)
    if step is None:
        return None
    here, low, high = point[free], low[free], high[free]
    bounds = np.where(step > 0, high, low)
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step != 0, (bounds - here) / step, np.inf)
    share = min(1.0, float(room.min()))
    aims = np.where(room <= share, bounds, np.clip(here + share * step, low, high))
    for group in (free < split, free >= split):
        if group.any() and not _balanced(aims, here, (low, high), group):
            return None
    return free, aims, share == 1.0


def _balanced(
    aims: Vector, here: Vector, box: tuple[Vector, Vector], group: Mask
) -> bool:
    """Keep the sum of a group, if it differs by rounding only; tell whether it does.

    The variable with most room takes it up.
    """
    mine, (low, high) = np.flatnonzero(group), box
    moved = (aims - here)[mine]
    left, room = float(moved.sum()), np.minimum(aims - low, high - aims)[mine]
    widest = mine[int(np.argmax(room))]
    aims[widest] = min(max(aims[widest] - left, low[widest]), high[widest])
    return abs(left) <= ROUNDING * float(np.abs(moved).sum())


def _newton(square: Matrix, slopes: Vector, first: Mask) -> Vector | None:
    """Solve the conditions for a minimum with the two sums kept."""
    groups = np.column_stack([first, ~first]).astype(np.float64)
    groups = groups[:, groups.any(axis=0)]
    size, kept = len(square), groups.shape[1]
    level = float(np.trace(square)) / size  # sums are made as large as the rest
    system = np.zeros((size + kept, size + kept))
    system[:size, :size] = square
    system.flat[: size * (size + kept) : size + kept + 1] += LIFT * level
    system[:size, size:] = level * groups
    system[size:, :size] = level * groups.T
    _, _, found, failed = dgesv(
        system, np.append(-slopes, np.zeros(kept)), overwrite_a=1, overwrite_b=1
    )
    step = np.asarray(found[:size], dtype=np.float64)
    return None if failed or not np.isfinite(step).all() else step
